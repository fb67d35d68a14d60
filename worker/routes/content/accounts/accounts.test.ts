import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { LoginReply, MeReply, UsersReply } from '#shared/contracts/content/content';
import { Jar } from '#tests/support/consent';
import { linkIn, makeContentApp, PASSWORD } from '#tests/support/content/content';
import { runSchedule } from '#worker/domain/run-schedule';

const OTHER = 'seven patient herons';
const DAY = 86_400_000;

const shapeOf = async (answer: Response) => {
  const { token, user } = (await answer.json()) as LoginReply;
  return { status: answer.status, parts: token.split('.').length, user: { ...user, email: '', name: '' } };
};

describe('registration', () => {
  it('creates a pending account without a code or invitation, which an owner can approve', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const { token, user } = (await (await app.register()).json()) as LoginReply;
    expect(user.status).toBe('pending');
    expect(await app.get(200, 'GET', '/api/auth/me', { token })).toEqual({ user });
    expect((await app.call('GET', '/api/cms/users', { token })).status).toBe(403);
    const { users } = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token });
    const pendingUser = users.find(({ email }) => email === user.email);
    expect(pendingUser).toMatchObject({ status: 'pending', isYou: false });
    await app.get(200, 'POST', `/api/cms/users/${pendingUser?.id}/approve`, {
      token: owner.token,
      body: { role: 'editor' },
    });
    expect(await app.get<MeReply>(200, 'GET', '/api/auth/me', { token })).toMatchObject({ user: { status: 'active' } });
  });

  it('answers alike for a known address, lists no new account and alerts the owner of the address once', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const [newAnswer, knownAnswer] = [
      await app.register(),
      await app.register({ email: owner.email, password: OTHER }),
    ];
    const token = ((await knownAnswer.clone().json()) as LoginReply).token;
    expect(await shapeOf(knownAnswer)).toEqual(await shapeOf(newAnswer));
    expect(await app.get(200, 'GET', '/api/auth/me', { token })).toMatchObject({ user: { status: 'pending' } });
    // The typed password logs in to a pending account, as for any other address. The owner's own account is untouched.
    const secondLogin = await app.logIn(owner.email, OTHER);
    expect(await shapeOf(secondLogin)).toMatchObject({ status: 200, user: { status: 'pending' } });
    expect((await app.logIn(owner.email, PASSWORD)).status).toBe(200);
    const { users } = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token });
    expect(users.filter(({ email }) => email === owner.email)).toHaveLength(1);
    const decoy = await env.INSTALLATION.prepare("SELECT id FROM content_users WHERE status = 'decoy'").first<string>(
      'id',
    );
    for (const path of [`/api/cms/users/${decoy}/approve`, `/api/cms/users/${decoy}`]) {
      const method = path.endsWith('approve') ? 'POST' : 'PUT';
      expect((await app.call(method, path, { token: owner.token, body: { role: 'owner' } })).status).toBe(404);
    }
    await app.settled();
    expect(app.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, 'You already have a Tillway content account'],
    ]);
    // A stranger cannot fill the mailbox.
    await app.register({ email: owner.email, password: OTHER });
    await app.settled();
    expect(app.mails).toHaveLength(1);
  });

  it('recognizes an account by both spellings of a domain', async () => {
    const app = makeContentApp();
    const name = app.freshEmail().split('@')[0];
    await app.makeOwner();
    const first = (await (await app.register({ email: `${name}@bücher.example` })).json()) as LoginReply;
    expect(first.user.email).toBe(`${name}@xn--bcher-kva.example`);
    for (const domain of ['xn--bcher-kva.example', 'bu\u0308cher.example', 'BÜCHER.EXAMPLE'])
      expect((await app.logIn(`${name}@${domain}`, PASSWORD)).status, domain).toBe(200);
    const { results } = await env.INSTALLATION.prepare(
      "SELECT email FROM content_users WHERE status = 'pending'",
    ).all();
    expect(results).toEqual([{ email: first.user.email }]);
  });

  it.each([
    ['no name', { name: ' ' }, 'Please enter your name.'],
    ['a name of only control characters', { name: '\u0000\u2028' }, 'Please enter your name.'],
    ['no @', { email: 'ada.example' }, 'Please enter a valid email address.'],
    ['two addresses', { email: 'a@b.example, c@d.example' }, 'Please enter a valid email address.'],
    ['a zero-width space in the address', { email: 'ed\u200b@x.example' }, 'Please enter a valid email address.'],
    ['a soft hyphen in the address', { email: 'ed@x\u00ad.example' }, 'Please enter a valid email address.'],
    [
      'an invisible tag at the end of the address',
      { email: 'ed@x.example\u{e0041}' },
      'Please enter a valid email address.',
    ],
    ['a blank letter in the address', { email: 'ed\u3164@x.example' }, 'Please enter a valid email address.'],
    ['a short password', { password: 'short' }, 'Please use at least 12 characters.'],
    ['a password of 129 characters', { password: 'ab'.repeat(65) }, 'Please use at most 128 characters.'],
    ['no password', { password: null }, 'Please use at least 12 characters.'],
    ['a common password', { password: 'password123456' }, 'This password is too easy to guess.'],
    ['a keyboard row', { password: 'qwertyuiopqw' }, 'This password is too easy to guess.'],
    ['a repeated letter', { password: 'aaaaaaaaaaaaa' }, 'This password is too easy to guess.'],
    ['the product’s name and a year', { password: 'Tillway-2026!' }, 'This password is too easy to guess.'],
    ['the registered name', { name: 'Rosalind', password: 'Rosalind1234' }, 'This password is too easy to guess.'],
    ['a mismatched confirmation', { confirmPassword: 'something else' }, 'Passwords do not match'],
  ])('rejects %s with a message and creates no account', async (_case, overrides, message) => {
    const app = makeContentApp();
    const answer = await app.register(overrides);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid', message } });
    expect(await env.INSTALLATION.prepare('SELECT * FROM content_users').first()).toBeNull();
  });

  it('reports every invalid field with its own message', async () => {
    const answer = await makeContentApp().register({ name: '', email: 'x' });
    expect(await answer.json()).toEqual({
      error: { code: 'invalid', message: 'Please enter your name.', fields: ['name', 'email'] },
      problems: { name: 'Please enter your name.', email: 'Please enter a valid email address.' },
    });
  });

  it('is limited per hour and client address', async () => {
    const app = makeContentApp({}, { REGISTRATIONS_PER_IP_HOUR: '4', REGISTRATIONS_PER_UNKNOWN_IP_HOUR: '2' });
    const statuses = async (ip: string) => {
      const results: number[] = [];
      for (let n = 0; n < 6; n++) results.push((await app.register({}, { 'cf-connecting-ip': ip })).status);
      return results;
    };
    expect(await statuses('one place')).toEqual([201, 201, 201, 201, 429, 429]);
    app.clock.now += 2 * 3_600_000;
    expect((await statuses('one place')).slice(0, 5)).toEqual([201, 201, 201, 201, 429]);
  });

  it('deletes an account that nobody approved within thirty days', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    await app.register();
    await app.register({ email: owner.email, password: OTHER });
    app.clock.now += 31 * DAY;
    await runSchedule(app.installation);
    const { results } = await env.INSTALLATION.prepare('SELECT email FROM content_users').all();
    expect(results).toEqual([{ email: owner.email }]);
  });
});

