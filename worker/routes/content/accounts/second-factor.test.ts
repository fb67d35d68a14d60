import { describe, expect, it } from 'vitest';
import type { LoginReply, MeReply } from '#shared/contracts/content/content';
import type {
  NewPasskeyOptions,
  RecoveryCodes,
  SecondFactorRequired,
  SecondFactors,
} from '#shared/contracts/content/second-factor-reply';
import { Jar } from '#tests/support/consent';
import { linkIn, makeContentApp, PASSWORD } from '#tests/support/content/content';
import { type Authenticator, makeAuthenticator } from '#tests/support/operator/authenticator';
import { eventsOf } from '#tests/support/unit/trail';
import { INSTALLATION } from '#worker/data/schema/audit';
import { unlockContentAccount } from '#worker/domain/operate/access';

type ChallengeOptions = Parameters<Authenticator['show']>[0];

async function openArea(settings: Record<string, unknown> = { OWNERS_NEED_PASSKEY: 'true' }) {
  const app = makeContentApp({}, settings);
  const { email, token } = await app.makeOwner();
  const jar = new Jar();
  const send = async (method: string, path: string, body?: unknown, userToken?: string) =>
    jar.take(await app.call(method, path, { body, headers: jar.header, ...(userToken ? { token: userToken } : {}) }));
  const addPasskey = async (userToken: string, key: Authenticator) => {
    const response = await send('POST', '/api/auth/passkeys/options', { password: PASSWORD }, userToken);
    const { options } = (await response.json()) as NewPasskeyOptions;
    const credential = await key.make(options as ChallengeOptions);
    return send('POST', '/api/auth/passkeys', { label: 'Laptop', credential }, userToken);
  };
  /** Logs in with the password only, and returns the challenge of the second step. */
  const logInWithPassword = async () => {
    const answer = jar.take(await app.logIn(email, PASSWORD, jar.header));
    return { status: answer.status, ...((await answer.json()) as Partial<SecondFactorRequired & LoginReply>) };
  };
  const logInWithPasskey = async (key: Authenticator) =>
    send('POST', '/api/auth/second', {
      credential: await key.show((await logInWithPassword()).second as ChallengeOptions),
    });
  const postsStatus = async (userToken: string) =>
    (await app.call('GET', '/api/cms/posts', { token: userToken })).status;
  return {
    app,
    email,
    token,
    jar,
    send,
    add: addPasskey,
    first: logInWithPassword,
    second: logInWithPasskey,
    posts: postsStatus,
  };
}

