import { describe, expect, it } from 'vitest';
import type { InvitedOperator, Operators } from '#shared/contracts/operators/operator';
import { Jar } from '#tests/support/consent';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import { makeOperatorApp, type OperatorApp, SETUP_CODE } from '#tests/support/operator/operator';
import { auditEvents } from '#worker/data/schema/audit';
import { operatorChallenges } from '#worker/data/schema/operators';

const statusOf = async (app: OperatorApp, jar: Jar, path = 'me') => (await app.ask(jar, 'GET', path)).status;
const MINUTE = 60_000;

/** The actions in the installation's trail with their actors, in order. */
const trailOf = async ({ deps }: OperatorApp) =>
  (await deps.installation.select().from(auditEvents)).map(({ action, actorKind, actorId }) => [
    action,
    actorKind,
    actorId,
  ]);

async function invite(app: OperatorApp, jar: Jar): Promise<string> {
  const answer = await app.ask(jar, 'POST', 'operators/invitations');
  expect(answer.status).toBe(201);
  return ((await answer.json()) as InvitedOperator).code;
}

describe('the operator set-up code', () => {
  it('enrolls an operator with a passkey and an HttpOnly, SameSite=Strict cookie', async () => {
    const app = makeOperatorApp();
    const { answer, me, jar } = await app.enrol();
    expect(answer.status).toBe(201);
    expect(me).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'Olga Reyes' });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('operator='));
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(await (await app.ask(jar, 'GET', 'me')).json()).toEqual(me);
    expect(await trailOf(app)).toEqual([
      ['operator.enrolled', 'operator', me.id],
      ['session.opened', 'operator', me.id],
    ]);
  });

  it('works once, even under concurrent use', async () => {
    const app = makeOperatorApp();
    const attempts = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [jar, key] = [new Jar(), await makeAuthenticator()];
        const person = { code: SETUP_CODE, name: 'Olga Reyes' };
        const options = await app.challenge(jar, 'enrolment', person);
        return { jar, body: { ...person, credential: await key.make(options) } };
      }),
    );
    const answers = await Promise.all(attempts.map(({ jar, body }) => app.ask(jar, 'POST', 'enrolment', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    const second = await app.ask(new Jar(), 'POST', 'enrolment/options', { body: { code: SETUP_CODE, name: 'Eve' } });
    expect(second.status).toBe(422);
    expect(await second.json()).toMatchObject({ error: { message: 'This code is not valid. Codes work once.' } });
  });

  it('enrolls no operator when it is unset or wrong', async () => {
    const appWithoutCode = makeOperatorApp({}, { OPERATOR_SETUP_CODE: '' });
    const guess = async (app: OperatorApp, code: string) =>
      (await app.ask(new Jar(), 'POST', 'enrolment/options', { body: { code, name: 'Eve' } })).status;
    expect(await guess(appWithoutCode, SETUP_CODE)).toBe(422);
    expect(await guess(appWithoutCode, '')).toBe(422);
    expect(await guess(makeOperatorApp(), 'operator-code-of-nobody')).toBe(422);
  });

  it('is rate limited against guesses from one address', async () => {
    const app = makeOperatorApp({}, { LOGIN_TRIES_PER_IP: '3' });
    const guess = () => app.ask(new Jar(), 'POST', 'enrolment/options', { body: { code: 'a guess', name: 'Eve' } });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await guess()).status);
    expect(statuses).toEqual([422, 422, 422, 429]);
    expect((await guess()).headers.get('retry-after')).toBe('60');
  });
});

