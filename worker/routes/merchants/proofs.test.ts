import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { StepUp } from '#shared/contracts/staff/proof';
import { logIn } from '#tests/support/login';
import type { Authenticator } from '#tests/support/operator/authenticator';
import {
  addPasskey,
  type Browser,
  factorCode,
  MINUTE,
  optionsOf,
  proveBy,
  provePin,
  type StaffDesk,
  staffDesk,
} from '#tests/support/unit/staff-desk';
import { eventsOf } from '#tests/support/unit/trail';
import { everyRoute } from '#worker/areas/every-route';

const PIN = '271828';
const LIMIT = { refund_limit: null };
const proved = everyRoute
  .filter(({ route }) => route.stepUp)
  .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, '99')] as const);

/** An act that takes a proof, done with a valid body: 200, or 403 without one. */
const act = (browser: Browser) => browser.status('PUT', '/api/team/refund-limit', LIMIT);
const waysFor = async (browser: Browser) => {
  const answer = await browser.call('PUT', '/api/team/refund-limit', LIMIT);
  expect(answer.status).toBe(403);
  return StepUp.parse(await answer.json()).ways;
};
const setPin = async (desk: StaffDesk, browser: Browser, pin = PIN) =>
  expect(await browser.status('PUT', '/api/session/pin', { pin, code: await factorCode(desk, browser) })).toBe(204);

/** An administrator beside the first one, with a passkey and a PIN, in a session that was proved a while ago. */
async function stale() {
  const desk = await staffDesk();
  await desk.hire(7, 'admin');
  const marta = await desk.open(7, 'code');
  await setPin(desk, marta);
  const { key } = await addPasskey(marta);
  await desk.pass(15 * MINUTE);
  return { desk, marta, key };
}

describe('the step-up requirement', () => {
  it('covers exactly the routes for refunds, invoice footers, rights, archives and account closing', () => {
    expect(proved.map(([method, path]) => `${method} ${path}`).sort()).toEqual([
      'DELETE /api/team/99',
      'DELETE /api/team/99/factors',
      'DELETE /api/team/99/sessions',
      'GET /api/account/archive/99/parts/99',
      'PATCH /api/team/99',
      'POST /api/account/archive',
      'POST /api/approvals/99',
      'POST /api/payments/99/reversals',
      'POST /api/support-view',
      'POST /api/team/invitations',
      'PUT /api/account/closing',
      'PUT /api/team/refund-limit',
      'PUT /api/team/second-person',
      'PUT /api/token/footer-text',
    ]);
  });

  it('returns 403 with the possible ways before any other check, and records no refusal', async () => {
    const { desk, marta } = await stale();
    for (const [method, path] of proved) {
      const answer = await marta.call(method, path, method === 'GET' ? undefined : {});
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        { error: { code: 'step-up-needed' }, ways: ['passkey', 'pin'] },
      ]);
    }
    expect(await env.DB.prepare('SELECT count(*) AS n FROM audit_refusals').first('n')).toBe(0);
    expect(await eventsOf(desk.accountId, 'refund-limit.changed')).toEqual([]);
  });

  it('is met for 15 minutes after a passkey or PIN check, whatever the session’s age', async () => {
    const { desk, marta, key } = await stale();
    for (const prove of [() => proveBy(marta, key), () => provePin(marta, PIN)]) {
      expect(await waysFor(marta)).toEqual(['passkey', 'pin']);
      expect((await prove()).status).toBe(204);
      expect(await act(marta)).toBe(200);
      await desk.pass(15 * MINUTE - 1000);
      expect(await act(marta)).toBe(200);
      await desk.pass(1000);
    }
    expect(await waysFor(marta)).toEqual(['passkey', 'pin']);
    const events = await eventsOf(desk.accountId, 'session.proved');
    expect(events.map(({ actorId, after }) => [actorId, after])).toEqual([
      ['7', '{"by":"passkey"}'],
      ['7', '{"by":"pin"}'],
    ]);
  });

  it('is met for 15 minutes after a login by mailed code or passkey', async () => {
    const { desk } = await stale();
    for (const beganBy of ['code', 'passkey'] as const) {
      const browser = await desk.open(7, beganBy);
      expect(await act(browser)).toBe(200);
      await desk.pass(15 * MINUTE);
      expect(await waysFor(browser)).toEqual(['passkey', 'pin']);
    }
  });

  it('is met for 15 minutes after a CRM login of a person without a passkey or PIN', async () => {
    const desk = await staffDesk();
    expect(await act(desk.admin)).toBe(200);
    await desk.pass(15 * MINUTE);
    expect(await waysFor(desk.admin)).toEqual(['login']);
    await desk.hire(7, 'admin');
    expect(await waysFor(desk.admin)).toEqual(['login', 'admin']);
    const again = desk.browser((await logIn(desk.app, 0)).jar);
    expect(await act(again)).toBe(200);
  });

  it('is not met by a CRM login alone once the person has a passkey or PIN', async () => {
    const desk = await staffDesk();
    await setPin(desk, desk.admin);
    const again = desk.browser((await logIn(desk.app, 0)).jar);
    expect(await waysFor(again)).toEqual(['pin']);
    expect((await provePin(again, PIN)).status).toBe(204);
    expect(await act(again)).toBe(200);
  });
});