describe('an invitation', () => {
  it('is deleted after a week, whether it was used or not', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    await app.makeEditor(owner.token);
    const body = { email: app.freshEmail(), role: 'editor' };
    await app.get(201, 'POST', '/api/cms/users/invitations', { token: owner.token, body });
    const invitationCount = () =>
      env.INSTALLATION.prepare('SELECT count(*) AS n FROM content_invitations').first<number>('n');
    app.clock.now += 6 * DAY;
    await runSchedule(app.installation);
    expect(await invitationCount()).toBe(2);
    app.clock.now += 2 * DAY;
    await runSchedule(app.installation);
    expect(await invitationCount()).toBe(0);
  });
});

describe('password reset', () => {
  it('works once per emailed link, within an hour, and logs out every other browser', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const requestReset = async (address: string) => {
      const answer = await app.call('POST', '/api/auth/forgot', { body: { email: address } });
      await app.settled();
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await requestReset(email)).toBe(await requestReset('nobody@clinic.example'));
    expect(app.mails.map(({ to }) => to)).toEqual([email]);
    const reset = linkIn(app.mails, email);
    const resetWith = (password: string) => app.call('POST', '/api/auth/reset', { body: { reset, password } });
    expect((await resetWith('short')).status).toBe(422);
    expect((await resetWith(OTHER)).status).toBe(204);
    expect((await resetWith('nine quiet badgers')).status).toBe(410);
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(401);
    expect((await app.logIn(email, PASSWORD)).status).toBe(401);
    expect((await app.logIn(email, OTHER)).status).toBe(200);

    await requestReset(email);
    app.clock.now += 3_600_000;
    const expiredReset = { reset: linkIn(app.mails, email), password: PASSWORD };
    expect((await app.call('POST', '/api/auth/reset', { body: expiredReset })).status).toBe(410);
  });

  it('rejects the member’s name or address as a password and leaves the link valid', async () => {
    const app = makeContentApp();
    const email = `rosalind.${app.freshEmail()}`;
    const { token } = await app.makeOwner();
    await app.get(201, 'POST', '/api/cms/users/invitations', { token, body: { email, role: 'editor' } });
    await app.settled();
    await app.register({ email, name: 'Bartholomew', invitation: linkIn(app.mails, email) });
    await app.call('POST', '/api/auth/forgot', { body: { email } });
    await app.settled();
    const reset = linkIn(app.mails, email);
    const resetWith = (password: string) => app.call('POST', '/api/auth/reset', { body: { reset, password } });
    for (const password of [email, 'Rosalind1234', 'bartholomew!']) {
      const answer = await resetWith(password);
      expect(await answer.json()).toMatchObject({
        error: { code: 'invalid', message: 'This password is too easy to guess.', fields: ['password'] },
      });
    }
    expect((await resetWith(OTHER)).status).toBe(204);
  });

  it('sends at most three emails an hour', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    for (let n = 0; n < 8; n++) {
      expect((await app.call('POST', '/api/auth/forgot', { body: { email } })).status).toBe(202);
      await app.settled();
    }
    expect(app.mails).toHaveLength(3);
  });
});