describe('operator enrollment', () => {
  it.each([
    ['of another origin', { origin: 'https://tillway.example.evil.test' }],
    ['for another host', { host: 'evil.test' }],
    ['without finger, face or PIN', { isUnverified: true }],
    ['that is a response to a sign-in', { type: 'webauthn.get' }],
  ])('is rejected: %s', async (_case, overrides) => {
    const app = makeOperatorApp();
    const { answer, jar } = await app.enrol({ bent: overrides });
    expect(answer.status).toBe(401);
    expect(await statusOf(app, jar)).toBe(401);
    expect(await trailOf(app)).toEqual([]);
  });

  it('is rejected with another browser’s challenge or one already answered', async () => {
    const app = makeOperatorApp();
    const [ownJar, otherJar, key] = [new Jar(), new Jar(), await makeAuthenticator()];
    const person = { code: SETUP_CODE, name: 'Olga Reyes' };
    await app.challenge(ownJar, 'enrolment', person);
    const foreignPasskey = await key.make(await app.challenge(otherJar, 'enrolment', person));
    const post = (jar: Jar, credential: object) =>
      app.ask(jar, 'POST', 'enrolment', { body: { ...person, credential } });
    expect((await post(ownJar, foreignPasskey)).status).toBe(401);
    const cookies = new Map(otherJar.cookies);
    expect((await post(otherJar, foreignPasskey)).status).toBe(201);
    for (const [name, value] of cookies) otherJar.cookies.set(name, value);
    expect((await post(otherJar, foreignPasskey)).status).toBe(401);
  });

  it('stores nothing for a stranger who uses a sign-in challenge', async () => {
    const app = makeOperatorApp();
    const [jar, key] = [new Jar(), await makeAuthenticator()];
    const credential = await key.make(await app.challenge(jar, 'session'));
    const body = { code: 'a guess', name: 'Eve', credential };
    expect((await app.ask(jar, 'POST', 'enrolment', { body })).status).toBe(401);
    expect(await app.deps.installation.select().from(operatorChallenges)).toEqual([]);
  });

  it('is rejected when the browser takes longer than five minutes', async () => {
    const app = makeOperatorApp();
    const [jar, key] = [new Jar(), await makeAuthenticator()];
    const person = { code: SETUP_CODE, name: 'Olga Reyes' };
    const credential = await key.make(await app.challenge(jar, 'enrolment', person));
    app.clock.now += 5 * MINUTE + 1000;
    expect((await app.ask(jar, 'POST', 'enrolment', { body: { ...person, credential } })).status).toBe(401);
  });
});

