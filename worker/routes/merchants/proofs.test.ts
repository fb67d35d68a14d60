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
const NO_REFUND_LIMIT = { refund_limit: null };
const stepUpRoutes = everyRoute
  .filter(({ route }) => route.stepUp)
  .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, '99')] as const);

/** Calls a route that requires a proof, with a valid body. Returns the status: 200, or 403 without a proof. */
const callProtected = (browser: Browser) => browser.status('PUT', '/api/team/refund-limit', NO_REFUND_LIMIT);
const proofWays = async (browser: Browser) => {
  const answer = await browser.call('PUT', '/api/team/refund-limit', NO_REFUND_LIMIT);
  expect(answer.status).toBe(403);
  return StepUp.parse(await answer.json()).ways;
};
const setPin = async (desk: StaffDesk, browser: Browser, pin = PIN) =>
  expect(await browser.status('PUT', '/api/session/pin', { pin, code: await factorCode(desk, browser) })).toBe(204);

/** A second administrator with a passkey and a PIN, in a session whose proof has expired. */
async function withStaleProof() {
  const desk = await staffDesk();
  await desk.hire(7, 'admin');
  const marta = await desk.open(7, 'code');
  await setPin(desk, marta);
  const { key } = await addPasskey(marta);
  await desk.pass(15 * MINUTE);
  return { desk, marta, key };
}

