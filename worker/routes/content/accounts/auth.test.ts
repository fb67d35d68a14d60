import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { ContentUser, LoginReply, MeReply } from '#shared/contracts/content/content';
import { Jar } from '#tests/support/consent';
import { makeContentApp, PASSWORD } from '#tests/support/content/content';
import { testSettings } from '#tests/support/unit/settings';
import { createPasswords } from '#worker/security/passwords';

const CODE = testSettings('').OWNER_SETUP_CODE;
const count = (table: string) => env.INSTALLATION.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n');

describe('the owner set-up code', () => {
  it('creates exactly one owner, even under concurrent use, and none afterwards', async () => {
    const app = makeContentApp();
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.register({ setupCode: CODE })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    const { results } = await env.INSTALLATION.prepare('SELECT role, status FROM content_users').all();
    expect(results).toEqual([{ role: 'owner', status: 'active' }]);
    const secondAnswer = await app.register({ setupCode: CODE });
    expect(await secondAnswer.json()).toMatchObject({
      error: { message: 'This set-up code is not valid.', fields: ['setupCode'] },
    });
  });

  it('creates no account when it is wrong', async () => {
    const app = makeContentApp();
    expect((await app.register({ setupCode: 'guessed-set-up-code' })).status).toBe(422);
    expect(await count('content_users')).toBe(0);
  });
});

describe('content login', () => {
  it('returns the user and a token with the account’s rights', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const answer = await app.logIn(` ${email.toUpperCase()} `, PASSWORD);
    expect(answer.status).toBe(200);
    const { token, user } = (await answer.json()) as LoginReply;
    expect(user).toEqual({ name: 'Olga Reyes', email, role: 'owner', status: 'active' } satisfies ContentUser);
    expect(await app.get<MeReply>(200, 'GET', '/api/auth/me', { token })).toEqual({ user });
    await app.get(200, 'GET', '/api/cms/users', { token });
  });

  it('returns the same error for known, unknown and malformed addresses', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const replies = new Set<string>();
    for (const address of [email, 'nobody@clinic.example', 'no address at all']) {
      const answer = await app.logIn(address, 'not the password');
      expect(answer.status).toBe(401);
      replies.add(await answer.text());
    }
    expect([...replies]).toEqual(['{"error":{"code":"unauthorized","message":"Login failed"}}']);
  });

  it.each([
    ['an array', []],
    ['a query operator', { email: { $gt: '' }, password: { $gt: '' } }],
    ['empty texts', { email: '', password: '' }],
    ['no password', { email: 'a@b.example' }],
    ['null', null],
  ])('rejects %s with a request for email and password', async (_case, body) => {
    const answer = await makeContentApp().call('POST', '/api/auth/login', { body });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error: { message: 'Please enter email and password.' } });
  });

  it('rejects a one-megabyte password, broken JSON and a form body', async () => {
    const app = makeContentApp();
    const post = (body: string, type = 'application/json') =>
      app.call('POST', '/api/auth/login', { body, headers: { 'content-type': type } });
    expect((await post(JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(1_000_000) }))).status).toBe(413);
    expect((await post('{')).status).toBe(400);
    expect((await post('email=a', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  it('replaces an outdated password hash, and the password still works', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const readStoredHash = () =>
      env.INSTALLATION.prepare('SELECT password FROM content_users').first<string>('password');
    expect(await readStoredHash()).toMatch(/^scrypt\$1024\$1\$1\$/);
    const strongerApp = makeContentApp({
      passwords: createPasswords({ intervalMs: 0, waitMs: 60_000, cost: { N: 2048, r: 1, p: 1 } }),
    });
    expect((await strongerApp.logIn(email, PASSWORD)).status).toBe(200);
    expect(await readStoredHash()).toMatch(/^scrypt\$2048\$1\$1\$/);
    expect((await strongerApp.logIn(email, PASSWORD)).status).toBe(200);
  });
});