describe('a step-up proof', () => {
  it('is valid only in its own session', async () => {
    const { desk, marta, key } = await stale();
    const elsewhere = desk.browser((await logIn(desk.app, 0)).jar);
    await setPin(desk, elsewhere, '314159');
    await desk.pass(15 * MINUTE);
    const second = await desk.open(7, 'crm');
    await proveBy(marta, key);
    expect([await act(marta), await act(second), await act(elsewhere)]).toEqual([200, 403, 403]);
  });

  /** Where an answer of a passkey may be sent; each takes its own alone. */
  type Target = 'login' | 'proof' | 'new passkey';
  const send = (browser: Browser, target: Target, response: object): Promise<number> => {
    if (target === 'login') return browser.status('POST', '/api/session/passkey', { response });
    if (target === 'proof') return browser.status('POST', '/api/session/proof', { kind: 'passkey', response });
    return browser.status('POST', '/api/session/passkeys', { label: 'x', response });
  };
  const OPTIONS: Record<Target, string> = {
    login: '/api/session/passkey/options',
    proof: '/api/session/proof/options',
    'new passkey': '/api/session/passkeys/options',
  };
  const targets: Target[] = ['login', 'proof', 'new passkey'];

  it('is rejected when replayed or used by another person, in another session or for another purpose', async () => {
    const { desk, marta, key } = await stale();
    await desk.hire(8, 'admin');
    const ben = await desk.open(8, 'code');
    const { key: bensKey } = await addPasskey(ben, await factorCode(desk, ben));
    const elsewhere = await desk.open(7, 'passkey');
    await proveBy(marta, key);
    const before = JSON.stringify((await env.DB.prepare('SELECT id, user_id FROM sessions').all()).results);
    const asked = (browser: Browser) => browser.jar.cookies.get('passkey-asked') ?? '';
    let tried = 0;
    const accepted: string[] = [];
    const expectRefused = async (what: string, browser: Browser, cookie: string, target: Target, response: object) => {
      browser.jar.cookies.set('passkey-asked', cookie);
      const status = await send(browser, target, response);
      tried += 1;
      if (status < 400) accepted.push(`${what} → ${target}: ${status}`);
    };
    const signers: [string, Authenticator][] = [
      ['own', key],
      ['Ben’s', bensKey],
    ];
    for (const from of targets)
      for (const [whose, signer] of signers)
        for (const [where, browser] of [
          ['the session that asked', marta],
          ['another session of hers', elsewhere],
          ['another person’s session', ben],
        ] as const)
          for (const target of targets) {
            const options = await optionsOf(marta, OPTIONS[from]);
            // A challenge of a login is nobody’s yet: whoever answers it logs in as themselves.
            const isMeant = from === target && (from === 'login' || (whose === 'own' && browser === marta));
            if (isMeant) continue;
            const response = from === 'new passkey' ? await signer.make(options) : await signer.show(options);
            // A login is of nobody's session, so it is tried in a browser without one.
            const sender = target === 'login' ? desk.browser() : browser;
            await expectRefused(`${whose} for ${from} in ${where}`, sender, asked(marta), target, response);
          }
    // Each one that was accepted once, again.
    const shown = await key.show(await optionsOf(marta, OPTIONS.proof));
    const cookie = asked(marta);
    expect(await send(marta, 'proof', shown)).toBe(204);
    for (const target of targets)
      for (const browser of [marta, elsewhere, ben]) await expectRefused('replayed', browser, cookie, target, shown);
    expect(accepted).toEqual([]);
    expect(tried).toBeGreaterThan(50);
    expect(JSON.stringify((await env.DB.prepare('SELECT id, user_id FROM sessions').all()).results)).toBe(before);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM staff_passkeys').first('n')).toBe(2);
  });

  it('is rejected with another person’s PIN or a mailed code in place of the PIN', async () => {
    const { desk, marta } = await stale();
    await desk.hire(8, 'admin');
    const ben = await desk.open(8, 'code');
    await setPin(desk, ben, '161803');
    expect((await provePin(marta, '161803')).status).toBe(422);
    const code = (await factorCode(desk, marta)).replace(' ', '');
    expect((await provePin(marta, code)).status).toBe(422);
    expect((await provePin(marta, code.slice(0, 6))).status).toBe(422);
    expect(await act(marta)).toBe(403);
  });

  it('counts once when many copies of one answer arrive at once', async () => {
    const { desk, marta, key } = await stale();
    const response = await key.show(await optionsOf(marta, OPTIONS.proof));
    const cookie = marta.jar.cookies.get('passkey-asked') ?? '';
    const copies = Array.from({ length: 6 }, () => {
      const copy = desk.browser();
      for (const [name, value] of marta.jar.cookies) copy.jar.cookies.set(name, value);
      copy.jar.cookies.set('passkey-asked', cookie);
      return copy;
    });
    const statuses = await Promise.all(copies.map((copy) => send(copy, 'proof', response)));
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  });
});