describe('the last owner', () => {
  it('cannot be removed or demoted, not even when two owners remove each other at once', async () => {
    const app = makeContentApp();
    const firstOwner = await app.makeOwner();
    const list = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: firstOwner.token });
    const firstId = list.users[0]?.id;
    expect((await app.call('DELETE', `/api/cms/users/${firstId}`, { token: firstOwner.token })).status).toBe(409);
    const demote = { token: firstOwner.token, body: { role: 'editor' } };
    expect((await app.call('PUT', `/api/cms/users/${firstId}`, demote)).status).toBe(409);
    const secondOwner = await app.makeEditor(firstOwner.token, 'owner');
    const { users } = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: secondOwner.token });
    const secondId = users.find(({ isYou }) => isYou)?.id;
    const answers = await Promise.all([
      app.call('DELETE', `/api/cms/users/${secondId}`, { token: firstOwner.token }),
      app.call('DELETE', `/api/cms/users/${firstId}`, { token: secondOwner.token }),
    ]);
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const ownerCount = await env.INSTALLATION.prepare(
      "SELECT count(*) AS n FROM content_users WHERE role = 'owner'",
    ).first('n');
    expect(ownerCount).toBe(1);
  });

  it('can remove all other accounts, which makes their tokens invalid', async () => {
    const app = makeContentApp();
    const owner = await app.makeOwner();
    const editor = await app.makeEditor(owner.token);
    const { users } = await app.get<UsersReply>(200, 'GET', '/api/cms/users', { token: owner.token });
    const id = users.find(({ email }) => email === editor.email)?.id;
    await app.get(200, 'DELETE', `/api/cms/users/${id}`, { token: owner.token });
    expect((await app.call('GET', '/api/auth/me', { token: editor.token })).status).toBe(401);
    expect((await app.call('DELETE', `/api/cms/users/${id}`, { token: owner.token })).status).toBe(404);
  });
});