describe('an owner when owners need a passkey', () => {
  it('can do nothing until a passkey is added, then keeps working in the same session', async () => {
    const area = await openArea();
    expect(await area.posts(area.token)).toBe(403);
    expect((await area.app.get<MeReply>(200, 'GET', '/api/auth/me', { token: area.token })).user.needsPasskey).toBe(
      true,
    );
    const added = await area.add(area.token, await makeAuthenticator());
    expect(added.status).toBe(201);
    const { recovery_codes: codes } = (await added.json()) as RecoveryCodes;
    expect(new Set(codes).size).toBe(8);
    expect(codes.every((code) => /^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/.test(code))).toBe(true);
    expect(await area.posts(area.token)).toBe(200);
    const events = JSON.stringify(await eventsOf(INSTALLATION));
    expect(events).toContain('content-passkey.added');
    for (const code of codes) expect(events).not.toContain(code);
  });

  it('must use the passkey at each login, because the password alone opens no session', async () => {
    const area = await openArea();
    const [key, otherKey] = [await makeAuthenticator(), await makeAuthenticator()];
    await area.add(area.token, key);
    const { status, second, token } = await area.first();
    expect([status, token]).toEqual([202, undefined]);
    expect((await area.send('POST', '/api/auth/refresh')).status).toBe(401);
    const proof = { credential: await key.show(second as ChallengeOptions) };
    const [firstAnswer, secondAnswer] = [
      await area.send('POST', '/api/auth/second', proof),
      await area.send('POST', '/api/auth/second', proof),
    ];
    expect([firstAnswer.status, secondAnswer.status]).toEqual([200, 401]);
    expect(await area.posts(((await firstAnswer.json()) as LoginReply).token)).toBe(200);
    expect((await area.second(otherKey)).status).toBe(401);
  });

  it('cannot remove the last passkey or change factors in a session without a passkey check', async () => {
    const area = await openArea();
    const key = await makeAuthenticator();
    const passwordOnlyToken = ((await (await area.app.logIn(area.email, PASSWORD)).json()) as LoginReply).token;
    await area.add(area.token, key);
    const { passkeys } = await area.app.get<SecondFactors>(200, 'GET', '/api/auth/passkeys', { token: area.token });
    const path = `/api/auth/passkeys/${passkeys[0]?.id}`;
    expect((await area.send('DELETE', path, undefined, area.token)).status).toBe(409);
    for (const [method, targetPath] of [
      ['DELETE', path],
      ['POST', '/api/auth/recovery-codes'],
    ] as const)
      expect((await area.send(method, targetPath, undefined, passwordOnlyToken)).status).toBe(403);
    expect(
      (await area.send('POST', '/api/auth/passkeys/options', { password: PASSWORD }, passwordOnlyToken)).status,
    ).toBe(403);
    expect(await area.posts(passwordOnlyToken)).toBe(403);
  });

  it('logs in without the passkey by a one-time recovery code, or after the operator removes the factor', async () => {
    const area = await openArea();
    const added = await area.add(area.token, await makeAuthenticator());
    const { recovery_codes: codes } = (await added.json()) as RecoveryCodes;
    const logInWithCode = async (code: string) => {
      await area.first();
      return area.send('POST', '/api/auth/second', { code });
    };
    expect((await logInWithCode(codes[0]?.toUpperCase().replaceAll('-', ' ') ?? '')).status).toBe(200);
    expect((await logInWithCode(codes[0] ?? '')).status).toBe(401);
    expect((await logInWithCode('aaaa-aaaa-aaaa')).status).toBe(401);
    // A code is useless without the password.
    expect((await area.app.call('POST', '/api/auth/second', { body: { code: codes[1] } })).status).toBe(401);
    expect(await unlockContentAccount(area.app.installation, area.email)).toBe(true);
    expect(await unlockContentAccount(area.app.installation, area.email)).toBe(false);
    expect(await area.posts(area.token)).toBe(401);
    const { status, token } = await area.first();
    expect([status, await area.posts(token ?? '')]).toEqual([200, 403]);
    expect((await eventsOf(INSTALLATION, 'second-factor.removed')).length).toBe(1);
  });

  it('cannot use an earlier password reset link after a change of the passkeys or recovery codes', async () => {
    const area = await openArea({ OWNERS_NEED_PASSKEY: 'false' });
    const { app, email } = area;
    const requestReset = async () => {
      app.clock.now += 3_600_000;
      app.mails.length = 0;
      await app.call('POST', '/api/auth/forgot', { body: { email } });
      await app.settled();
      return linkIn(app.mails, email);
    };
    const isOver = async (reset: string) =>
      (await app.call('POST', '/api/auth/reset', { body: { reset, password: 'short' } })).status === 410;
    const login = async () => ((await (await area.second(key)).json()) as LoginReply).token;
    const key = await makeAuthenticator();
    const firstReset = await requestReset();
    expect(await isOver(firstReset)).toBe(false);
    const { token } = (await (await app.logIn(email, PASSWORD)).json()) as LoginReply;
    await area.add(token, key);
    expect(await isOver(firstReset)).toBe(true);
    const beforeCodes = await requestReset();
    const laterToken = await login();
    expect(await isOver(beforeCodes), 'a login changes no factor').toBe(false);
    expect((await area.send('POST', '/api/auth/recovery-codes', undefined, laterToken)).status).toBe(201);
    expect(await isOver(beforeCodes)).toBe(true);
    const beforeRemoval = await requestReset();
    const lastToken = await login();
    const { passkeys } = await app.get<SecondFactors>(200, 'GET', '/api/auth/passkeys', { token: lastToken });
    await area.send('DELETE', `/api/auth/passkeys/${passkeys[0]?.id}`, undefined, lastToken);
    expect(await isOver(beforeRemoval)).toBe(true);
    const { token: newToken } = (await (await app.logIn(email, PASSWORD)).json()) as LoginReply;
    await area.add(newToken, key);
    const beforeUnlock = await requestReset();
    expect(await unlockContentAccount(app.installation, email)).toBe(true);
    expect(await isOver(beforeUnlock)).toBe(true);
  });

  it('gets few tries at the second step, even with a correct password each time', async () => {
    const area = await openArea();
    await area.add(area.token, await makeAuthenticator());
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      await area.first();
      statuses.push((await area.send('POST', '/api/auth/second', { code: `aaaa-aaaa-aaa${n}` })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  it('cannot add a first passkey without the current password', async () => {
    const area = await openArea();
    const response = await area.send('POST', '/api/auth/passkeys/options', { password: 'another one' }, area.token);
    expect(response.status).toBe(422);
  });
});

it('an owner works without a passkey while the setting is off and may still add one', async () => {
  const area = await openArea({});
  expect(await area.posts(area.token)).toBe(200);
  await area.add(area.token, await makeAuthenticator());
  expect((await area.first()).status).toBe(202);
});
