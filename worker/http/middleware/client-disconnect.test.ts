import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { consent, Jar } from '#tests/support/consent';
import { articlesOf, text } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { fileOf, mediaForm } from '#tests/support/content/media';
import { png } from '#tests/support/content/png';
import { beginLogin, makeApp } from '#tests/support/login';
import { openWithListener } from '#tests/support/unit/d1-line';
import { testSettings } from '#tests/support/unit/settings';
import { openDb } from '#worker/data/db';

/** Returns a database that holds the next write until it is released. */
function holdWrites(database = env.DB) {
  const write = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const trap = { isArmed: false };
  const d1 = openWithListener(database, {
    ask: (questions) => {
      if (!trap.isArmed || !questions.some(({ sql }) => /^\s*(?:INSERT|UPDATE|DELETE)/i.test(sql))) return;
      trap.isArmed = false;
      write.resolve();
      return release.promise;
    },
  });
  return { trap, db: openDb(d1), writeStarted: write.promise, release };
}

type HeldWrites = ReturnType<typeof holdWrites>;

/**
 * Disconnects the client during the first write of its request. The platform then continues only with registered work.
 * Nothing is cancelled locally, so the test checks the registration.
 */
async function disconnect(
  app: { settled(): Promise<unknown> },
  held: HeldWrites,
  send: () => Response | Promise<Response>,
) {
  await app.settled();
  held.trap.isArmed = true;
  const answer = send();
  await held.writeStarted;
  const completion = app.settled();
  const isRegistered = await Promise.race([
    completion.then(() => false),
    env.DB.prepare('SELECT 1')
      .first()
      .then(() => true),
  ]);
  return { isRegistered, completion, answer };
}

const countIn = (db: D1Database, sql: string) => db.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>('n');
const count = (sql: string) => countIn(env.DB, sql);
const countContent = (sql: string) => countIn(env.INSTALLATION, sql);

async function makeContentSetup() {
  const held = holdWrites(env.INSTALLATION);
  const app: ContentApp = makeContentApp({ installation: held.db });
  const { token } = await app.makeOwner();
  return { held, app, token };
}

describe('a request whose client disconnects during a write', () => {
  it('completes an upload', async () => {
    const { held, app, token } = await makeContentSetup();
    const body = mediaForm(fileOf(png({ width: 2, height: 2 })));
    const { isRegistered, completion } = await disconnect(app, held, () =>
      app.call('POST', '/api/cms/media/upload', { token, body }),
    );
    expect([isRegistered, await countContent('media')]).toEqual([true, 0]);
    held.release.resolve();
    await completion;
    expect(await countContent('media')).toBe(1);
  });

  it('completes the restore of an earlier version', async () => {
    const { held, app, token } = await makeContentSetup();
    const { makePage, putPage } = articlesOf(() => ({ app, token }));
    const page = await makePage();
    await putPage(page.id, { ...text, title: 'Two' });
    const path = `/api/cms/pages/${page.id}/revisions/1/restore`;
    const { isRegistered, completion } = await disconnect(app, held, () => app.call('POST', path, { token }));
    held.release.resolve();
    await completion;
    expect([isRegistered, await countContent(`articles WHERE id = '${page.id}' AND version = 3`)]).toEqual([true, 1]);
  });

  it('completes a registration', async () => {
    const held = holdWrites(env.INSTALLATION);
    const app = makeContentApp({ installation: held.db });
    const { isRegistered, completion } = await disconnect(app, held, () =>
      app.register({ setupCode: testSettings('').OWNER_SETUP_CODE }),
    );
    held.release.resolve();
    await completion;
    expect([isRegistered, await countContent('content_sessions')]).toEqual([true, 1]);
  });

  it('completes a login returning from the CRM, and a logout, although both are GET requests', async () => {
    const held = holdWrites();
    const app = makeApp({ db: held.db });
    const jar = new Jar();
    const { pathname, search } = await consent(await beginLogin(app, jar), 0);
    const login = await disconnect(app, held, () => app.request(`${pathname}${search}`, { headers: jar.header }));
    held.release.resolve();
    await login.completion;
    expect([login.isRegistered, await count('sessions WHERE revoked_at IS NULL')]).toEqual([true, 1]);

    jar.take(await login.answer);
    const secondHeld = holdWrites();
    const secondApp = makeApp({ db: secondHeld.db });
    const logout = await disconnect(secondApp, secondHeld, () => secondApp.request('/logout', { headers: jar.header }));
    secondHeld.release.resolve();
    await logout.completion;
    expect([logout.isRegistered, await count('sessions WHERE revoked_at IS NULL')]).toEqual([true, 0]);
  });

  it('completes a login with a code in the address, which matches no route', async () => {
    const held = holdWrites();
    const app = makeApp({ db: held.db });
    const jar = new Jar();
    const startResponse = jar.take(await app.request('http://127.0.0.1:8787/oauth/start'));
    const callback = await consent(new URL(startResponse.headers.get('location') ?? ''), 1);
    const address = (await app.request(`${callback.pathname}${callback.search}`)).headers.get('location') ?? '';
    const previousCount = await count('sessions');
    const { isRegistered, completion } = await disconnect(app, held, () =>
      app.request(address, { headers: jar.header }),
    );
    held.release.resolve();
    await completion;
    expect([isRegistered, await count('sessions')]).toEqual([true, Number(previousCount) + 1]);
  });
});

it('alerts once for a write that fails after its client disconnected', async () => {
  const held = holdWrites(env.INSTALLATION);
  const app = makeContentApp({ installation: held.db });
  const { completion, answer } = await disconnect(app, held, () =>
    app.register({ setupCode: testSettings('').OWNER_SETUP_CODE }),
  );
  held.release.reject(new Error('the database is gone'));
  await completion;
  const alerts = app.logs.filter((line) => line.startsWith('ALERT'));
  expect([(await answer).status, alerts]).toEqual([500, ['ALERT request-failed']]);
});