describe('a session', () => {
  it('is renewed only by the browser that logged in, until it is idle too long or reaches its maximum age', async () => {
    const app = makeContentApp({}, { CONTENT_SESSION_IDLE_MS: String(DAY / 6), CONTENT_SESSION_MS: String(DAY) });
    const { email } = await app.makeOwner();
    const jar = new Jar();
    const { token } = (await jar.take(await app.logIn(email, PASSWORD)).json()) as LoginReply;
    const renew = (headers: Record<string, string>) => app.call('POST', '/api/auth/refresh', { headers });
    app.clock.now += 16 * 60_000;
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(401);
    expect((await renew({})).status).toBe(401);
    expect((await renew({ ...jar.header, origin: 'https://evil.example' })).status).toBe(403);
    const renewedLogin = (await (await renew(jar.header)).json()) as LoginReply;
    await app.get(200, 'GET', '/api/auth/me', { token: renewedLogin.token });
    for (let hours = 3; hours < 24; hours += 3) {
      app.clock.now += 3 * 3_600_000;
      expect((await renew(jar.header)).status).toBe(200);
    }
    app.clock.now += 3 * 3_600_000;
    expect((await renew(jar.header)).status).toBe(401);

    const idle = new Jar();
    idle.take(await app.logIn(email, PASSWORD));
    app.clock.now += DAY / 6 + 1;
    expect((await renew(idle.header)).status).toBe(401);
  });

  it('ends on the next login or registration in the same browser, but not in other browsers', async () => {
    const app = makeContentApp();
    const { email, token: otherToken } = await app.makeOwner();
    const jar = new Jar();
    const { token } = (await jar.take(await app.logIn(email, PASSWORD)).json()) as LoginReply;
    const next = (await jar.take(await app.logIn(email, PASSWORD, jar.header)).json()) as LoginReply;
    await app.get(401, 'GET', '/api/auth/me', { token });
    for (const validToken of [next.token, otherToken]) await app.get(200, 'GET', '/api/auth/me', { token: validToken });
    await app.register({}, jar.header);
    await app.get(401, 'GET', '/api/auth/me', { token: next.token });
  });

  it('grants no access after logout', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const jar = new Jar();
    const { token } = (await jar.take(await app.logIn(email, PASSWORD)).json()) as LoginReply;
    const oldHeaders = { ...jar.header };
    jar.take(await app.call('POST', '/api/auth/logout', { token, headers: jar.header }));
    expect([...jar.cookies.keys()]).toEqual(['content-device']);
    const responses = await Promise.all(Array.from({ length: 50 }, () => app.call('GET', '/api/auth/me', { token })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await app.call('POST', '/api/auth/refresh', { headers: oldHeaders })).status).toBe(401);
  });

  it('is required for the content pages, which otherwise redirect to the login page', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const visit = async (path: string, headers: Record<string, string>) => {
      const answer = await app.request(path, { headers });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return answer.headers.get('location') ?? (await answer.text()).split(' ')[0];
    };
    const jar = new Jar();
    const { token } = (await jar.take(await app.logIn(email, PASSWORD)).json()) as LoginReply;
    for (const path of ['/cms', '/cms/posts', '/cms/posts/edit/7']) {
      expect(await visit(path, {})).toBe('/cms/login');
      expect(await visit(path, { cookie: 'content=made-up; content-pass=a.b.c' })).toBe('/cms/login');
      expect(await visit(path, jar.header)).toBe('/cms/shell');
    }
    expect(await visit('/cms/login', {})).toBe('/cms/login');
    expect(await visit('/cms/login', jar.header)).toBe('/cms');
    // A client with only the token gets the page cookie from its first call.
    const otherJar = new Jar();
    otherJar.take(await app.call('GET', '/api/auth/me', { token }));
    expect(await visit('/cms', otherJar.header)).toBe('/cms/shell');
    app.clock.now += 16 * 60_000;
    expect(await visit('/cms', otherJar.header)).toBe('/cms/login');
    // A pending account may not see the pages.
    const pendingJar = new Jar();
    pendingJar.take(await app.register());
    expect(await visit('/cms', pendingJar.header)).toBe('/cms/login');
  });
});