describe('operator sign-in', () => {
  it('opens a session with the passkey alone', async () => {
    const app = makeOperatorApp();
    const { key, me } = await app.enrol();
    const jar = new Jar();
    expect((await app.show(jar, key, 'session')).status).toBe(204);
    expect(await (await app.ask(jar, 'GET', 'me')).json()).toEqual(me);
    expect((await trailOf(app)).at(-1)).toEqual(['session.opened', 'operator', me.id]);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.test' }],
    ['for another host', { host: 'evil.test' }],
    ['without finger, face or PIN', { isUnverified: true }],
    ['whose counter decreased, as for a copied key', { counter: 1 }],
    ['that is a response to an enrollment', { type: 'webauthn.create' }],
  ])('is rejected: %s', async (_case, bent) => {
    const app = makeOperatorApp();
    const { key } = await app.enrol();
    const jar = new Jar();
    const answer = await app.show(jar, key, 'session', bent);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: { code: 'unauthorized', message: 'This passkey was not accepted. Please try again.' },
    });
    expect(await statusOf(app, jar)).toBe(401);
  });

  it('is rejected for an unknown passkey or a signature by another key', async () => {
    const app = makeOperatorApp();
    const { key } = await app.enrol();
    const stranger = await makeAuthenticator();
    expect((await app.show(new Jar(), stranger, 'session')).status).toBe(401);
    const jar = new Jar();
    const credential = { ...(await stranger.show(await app.challenge(jar, 'session'))), id: key.id, rawId: key.id };
    expect((await app.ask(jar, 'POST', 'session', { body: { credential } })).status).toBe(401);
  });

  it('is rejected when its challenge was answered before, even with its cookie', async () => {
    const app = makeOperatorApp();
    const { key } = await app.enrol();
    const jar = new Jar();
    const credential = await key.show(await app.challenge(jar, 'session'), { counter: 0 });
    const second = await key.show(await app.challenge(jar, 'session'));
    const cookies = new Map(jar.cookies);
    expect((await app.ask(jar, 'POST', 'session', { body: { credential } })).status).toBe(401);
    const replayJar = new Jar();
    for (const [name, value] of cookies) replayJar.cookies.set(name, value);
    expect((await app.ask(replayJar, 'POST', 'session', { body: { credential: second } })).status).toBe(401);
  });

  it('opens one session for one response sent twice at once', async () => {
    const app = makeOperatorApp();
    const { key } = await app.enrol();
    const jar = new Jar();
    const credential = await key.show(await app.challenge(jar, 'session'));
    const copiedJar = new Jar();
    for (const [name, value] of jar.cookies) copiedJar.cookies.set(name, value);
    const responses = await Promise.all(
      [jar, copiedJar].map((browser) => app.ask(browser, 'POST', 'session', { body: { credential } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  it('works repeatedly with an authenticator that has no counter', async () => {
    const app = makeOperatorApp();
    const { key } = await app.enrol({ bent: { counter: 0 } });
    for (let n = 0; n < 2; n++) expect((await app.show(new Jar(), key, 'session', { counter: 0 })).status).toBe(204);
  });

  it('is rejected from another site', async () => {
    const app = makeOperatorApp();
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    const answer = await app.ask(new Jar(), 'POST', 'session/options', { body: {}, headers });
    expect(answer.status).toBe(403);
  });
});

describe('an operator session', () => {
  it('ends after half an hour without use, and page polling does not count as use', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    app.clock.now += 20 * MINUTE;
    expect(await statusOf(app, jar)).toBe(200);
    app.clock.now += 20 * MINUTE;
    expect(await statusOf(app, jar, 'overview')).toBe(200);
    app.clock.now += 11 * MINUTE;
    expect(await statusOf(app, jar, 'overview')).toBe(401);
  });

  it('ends after twelve hours regardless of use', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    for (let n = 0; n < 35; n++) {
      app.clock.now += 20 * MINUTE;
      expect(await statusOf(app, jar)).toBe(200);
    }
    app.clock.now += 20 * MINUTE;
    expect(await statusOf(app, jar)).toBe(401);
  });

  it('ends on sign-out, even for a copy of its cookie', async () => {
    const app = makeOperatorApp();
    const { jar, me } = await app.enrol();
    const savedCookies = new Map(jar.cookies);
    expect((await app.ask(jar, 'DELETE', 'session')).status).toBe(204);
    expect(jar.cookies.size).toBe(0);
    for (const [name, value] of savedCookies) jar.cookies.set(name, value);
    expect(await statusOf(app, jar)).toBe(401);
    expect((await trailOf(app)).at(-1)).toEqual(['session.ended', 'operator', me.id]);
  });

  it('allows actions for five minutes, and again after a passkey check', async () => {
    const app = makeOperatorApp();
    const { jar, key } = await app.enrol();
    await invite(app, jar);
    app.clock.now += 5 * MINUTE;
    const response = await app.ask(jar, 'POST', 'operators/invitations');
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'proof-needed' } });
    expect((await app.show(jar, key, 'proof')).status).toBe(204);
    await invite(app, jar);
  });

  it('is not proven by another operator’s passkey, a sign-in response or another session’s response', async () => {
    const app = makeOperatorApp();
    const olga = await app.enrol();
    const ivo = await app.enrol({ code: await invite(app, olga.jar), name: 'Ivo Klein' });
    expect((await app.show(olga.jar, ivo.key, 'proof')).status).toBe(403);
    const credential = await olga.key.show(await app.challenge(olga.jar, 'session'));
    expect((await app.ask(olga.jar, 'POST', 'proof', { body: { credential } })).status).toBe(403);
    const second = new Jar();
    await app.show(second, olga.key, 'session');
    const foreignProof = await olga.key.show(await app.challenge(second, 'proof'));
    olga.jar.cookies.set('operator-asked', second.cookies.get('operator-asked') ?? '');
    expect((await app.ask(olga.jar, 'POST', 'proof', { body: { credential: foreignProof } })).status).toBe(403);
  });
});

