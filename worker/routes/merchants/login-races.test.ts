import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { UsersReply } from '#shared/contracts/content/content';
import { cheapPasswords, linkIn, makeContentApp, PASSWORD } from '#tests/support/content/content';
import { testSettings } from '#tests/support/unit/settings';
import { createPasswords } from '#worker/security/passwords';

const OTHER = 'seven patient herons';
const CODE = testSettings('').OWNER_SETUP_CODE;

/** A second app on the same database, in which each hash first awaits `beforeHash`. */
const slowApp = (beforeHash: () => Promise<unknown>, passwords = cheapPasswords) =>
  makeContentApp({
    passwords: {
      ...passwords,
      hash: async (password, existingHash) => {
        await beforeHash();
        return passwords.hash(password, existingHash);
      },
    },
  });

/** Returns a function that runs the action only on its first call. */
const runOnce = (action: () => Promise<unknown>) => {
  let result: Promise<unknown> | undefined;
  return () => {
    result ??= action();
    return result;
  };
};

const makeOwnerWithReset = async () => {
  const app = makeContentApp();
  const owner = await app.makeOwner();
  await app.call('POST', '/api/auth/forgot', { body: { email: owner.email } });
  await app.settled();
  const body = { reset: linkIn(app.mails, owner.email), password: OTHER };
  return { app, owner, reset: () => app.get(204, 'POST', '/api/auth/reset', { body }) };
};

const countLiveSessions = () =>
  env.INSTALLATION.prepare('SELECT count(*) AS n FROM content_sessions WHERE revoked_at IS NULL').first<number>('n');

describe('a login that awaits its password hash', () => {
  const strongerPasswords = createPasswords({ intervalMs: 0, waitMs: 60_000, cost: { N: 2048, r: 1, p: 1 } });

  it.each([
    ['', cheapPasswords],
    [' and its hash would be upgraded', strongerPasswords],
  ])(
    'fails when the password is reset%s, opens no session and leaves the new password valid',
    async (_case, passwords) => {
      const { app, owner, reset } = await makeOwnerWithReset();
      const racingApp = slowApp(runOnce(reset), passwords);
      const answer = await racingApp.logIn(owner.email, PASSWORD);
      expect([answer.status, await answer.text()]).toEqual([
        401,
        '{"error":{"code":"unauthorized","message":"Login failed"}}',
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await countLiveSessions()).toBe(0);
      expect((await app.logIn(owner.email, PASSWORD)).status).toBe(401);
      expect((await app.logIn(owner.email, OTHER)).status).toBe(200);
    },
  );

  it('counts as a failed login when the password is reset', async () => {
    const { app, owner, reset } = await makeOwnerWithReset();
    for (let n = 0; n < 4; n++) await app.logIn(owner.email, 'wrong');
    expect((await slowApp(runOnce(reset)).logIn(owner.email, PASSWORD)).status).toBe(401);
    expect((await app.logIn(owner.email, PASSWORD)).status).toBe(429);
  });

  it('fails when its account is removed', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const { email } = await app.makeEditor(owner.token);
    const { users } = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token });
    const id = users.find((user) => user.email === email)?.id;
    const racingApp = slowApp(runOnce(() => app.get(200, 'DELETE', `/api/cms/users/${id}`, { token: owner.token })));
    expect((await racingApp.logIn(email, PASSWORD)).status).toBe(401);
  });
});

describe('a race during a password hash', () => {
  it('makes a reset fail when its link is used in between', async () => {
    const { app, owner, reset } = await makeOwnerWithReset();
    const body = { reset: linkIn(app.mails, owner.email), password: 'nine quiet badgers' };
    expect((await slowApp(runOnce(reset)).call('POST', '/api/auth/reset', { body })).status).toBe(410);
    expect((await app.logIn(owner.email, OTHER)).status).toBe(200);
  });

  it('creates no account when the invitation is revoked in between', async () => {
    const app = makeContentApp();
    const { token } = await app.makeOwner();
    const email = app.freshEmail();
    const { id } = await app.get<{ id: string }>(201, 'POST', '/api/cms/users/invitations', {
      token,
      body: { email, role: 'editor' },
    });
    await app.settled();
    const racingApp = slowApp(runOnce(() => app.get(200, 'DELETE', `/api/cms/users/invitations/${id}`, { token })));
    expect((await racingApp.register({ email, invitation: linkIn(app.mails, email) })).status).toBe(410);
    expect((await app.logIn(email, PASSWORD)).status).toBe(401);
  });

  it('creates no second owner when the set-up code is used in between', async () => {
    const app = makeContentApp();
    expect((await slowApp(runOnce(app.makeOwner)).register({ setupCode: CODE })).status).toBe(422);
  });

  it('leaves a registration pending when the old account with its address is removed in between', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const list = async () => (await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token })).users;
    const { email } = await app.makeEditor(owner.token);
    const id = (await list()).find((user) => user.email === email)?.id;
    const racingApp = slowApp(runOnce(() => app.get(200, 'DELETE', `/api/cms/users/${id}`, { token: owner.token })));
    expect((await racingApp.register({ email, password: OTHER })).status).toBe(201);
    await racingApp.settled();
    expect(await list()).toContainEqual(expect.objectContaining({ email, status: 'pending' }));
  });

  it('turns a registration into a decoy when another one with the same address completes first', async () => {
    const app = makeContentApp();
    const email = app.freshEmail();
    const racingApp = slowApp(runOnce(async () => app.register({ email, password: OTHER })));
    expect((await racingApp.register({ email })).status).toBe(201);
    const { results } = await env.INSTALLATION.prepare('SELECT status FROM content_users ORDER BY status').all();
    expect(results).toEqual([{ status: 'decoy' }, { status: 'pending' }]);
  });
});
