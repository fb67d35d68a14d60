import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LoginReply } from '#shared/contracts/content/content';
import { RegisterBody } from '#shared/contracts/content/content-request';
import { cheapPasswords, linkIn, makeContentApp, PASSWORD } from '#tests/support/content/content';

describe('a content password', () => {
  const NEXT = 'seven patient herons';
  const change = (app: ReturnType<typeof makeContentApp>, token: string, current: string, password: unknown = NEXT) =>
    app.call('PUT', '/api/auth/password', { token, body: { current, password } });

  it('is changed with the current password, which logs out every other browser', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const otherLogin = (await (await app.logIn(email, PASSWORD)).json()) as LoginReply;
    expect((await change(app, token, PASSWORD)).status).toBe(204);
    await app.get(200, 'GET', '/api/auth/me', { token });
    await app.get(401, 'GET', '/api/auth/me', { token: otherLogin.token });
    expect((await app.logIn(email, PASSWORD)).status).toBe(401);
    expect((await app.logIn(email, NEXT)).status).toBe(200);
    expect(app.logs).toContain('content-password-changed');
  });

  it('is not changed without the current password, after too many guesses, or to one that is easy to guess', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const weakAnswer = await change(app, token, PASSWORD, 'Olga Reyes 2026');
    expect(await weakAnswer.json()).toMatchObject({ error: { message: 'This password is too easy to guess.' } });
    const wrongAnswer = await change(app, token, 'not the password');
    expect([wrongAnswer.status, await wrongAnswer.json()]).toMatchObject([
      422,
      { error: { message: 'This is not your current password.', fields: ['current'] } },
    ]);
    expect((await app.call('PUT', '/api/auth/password', { token, body: { password: NEXT } })).status).toBe(422);
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => change(app, token, `guess number ${n}`)));
    expect(guesses.map(({ status }) => status)).toContain(429);
    expect((await change(app, token, PASSWORD)).status).toBe(429);
    app.clock.now += 16 * 60_000;
    expect((await app.logIn(email, PASSWORD)).status).toBe(200);
  });

  it('is not changed when a reset by email happens at the same time', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const passwords = {
      ...cheapPasswords,
      hash: async (password: string, existingHash?: string) => {
        if (password === NEXT) await env.INSTALLATION.prepare("UPDATE content_users SET password = 'another'").run();
        return cheapPasswords.hash(password, existingHash);
      },
    };
    const slowApp = makeContentApp({ passwords });
    slowApp.clock.now = app.clock.now;
    expect((await change(slowApp, token, PASSWORD)).status).toBe(409);
    expect(
      await env.INSTALLATION.prepare('SELECT password FROM content_users WHERE email = ?')
        .bind(email)
        .first('password'),
    ).toBe('another');
  });

  it('invalidates emailed reset links when it is changed, but not when the change is refused', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const requestReset = async () => {
      app.mails.length = 0;
      await app.call('POST', '/api/auth/forgot', { body: { email } });
      await app.settled();
      return linkIn(app.mails, email);
    };
    const statusOfReset = async (reset: string) =>
      (await app.call('POST', '/api/auth/reset', { body: { reset, password: 'nine quiet badgers' } })).status;
    const [first, second] = [await requestReset(), await requestReset()];
    expect((await change(app, token, 'not the password')).status).toBe(422);
    expect((await change(app, token, PASSWORD)).status).toBe(204);
    expect([await statusOfReset(first), await statusOfReset(second)]).toEqual([410, 410]);
    const third = await requestReset();
    expect((await change(app, token, 'not the password')).status).toBe(422);
    expect(await statusOfReset(third)).toBe(204);
  });

  it('never expires', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    app.clock.now += 3 * 365 * 86_400_000;
    expect((await app.logIn(email, PASSWORD)).status).toBe(200);
  });

  it('has no hint or secret question', async () => {
    expect(Object.keys(RegisterBody.shape).sort()).toEqual(
      ['name', 'email', 'password', 'confirmPassword', 'setupCode', 'invitation'].sort(),
    );
    const { results } = await env.INSTALLATION.prepare("SELECT name FROM pragma_table_info('content_users')").all();
    expect(results.map(({ name }) => name).sort()).toEqual(
      ['created_at', 'email', 'id', 'last_login_at', 'name', 'password', 'role', 'status'].sort(),
    );
  });

  it('logs each login, failed login and change without the password', async () => {
    const lines: string[] = [];
    const info = (event: string, fields: object = {}) => void lines.push(JSON.stringify({ event, ...fields }));
    const app = makeContentApp({ log: { info, alert: info } });
    const { email, token } = await app.makeOwner();
    await app.logIn(email, PASSWORD);
    await app.logIn(email, 'not the password');
    await app.logIn('nobody@clinic.example', PASSWORD);
    await change(app, token, 'not the password');
    await change(app, token, PASSWORD);
    const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events.filter((event) => event.startsWith('content-'))).toEqual([
      'content-owner-created',
      'content-logged-in',
      'content-login-failed',
      'content-login-failed',
      'content-password-wrong',
      'content-password-changed',
    ]);
    expect(lines.join()).not.toMatch(/otters|herons|not the password|@clinic/);
  });
});

describe('a content account', () => {
  it('ignores role, state and id in a registration request', async () => {
    const app = makeContentApp();
    const fields = { id: 'mine', role: 'owner', status: 'active', createdAt: 0, is_admin: 1 };
    const { user } = (await (await app.register(fields)).json()) as LoginReply;
    expect(user).toMatchObject({ role: 'editor', status: 'pending' });
    const row = await env.INSTALLATION.prepare('SELECT id, role, status, created_at FROM content_users').first();
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      role: 'editor',
      status: 'pending',
      created_at: app.clock.now,
    });
  });
});
