import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { consent, Jar } from '#tests/support/consent';
import { articlesOf, text } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { fileOf, mediaForm } from '#tests/support/content/media';
import { png } from '#tests/support/content/png';
import { begin, makeApp } from '#tests/support/login';
import { heardD1 } from '#tests/support/unit/d1-line';
import { testSettings } from '#tests/support/unit/settings';
import { openDb } from '#worker/data/db';

/** A database that holds the next write until it is let go. */
function heldWrites(own = env.DB) {
  const write = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const line = { isArmed: false };
  const d1 = heardD1(own, {
    ask: (questions) => {
      if (!line.isArmed || !questions.some(({ sql }) => /^\s*(?:INSERT|UPDATE|DELETE)/i.test(sql))) return;
      line.isArmed = false;
      write.resolve();
      return release.promise;
    },
  });
  return { line, db: openDb(d1), isWriting: write.promise, release };
}

type Held = ReturnType<typeof heldWrites>;

/**
 * The client hangs up while its request writes for the first time. From here on the platform carries on only with what it
 * was asked to wait for; locally nothing is cancelled, so the test looks whether it was asked.
 */
async function hangUp(app: { settled(): Promise<unknown> }, held: Held, send: () => Response | Promise<Response>) {
  await app.settled();
  held.line.isArmed = true;
  const answer = send();
  await held.isWriting;
  const kept = app.settled();
  const isKept = await Promise.race([
    kept.then(() => false),
    env.DB.prepare('SELECT 1')
      .first()
      .then(() => true),
  ]);
  return { isKept, kept, answer };
}

const countIn = (db: D1Database, sql: string) => db.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>('n');
const count = (sql: string) => countIn(env.DB, sql);
const countContent = (sql: string) => countIn(env.INSTALLATION, sql);

async function contentDesk() {
  const held = heldWrites(env.INSTALLATION);
  const app: ContentApp = makeContentApp({ installation: held.db });
  const { token } = await app.makeOwner();
  return { held, app, token };
}

describe('a request whose client disconnects during a write', () => {
  it('completes an upload', async () => {
    const { held, app, token } = await contentDesk();
    const body = mediaForm(fileOf(png({ width: 2, height: 2 })));
    const { isKept, kept } = await hangUp(app, held, () => app.call('POST', '/api/cms/media/upload', { token, body }));
    expect([isKept, await countContent('media')]).toEqual([true, 0]);
    held.release.resolve();
    await kept;
    expect(await countContent('media')).toBe(1);
  });

  it('completes the restore of an earlier version', async () => {
    const { held, app, token } = await contentDesk();
    const { makePage, putPage } = articlesOf(() => ({ app, token }));
    const page = await makePage();
    await putPage(page.id, { ...text, title: 'Two' });
    const path = `/api/cms/pages/${page.id}/revisions/1/restore`;
    const { isKept, kept } = await hangUp(app, held, () => app.call('POST', path, { token }));
    held.release.resolve();
    await kept;
    expect([isKept, await countContent(`articles WHERE id = '${page.id}' AND version = 3`)]).toEqual([true, 1]);
  });

  it('completes a registration', async () => {
    const held = heldWrites(env.INSTALLATION);
    const app = makeContentApp({ installation: held.db });
    const { isKept, kept } = await hangUp(app, held, () =>
      app.register({ setupCode: testSettings('').OWNER_SETUP_CODE }),
    );
    held.release.resolve();
    await kept;
    expect([isKept, await countContent('content_sessions')]).toEqual([true, 1]);
  });

  it('completes a login returning from the CRM, and a logout, although both are GET requests', async () => {
    const held = heldWrites();
    const app = makeApp({ db: held.db });
    const jar = new Jar();
    const { pathname, search } = await consent(await begin(app, jar), 0);
    const login = await hangUp(app, held, () => app.request(`${pathname}${search}`, { headers: jar.header }));
    held.release.resolve();
    await login.kept;
    expect([login.isKept, await count('sessions WHERE revoked_at IS NULL')]).toEqual([true, 1]);

    jar.take(await login.answer);
    const again = heldWrites();
    const later = makeApp({ db: again.db });
    const logout = await hangUp(later, again, () => later.request('/logout', { headers: jar.header }));
    again.release.resolve();
    await logout.kept;
    expect([logout.isKept, await count('sessions WHERE revoked_at IS NULL')]).toEqual([true, 0]);
  });

  it('completes a login with a code in the address, which matches no route', async () => {
    const held = heldWrites();
    const app = makeApp({ db: held.db });
    const jar = new Jar();
    const started = jar.take(await app.request('http://127.0.0.1:8787/oauth/start'));
    const back = await consent(new URL(started.headers.get('location') ?? ''), 1);
    const address = (await app.request(`${back.pathname}${back.search}`)).headers.get('location') ?? '';
    const before = await count('sessions');
    const { isKept, kept } = await hangUp(app, held, () => app.request(address, { headers: jar.header }));
    held.release.resolve();
    await kept;
    expect([isKept, await count('sessions')]).toEqual([true, Number(before) + 1]);
  });
});

it('alerts once for a write that fails after its client disconnected', async () => {
  const held = heldWrites(env.INSTALLATION);
  const app = makeContentApp({ installation: held.db });
  const { kept, answer } = await hangUp(app, held, () =>
    app.register({ setupCode: testSettings('').OWNER_SETUP_CODE }),
  );
  held.release.reject(new Error('the database is gone'));
  await kept;
  const alerts = app.logs.filter((line) => line.startsWith('ALERT'));
  expect([(await answer).status, alerts]).toEqual([500, ['ALERT request-failed']]);
});
