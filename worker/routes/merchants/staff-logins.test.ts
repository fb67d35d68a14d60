import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { TokenStatus } from '#shared/contracts/staff/session';
import { bearer, consent, Jar } from '#tests/support/consent';
import { beginLogin, logIn, logInColleague, makeApp, type TestApp } from '#tests/support/login';
import { insertRow } from '#tests/support/unit/insert-row';
import { redeemHandoff } from '#worker/domain/merchants/log-in';

const [{ hubId: accountId, users }] = hubs;
const [grace, tom] = users;

type Row = Record<string, string | number | null>;
const readStaff = async () =>
  (await env.DB.prepare('SELECT user_id, crm_user_id, email, role, removed_at FROM users ORDER BY user_id').all<Row>())
    .results;
const grantVersion = () => env.DB.prepare('SELECT version FROM crm_tokens').first<number>('version');
const sessionsOf = (userId: number) =>
  env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?').bind(userId).first<number>('n');
const removeUser = (userId: number) =>
  env.DB.prepare('UPDATE users SET removed_at = 1 WHERE user_id = ?').bind(userId).run();
const addInvitation = (email: string, role: string) =>
  insertRow(env.DB, 'invitations', {
    id: 'i',
    account_id: accountId,
    email,
    role,
    name: 'Tom',
    secret_hash: 'h',
    ended_at: null,
    ends_at: Date.now() + 60_000,
  });

/** Logs in the colleague through the consent page. */
async function logInThroughCrm(app: TestApp) {
  const jar = new Jar();
  const callback = await consent(await beginLogin(app, jar), 0, 'grant', 1);
  const answer = jar.take(await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header }));
  await app.settled();
  return { answer, jar };
}

describe('matching a CRM login to staff', () => {
  it('finds the user whose address an administrator added, and preserves their role', async () => {
    const app = makeApp();
    await logIn(app, 0);
    const email = `${tom?.email}`.toUpperCase();
    await insertRow(env.DB, 'users', { account_id: accountId, user_id: 2, email, role: 'manager', crm_user_id: null });
    for (let n = 0; n < 2; n++) expect((await logInThroughCrm(app)).answer.headers.get('location')).toBe('/');
    expect(await readStaff()).toMatchObject([
      { user_id: 1, crm_user_id: grace?.userId, role: 'admin' },
      { user_id: 2, crm_user_id: tom?.userId, role: 'manager', email: tom?.email },
    ]);
  });

  it('accepts an open invitation to the address once', async () => {
    const app = makeApp();
    await logIn(app, 0);
    await addInvitation(`${tom?.email}`, 'reader');
    await logInThroughCrm(app);
    expect((await readStaff())[1]).toMatchObject({ role: 'reader', crm_user_id: tom?.userId });
    expect(await env.DB.prepare('SELECT ended_at FROM invitations').first('ended_at')).not.toBeNull();
  });

  it('reports the CRM’s user id, never ours', async () => {
    const app = makeApp();
    const token = await logInColleague(app);
    const status = await app.request('/api/token/status/current', { headers: bearer(token) });
    expect(TokenStatus.parse(await status.json()).data).toMatchObject({ user: tom?.email, user_id: tom?.userId });
  });
});

describe('a removed user', () => {
  it('is refused at login with a message, and the new grant is not used', async () => {
    const app = makeApp();
    await logInColleague(app);
    await removeUser(2);
    const previousState = { version: await grantVersion(), sessions: await sessionsOf(2) };
    const { answer, jar } = await logInThroughCrm(app);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('<i data-state="removed">removed</i>');
    expect([...jar.cookies.keys()]).toEqual([]);
    expect({ version: await grantVersion(), sessions: await sessionsOf(2) }).toEqual(previousState);
  });

  it('is refused when only the address from the CRM matches', async () => {
    const app = makeApp();
    await logIn(app, 0);
    await insertRow(env.DB, 'users', {
      account_id: accountId,
      user_id: 2,
      email: tom?.email,
      removed_at: 1,
      role: 'admin',
    });
    await env.DB.prepare('UPDATE users SET crm_user_id = NULL WHERE user_id = 2').run();
    expect((await logInThroughCrm(app)).answer.status).toBe(403);
    expect(await readStaff()).toHaveLength(2);
  });

  it('can log in again after an invitation, with its role', async () => {
    const app = makeApp();
    await logInColleague(app);
    await removeUser(2);
    await addInvitation(`${tom?.email}`, 'manager');
    expect((await logInThroughCrm(app)).answer.status).toBe(303);
    expect((await readStaff())[1]).toMatchObject({ user_id: 2, role: 'manager', removed_at: null });
    await removeUser(2);
    expect((await logInThroughCrm(app)).answer.status).toBe(403);
  });

  it('loses access on every device at the next call, by token, cookie and refresh', async () => {
    const app = makeApp();
    await logInColleague(app);
    const devices = [await logInThroughCrm(app), await logInThroughCrm(app)].map(({ jar }) => jar);
    const statusesOf = async (jar: Jar) => {
      const headers = bearer(jar.cookies.get('authToken') ?? '');
      const [read, list, page, renewed] = await Promise.all([
        app.request('/api/terminals', { headers }),
        app.request('/api/invoices', { headers }),
        app.request('/invoices', { headers: jar.header }),
        app.request('/api/refresh-access-token', { headers: jar.header }),
      ]);
      return [read.status, list.status, page.headers.get('location'), renewed.status];
    };
    for (const jar of devices) expect(await statusesOf(jar)).toEqual([200, 200, null, 200]);
    await removeUser(2);
    for (const jar of devices) expect(await statusesOf(jar)).toEqual([401, 401, '/login?login=removed', 401]);
  });

  it('gets no session from a handoff code issued before the removal', async () => {
    const app = makeApp();
    await logInColleague(app);
    const [code, state] = ['a'.repeat(27), 's'.repeat(27)];
    await insertRow(env.INSTALLATION, 'handoff_codes', {
      code_hash: await app.deps.sha256(code),
      state_hash: await app.deps.sha256(state),
      user_id: 2,
      account_id: accountId,
      email: '',
      ends_at: Date.now() + 60_000,
    });
    await removeUser(2);
    expect(await redeemHandoff(app.installation, code, state, '')).toBeNull();
  });
});

describe('a changed role', () => {
  it('applies from the next call, with the person’s existing token', async () => {
    const app = makeApp();
    const token = await logInColleague(app);
    const statuses = async (role: string) => {
      await env.DB.prepare('UPDATE users SET role = ? WHERE user_id = 2').bind(role).run();
      const [trail, link] = await Promise.all([
        app.request('/api/audit', { headers: bearer(token) }),
        app.request('/api/invoices/0/link', { method: 'POST', headers: bearer(token) }),
      ]);
      return [trail.status, link.status];
    };
    expect(await statuses('admin')).toEqual([200, 404]);
    expect(await statuses('desk')).toEqual([403, 404]);
    expect(await statuses('reader')).toEqual([403, 403]);
    expect(await statuses('admin')).toEqual([200, 404]);
  });
});
