import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { OwnFactors, StepUp } from '#shared/contracts/staff/proof';
import { Team } from '#shared/contracts/staff/team';
import { makeAuthenticator } from '#tests/support/operator/authenticator';
import {
  addPasskey,
  factorCode,
  MINUTE,
  optionsOf,
  proveBy,
  provePin,
  staffDesk,
} from '#tests/support/unit/staff-desk';
import { eventsOf } from '#tests/support/unit/trail';

const PIN = '271828';
const factorsOf = async (browser: { call(method: string, path: string): Promise<Response> }) =>
  OwnFactors.parse(await (await browser.call('GET', '/api/session/factors')).json());
const countFactors = () =>
  env.DB.prepare('SELECT (SELECT count(*) FROM pins) + (SELECT count(*) FROM staff_passkeys) AS n').first<number>('n');
const wrongCodeFor = (code: string) => String((Number(code.replace(' ', '')) + 1) % 100_000_000).padStart(8, '0');

describe('a first passkey or PIN', () => {
  it('needs a code emailed to the person, who is then notified by email', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'passkey');
    expect(await factorsOf(marta)).toMatchObject({ passkeys: [], has_pin: false, change_takes: 'code' });
    expect(await marta.status('PUT', '/api/session/pin', { pin: PIN })).toBe(422);
    const code = await factorCode(desk, marta);
    expect(desk.mails.at(-1)).toMatchObject({ to: 'person7@maple.example', subject: 'Your code for Tillway' });
    expect(await marta.status('PUT', '/api/session/pin', { pin: PIN, code })).toBe(204);
    await desk.app.settled();
    expect(desk.mails.at(-1)).toMatchObject({ to: 'person7@maple.example' });
    expect(desk.mails.at(-1)?.text).toContain('A PIN was set for you');
    expect(await factorsOf(marta)).toMatchObject({ has_pin: true, change_takes: 'proof' });
    expect((await eventsOf(desk.accountId, 'pin.set')).map(({ actorId }) => actorId)).toEqual(['7']);
  });

  it('is refused with a used or expired code, a code of another person or session, or after five tries', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    await desk.hire(8, 'desk');
    const [marta, otherSession, ben] = [
      await desk.open(7, 'code'),
      await desk.open(7, 'code'),
      await desk.open(8, 'code'),
    ];
    const setPin = (browser: typeof marta, code: string) =>
      browser.status('PUT', '/api/session/pin', { pin: PIN, code });
    const code = await factorCode(desk, marta);
    expect([await setPin(ben, code), await setPin(otherSession, code)]).toEqual([422, 422]);
    // The first session does not accept the code of the same person's other session either.
    const otherCode = await factorCode(desk, otherSession);
    expect(await setPin(marta, otherCode)).toBe(422);
    for (let n = 0; n < 4; n++) expect(await setPin(marta, wrongCodeFor(code))).toBe(422);
    expect(await setPin(marta, code)).toBe(422);
    const lateCode = await factorCode(desk, marta);
    await desk.pass(10 * MINUTE);
    expect(await setPin(marta, lateCode)).toBe(422);
    expect(await countFactors()).toBe(0);
    const validCode = await factorCode(desk, marta);
    expect(await setPin(marta, validCode)).toBe(204);
    await env.DB.prepare('DELETE FROM pins').run();
    expect(await setPin(marta, validCode)).toBe(422);
    expect(await countFactors()).toBe(0);
  });

  it('is set once per code, even under concurrent use', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'code');
    const code = await factorCode(desk, marta);
    const pins = ['271828', '314159', '161803', '141421'];
    const answers = await Promise.all(pins.map((pin) => marta.status('PUT', '/api/session/pin', { pin, code })));
    expect(answers.filter((status) => status === 204)).toHaveLength(1);
    expect(await countFactors()).toBe(1);
  });

  it('needs the session’s cookie, and gets at most five codes an hour', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'code');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push(await marta.status('POST', '/api/session/factors/code'));
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    const program = desk.browser(undefined, false);
    program.jar.cookies.set('authToken', marta.jar.cookies.get('authToken') ?? '');
    expect(await program.status('POST', '/api/session/factors/code')).toBe(409);
  });
});