describe('the step-up requirement', () => {
  it('covers exactly the routes for refunds, invoice footers, rights, archives, personal data and account closing', () => {
    expect(stepUpRoutes.map(([method, path]) => `${method} ${path}`).sort()).toEqual([
      'DELETE /api/team/99',
      'DELETE /api/team/99/factors',
      'DELETE /api/team/99/sessions',
      'GET /api/account/archive/99/parts/99',
      'PATCH /api/team/99',
      'POST /api/account/archive',
      'POST /api/approvals/99',
      'POST /api/customers/99/data/erasure',
      'POST /api/customers/99/data/export',
      'POST /api/payments/99/reversals',
      'POST /api/support-view',
      'POST /api/team/invitations',
      'PUT /api/account/closing',
      'PUT /api/team/refund-limit',
      'PUT /api/team/second-person',
      'PUT /api/token/footer-text',
    ]);
  });

  it('returns 403 with the accepted kinds of proof before any other check, and records no refusal', async () => {
    const { desk, marta } = await withStaleProof();
    for (const [method, path] of stepUpRoutes) {
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
    const { desk, marta, key } = await withStaleProof();
    for (const prove of [() => proveBy(marta, key), () => provePin(marta, PIN)]) {
      expect(await proofWays(marta)).toEqual(['passkey', 'pin']);
      expect((await prove()).status).toBe(204);
      expect(await callProtected(marta)).toBe(200);
      await desk.pass(15 * MINUTE - 1000);
      expect(await callProtected(marta)).toBe(200);
      await desk.pass(1000);
    }
    expect(await proofWays(marta)).toEqual(['passkey', 'pin']);
    const events = await eventsOf(desk.accountId, 'session.proved');
    expect(events.map(({ actorId, after }) => [actorId, after])).toEqual([
      ['7', '{"by":"passkey"}'],
      ['7', '{"by":"pin"}'],
    ]);
  });

  it('is met for 15 minutes after a login by emailed code or passkey', async () => {
    const { desk } = await withStaleProof();
    for (const beganBy of ['code', 'passkey'] as const) {
      const browser = await desk.open(7, beganBy);
      expect(await callProtected(browser)).toBe(200);
      await desk.pass(15 * MINUTE);
      expect(await proofWays(browser)).toEqual(['passkey', 'pin']);
    }
  });

  it('is met for 15 minutes after a CRM login of a person without a passkey or PIN', async () => {
    const desk = await staffDesk();
    expect(await callProtected(desk.admin)).toBe(200);
    await desk.pass(15 * MINUTE);
    expect(await proofWays(desk.admin)).toEqual(['login']);
    await desk.hire(7, 'admin');
    expect(await proofWays(desk.admin)).toEqual(['login', 'admin']);
    const newSession = desk.browser((await logIn(desk.app, 0)).jar);
    expect(await callProtected(newSession)).toBe(200);
  });

  it('is not met by a CRM login alone once the person has a passkey or PIN', async () => {
    const desk = await staffDesk();
    await setPin(desk, desk.admin);
    const newSession = desk.browser((await logIn(desk.app, 0)).jar);
    expect(await proofWays(newSession)).toEqual(['pin']);
    expect((await provePin(newSession, PIN)).status).toBe(204);
    expect(await callProtected(newSession)).toBe(200);
  });
});

describe('a step-up proof', () => {
  it('is valid only in its own session', async () => {
    const { desk, marta, key } = await withStaleProof();
    const otherBrowser = desk.browser((await logIn(desk.app, 0)).jar);
    await setPin(desk, otherBrowser, '314159');
    await desk.pass(15 * MINUTE);
    const second = await desk.open(7, 'crm');
    await proveBy(marta, key);
    expect([await callProtected(marta), await callProtected(second), await callProtected(otherBrowser)]).toEqual([
      200, 403, 403,
    ]);
  });

  /** Routes that accept a passkey response; each accepts only responses to its own challenges. */
  type Target = 'login' | 'proof' | 'new passkey';
  const sendResponse = (browser: Browser, target: Target, response: object): Promise<number> => {
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
    const { desk, marta, key } = await withStaleProof();
    await desk.hire(8, 'admin');
    const ben = await desk.open(8, 'code');
    const { key: bensKey } = await addPasskey(ben, await factorCode(desk, ben));
    const otherSession = await desk.open(7, 'passkey');
    await proveBy(marta, key);
    const previousSessions = JSON.stringify((await env.DB.prepare('SELECT id, user_id FROM sessions').all()).results);
    const challengeCookieOf = (browser: Browser) => browser.jar.cookies.get('passkey-asked') ?? '';
    let attempts = 0;
    const acceptedAttempts: string[] = [];
    const expectRefused = async (
      description: string,
      browser: Browser,
      cookie: string,
      target: Target,
      response: object,
    ) => {
      browser.jar.cookies.set('passkey-asked', cookie);
      const status = await sendResponse(browser, target, response);
      attempts += 1;
      if (status < 400) acceptedAttempts.push(`${description} → ${target}: ${status}`);
    };
    const signers: [string, Authenticator][] = [
      ['own', key],
      ['Ben’s', bensKey],
    ];
    for (const from of targets)
      for (const [signerLabel, signer] of signers)
        for (const [sessionLabel, browser] of [
          ['the session of the challenge', marta],
          ['another session of hers', otherSession],
          ['another person’s session', ben],
        ] as const)
          for (const target of targets) {
            const options = await optionsOf(marta, OPTIONS[from]);
            // A login challenge belongs to no user yet, so signers log in as themselves.
            const isLegitimate = from === target && (from === 'login' || (signerLabel === 'own' && browser === marta));
            if (isLegitimate) continue;
            const response = from === 'new passkey' ? await signer.make(options) : await signer.show(options);
            // A login needs no session, so it is tried in a browser without one.
            const sender = target === 'login' ? desk.browser() : browser;
            await expectRefused(
              `${signerLabel} for ${from} in ${sessionLabel}`,
              sender,
              challengeCookieOf(marta),
              target,
              response,
            );
          }
    // An accepted response is replayed.
    const signedResponse = await key.show(await optionsOf(marta, OPTIONS.proof));
    const cookie = challengeCookieOf(marta);
    expect(await sendResponse(marta, 'proof', signedResponse)).toBe(204);
    for (const target of targets)
      for (const browser of [marta, otherSession, ben])
        await expectRefused('replayed', browser, cookie, target, signedResponse);
    expect(acceptedAttempts).toEqual([]);
    expect(attempts).toBeGreaterThan(50);
    expect(JSON.stringify((await env.DB.prepare('SELECT id, user_id FROM sessions').all()).results)).toBe(
      previousSessions,
    );
    expect(await env.DB.prepare('SELECT count(*) AS n FROM staff_passkeys').first('n')).toBe(2);
  });

  it('is rejected with another person’s PIN, or an emailed code instead of the PIN', async () => {
    const { desk, marta } = await withStaleProof();
    await desk.hire(8, 'admin');
    const ben = await desk.open(8, 'code');
    await setPin(desk, ben, '161803');
    expect((await provePin(marta, '161803')).status).toBe(422);
    const code = (await factorCode(desk, marta)).replace(' ', '');
    expect((await provePin(marta, code)).status).toBe(422);
    expect((await provePin(marta, code.slice(0, 6))).status).toBe(422);
    expect(await callProtected(marta)).toBe(403);
  });

  it('counts once when many copies of one response arrive at once', async () => {
    const { desk, marta, key } = await withStaleProof();
    const response = await key.show(await optionsOf(marta, OPTIONS.proof));
    const cookie = marta.jar.cookies.get('passkey-asked') ?? '';
    const copies = Array.from({ length: 6 }, () => {
      const copiedBrowser = desk.browser();
      for (const [name, value] of marta.jar.cookies) copiedBrowser.jar.cookies.set(name, value);
      copiedBrowser.jar.cookies.set('passkey-asked', cookie);
      return copiedBrowser;
    });
    const statuses = await Promise.all(copies.map((copy) => sendResponse(copy, 'proof', response)));
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  });
});