describe('password guessing', () => {
  it('is blocked from the sixth try on an account, with growing waits, even for an unknown account', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    for (const address of [email, 'nobody@clinic.example']) {
      for (let n = 0; n < 5; n++) expect((await app.logIn(address, 'wrong')).status).toBe(401);
      const sixth = await app.logIn(address, 'wrong');
      expect(sixth.status).toBe(429);
      expect(sixth.headers.get('retry-after')).toBe('60');
      expect(await sixth.json()).toMatchObject({
        error: { code: 'too-many', message: 'Too many attempts. Please wait a minute.' },
      });
    }
    app.clock.now += 60_000;
    expect((await app.logIn(email, 'wrong')).status).toBe(401);
    expect((await app.logIn(email, 'wrong')).headers.get('retry-after')).toBe('120');
    expect((await app.logIn(email, PASSWORD)).status).toBe(429);
    app.clock.now += 120_000;
    expect((await app.logIn(email, PASSWORD)).status).toBe(200);
    // A correct password resets the count.
    for (let n = 0; n < 5; n++) expect((await app.logIn(email, 'wrong')).status).toBe(401);
  });

  it('gets no extra tries from a burst, and at most twenty hashes in ten minutes', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const burst = await Promise.all(Array.from({ length: 30 }, () => app.logIn(email, 'wrong')));
    let hashCount = burst.filter(({ status }) => status === 401).length;
    expect(hashCount).toBe(5);
    for (let n = 0; n < 100; n++) {
      app.clock.now += 6000;
      if ((await app.logIn(email, 'wrong')).status === 401) hashCount++;
    }
    expect(hashCount).toBeGreaterThan(5);
    expect(hashCount).toBeLessThanOrEqual(20);
  });

  it('does not lock out the owner’s known browser when strangers guess', async () => {
    const app = makeContentApp();
    const { email } = await app.makeOwner();
    const jar = new Jar();
    jar.take(await app.logIn(email, PASSWORD));
    for (let n = 0; n < 6; n++) await app.logIn(email, 'wrong', { 'cf-connecting-ip': 'the clinic' });
    expect((await app.logIn(email, PASSWORD)).status).toBe(429);
    expect((await app.logIn(email, PASSWORD, jar.header)).status).toBe(200);
    // A known browser has its own count, for one account only.
    for (let n = 0; n < 5; n++) expect((await app.logIn(email, 'wrong', jar.header)).status).toBe(401);
    expect((await app.logIn(email, PASSWORD, jar.header)).status).toBe(429);
    const otherEmail = 'nobody@clinic.example';
    for (let n = 0; n < 6; n++) await app.logIn(otherEmail, 'wrong');
    expect((await app.logIn(otherEmail, 'wrong', jar.header)).status).toBe(429);
  });

  it('is blocked across accounts from one client address, sooner when the address is unknown', async () => {
    const app = makeContentApp({}, { LOGIN_TRIES_PER_IP: '6', LOGIN_TRIES_PER_UNKNOWN_IP: '3' });
    const countTries = async (ip: Record<string, string>) => {
      for (let n = 0; ; n++) {
        const answer = await app.call('POST', '/api/auth/login', {
          body: { email: app.freshEmail(), password: 'wrong' },
          headers: ip,
        });
        if (answer.status === 429 || n > 20) return n;
      }
    };
    expect(await countTries({ 'cf-connecting-ip': 'a guesser' })).toBe(6);
    expect(await countTries({})).toBe(3);
    expect(await countTries({ 'cf-connecting-ip': 'another' })).toBe(6);
  });

  it('does not count correct passwords against the client address', async () => {
    const app = makeContentApp({}, { LOGIN_TRIES_PER_IP: '3' });
    const { email } = await app.makeOwner();
    const clinic = { 'cf-connecting-ip': 'one clinic' };
    for (let n = 0; n < 8; n++) expect((await app.logIn(email, PASSWORD, clinic)).status).toBe(200);
  });

  it('fails with 429 when the hash queue is full', async () => {
    const app = makeContentApp({ passwords: createPasswords({ intervalMs: 60_000, waitMs: 0 }) });
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.logIn('nobody@clinic.example', 'wrong')));
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 429, 429, 429]);
  });
});