describe('an operator', () => {
  it('invites others by a code that is shown once, works once and ends after a day', async () => {
    const app = makeOperatorApp();
    const olga = await app.enrol();
    const [code, lateCode] = [await invite(app, olga.jar), await invite(app, olga.jar)];
    const ivo = await app.enrol({ code, name: 'Ivo Klein' });
    expect(ivo.answer.status).toBe(201);
    const list = await app.ask(olga.jar, 'GET', 'operators');
    const text = await list.text();
    expect(text).not.toContain(lateCode);
    expect(JSON.parse(text) as Operators).toMatchObject({
      operators: [
        { name: 'Olga Reyes', is_you: true },
        { name: 'Ivo Klein', is_you: false },
      ],
      codes: [{ by: 'Olga Reyes' }],
    });
    app.clock.now += 86_400_000;
    const options = (body: object) => app.ask(new Jar(), 'POST', 'enrolment/options', { body });
    expect((await options({ code, name: 'Eve' })).status).toBe(422);
    expect((await options({ code: lateCode, name: 'Eve' })).status).toBe(422);
  });

  it('withdraws an unused code once, and only within five minutes of a passkey check', async () => {
    const app = makeOperatorApp();
    const { jar, me } = await app.enrol();
    const [code, otherCode] = [await invite(app, jar), await invite(app, jar)];
    const list = async () => ((await (await app.ask(jar, 'GET', 'operators')).json()) as Operators).codes;
    const openCodes = await list();
    expect(openCodes).toHaveLength(2);
    for (const { id } of openCodes) expect(id).toMatch(/^[\w-]{16}$/);
    const options = (body: object) => app.ask(new Jar(), 'POST', 'enrolment/options', { body });
    const hash = (await app.deps.sha256(code)).slice(0, 16);
    const withdraw = (callerJar = jar) => app.ask(callerJar, 'DELETE', `operators/invitations/${hash}`);
    expect((await withdraw(new Jar())).status).toBe(401);
    expect((await withdraw()).status).toBe(204);
    expect((await withdraw()).status).toBe(409);
    expect((await options({ code, name: 'Eve' })).status).toBe(422);
    expect((await options({ code: otherCode, name: 'Ivo Klein' })).status).toBe(200);
    expect(await list()).toHaveLength(1);
    expect((await trailOf(app)).filter(([action]) => action === 'operator.invitation-ended')).toEqual([
      ['operator.invitation-ended', 'operator', me.id],
    ]);
    app.clock.now += 5 * MINUTE;
    const [remaining] = await list();
    expect((await app.ask(jar, 'DELETE', `operators/invitations/${remaining?.id}`)).status).toBe(403);
  });

  it('loses passkey, session and open codes at once when removed', async () => {
    const app = makeOperatorApp();
    const olga = await app.enrol();
    const ivo = await app.enrol({ code: await invite(app, olga.jar), name: 'Ivo Klein' });
    const remainingCode = await invite(app, ivo.jar);
    expect((await app.ask(olga.jar, 'DELETE', `operators/${ivo.me.id}`)).status).toBe(204);
    expect(await statusOf(app, ivo.jar)).toBe(401);
    expect((await app.show(new Jar(), ivo.key, 'session')).status).toBe(401);
    const options = await app.ask(new Jar(), 'POST', 'enrolment/options', {
      body: { code: remainingCode, name: 'Eve' },
    });
    expect(options.status).toBe(422);
    expect((await trailOf(app)).at(-1)).toEqual(['operator.removed', 'operator', olga.me.id]);
  });

  it('cannot be removed if there is no other', async () => {
    const app = makeOperatorApp();
    const { jar, me } = await app.enrol();
    expect((await app.ask(jar, 'DELETE', `operators/${me.id}`)).status).toBe(409);
    expect((await app.ask(jar, 'DELETE', 'operators/nobody')).status).toBe(409);
    expect(await statusOf(app, jar)).toBe(200);
  });
});