describe('a further passkey or PIN, or a change of one', () => {
  /** A person with a PIN, whose session was last proved 15 minutes ago. */
  async function makePersonWithPin() {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'code');
    const code = await factorCode(desk, marta);
    expect(await marta.status('PUT', '/api/session/pin', { pin: PIN, code })).toBe(204);
    await desk.pass(15 * MINUTE);
    return { desk, marta };
  }

  it('needs a passkey or PIN check within 15 minutes, not just an emailed code', async () => {
    const { desk, marta } = await makePersonWithPin();
    const codeSession = await desk.open(7, 'code');
    for (const browser of [marta, codeSession]) {
      for (const [method, path, body] of [
        ['PUT', '/api/session/pin', { pin: '314159' }],
        ['DELETE', '/api/session/pin', undefined],
        ['POST', '/api/session/passkeys/options', undefined],
      ] as const) {
        const answer = await browser.call(method, path, body);
        expect([answer.status, path]).toEqual([403, path]);
        expect(StepUp.parse(await answer.json()).ways).toEqual(['pin', 'admin']);
      }
    }
    expect(await factorCode(desk, codeSession)).toMatch(/^\d/);
    expect((await provePin(marta, PIN)).status).toBe(204);
    expect(await marta.status('PUT', '/api/session/pin', { pin: '314159' })).toBe(204);
    expect((await addPasskey(marta)).answer.status).toBe(201);
    expect(await factorsOf(marta)).toMatchObject({ passkeys: [{ label: 'Desk', used_at: null }], has_pin: true });
  });

  it('allows removing only one’s own, and notifies the person by email each time', async () => {
    const { desk, marta } = await makePersonWithPin();
    await desk.hire(8, 'desk');
    const ben = await desk.open(8, 'code');
    await addPasskey(ben, await factorCode(desk, ben));
    const [{ id = '' } = {}] = (await factorsOf(ben)).passkeys;
    await provePin(marta, PIN);
    expect(await marta.status('DELETE', `/api/session/passkeys/${id}`)).toBe(404);
    expect(await ben.status('DELETE', `/api/session/passkeys/${id}`)).toBe(204);
    expect(await marta.status('DELETE', '/api/session/pin')).toBe(204);
    await desk.app.settled();
    const notices = desk.mails.filter(({ subject }) => subject.includes('was changed'));
    expect(notices.map(({ to }) => to)).toEqual([7, 8, 8, 7].map((n) => `person${n}@maple.example`));
    expect(await countFactors()).toBe(0);
  });

  it('requires an emailed code again after an administrator removed the lost ones', async () => {
    const { desk, marta } = await makePersonWithPin();
    expect(await marta.status('DELETE', '/api/team/7/factors')).toBe(403);
    expect(await desk.admin.status('DELETE', '/api/team/7/factors')).toBe(403);
    const { admin } = desk;
    const freshAdmin = await desk.open(1, 'code');
    const team = Team.parse(await (await admin.call('GET', '/api/team')).json());
    expect(team.members.map(({ id, has_factor }) => [id, has_factor])).toEqual([
      [1, false],
      [7, true],
    ]);
    expect(await freshAdmin.status('DELETE', '/api/team/7/factors')).toBe(204);
    expect(await freshAdmin.status('DELETE', '/api/team/7/factors')).toBe(404);
    await desk.app.settled();
    expect(desk.mails.at(-1)).toMatchObject({ to: 'person7@maple.example' });
    expect(await factorsOf(marta)).toMatchObject({ has_pin: false, change_takes: 'code' });
    expect((await eventsOf(desk.accountId, 'factors.removed')).map(({ subjectId }) => subjectId)).toEqual(['7']);
  });
});

describe('a PIN', () => {
  it.each(['123456', '654321', '777777', '121212', '123123', '112233', '111222', '12345', '1234567', 'abcdef'])(
    'cannot be %s',
    async (pin) => {
      const desk = await staffDesk();
      await desk.hire(7, 'desk');
      const marta = await desk.open(7, 'code');
      const code = await factorCode(desk, marta);
      expect(await marta.status('PUT', '/api/session/pin', { pin, code })).toBe(422);
      expect(await marta.status('PUT', '/api/session/pin', { pin: PIN, code })).toBe(204);
    },
  );

  it('is never stored or emailed in plain text', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'code');
    const code = await factorCode(desk, marta);
    await marta.call('PUT', '/api/session/pin', { pin: PIN, code });
    await desk.app.settled();
    const tables = await env.DB.batch(
      ['pins', 'factor_codes', 'outbox', 'audit_events', 'sessions'].map((table) =>
        env.DB.prepare(`SELECT * FROM ${table}`),
      ),
    );
    const text = JSON.stringify([tables.map(({ results }) => results), desk.mails.at(-1)]);
    for (const secret of [PIN, code, code.replace(' ', '')]) expect(text).not.toContain(secret);
    expect(text).toContain('scrypt$');
  });
});

describe('adding a passkey', () => {
  it('rejects a missing, answered or foreign challenge and another origin', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    await desk.hire(8, 'desk');
    const [marta, ben] = [await desk.open(7, 'code'), await desk.open(8, 'code')];
    const [codes, key] = [[await factorCode(desk, marta), await factorCode(desk, ben)], await makeAuthenticator()];
    const body = (response: object, code: string | undefined) => ({ label: 'Desk', response, code });
    const options = await optionsOf(marta, '/api/session/passkeys/options');
    const response = await key.make(options);
    // The challenge cookie is the other person's, as if the response had been copied.
    await optionsOf(ben, '/api/session/passkeys/options');
    expect(await ben.status('POST', '/api/session/passkeys', body(response, codes[1]))).toBe(409);
    ben.jar.cookies.set('passkey-asked', marta.jar.cookies.get('passkey-asked') ?? '');
    expect(await ben.status('POST', '/api/session/passkeys', body(response, codes[1]))).toBe(409);
    const challengeCookie = marta.jar.cookies.get('passkey-asked') ?? '';
    expect(await marta.status('POST', '/api/session/passkeys', body(response, codes[0]))).toBe(201);
    marta.jar.cookies.set('passkey-asked', challengeCookie);
    expect(await marta.status('POST', '/api/session/passkeys', body(response, undefined))).toBe(409);
    const otherKey = await makeAuthenticator();
    const foreignResponse = await otherKey.make(await optionsOf(marta, '/api/session/passkeys/options'), {
      origin: 'https://evil.example',
    });
    expect(await marta.status('POST', '/api/session/passkeys', body(foreignResponse, undefined))).toBe(409);
    expect(await countFactors()).toBe(1);
    expect((await proveBy(marta, key)).status).toBe(204);
  });

  it('uses one user handle per person, so that an authenticator does not store two accounts', async () => {
    const desk = await staffDesk();
    await desk.hire(7, 'desk');
    const marta = await desk.open(7, 'code');
    const { key } = await addPasskey(marta, await factorCode(desk, marta));
    const { key: second } = await addPasskey(marta);
    const { results } = await env.DB.prepare('SELECT DISTINCT handle FROM staff_passkeys').all();
    expect(results).toHaveLength(1);
    const { excludeCredentials } = await optionsOf(marta, '/api/session/passkeys/options');
    expect(excludeCredentials?.map(({ id }) => id).sort()).toEqual([key.id, second.id].sort());
  });
});
