import { describe, expect, it } from 'vitest';
import { StepUp } from '#shared/contracts/staff/proof';
import { readAllRows } from '#tests/support/unit/all-rows';
import { bodies } from '#tests/support/unit/staff-bodies';
import {
  addPasskey,
  type Browser,
  factorCode,
  MINUTE,
  optionsOf,
  proveBy,
  provePin,
  staffDesk,
} from '#tests/support/unit/staff-desk';
import { everyRoute } from '#worker/areas/every-route';

const protectedCalls = everyRoute.flatMap(({ name, method, path, route }) =>
  route.stepUp ? [{ row: name, method, path: path.replaceAll(/:\w+/g, '7') }] : [],
);
const PINS = { marta: '271828', ben: '161803' };

/** Two administrators, each with a passkey and a PIN. Marta's proof is 15 minutes old, and Ben's is fresh. */
async function makeTwoAdmins() {
  const desk = await staffDesk();
  await desk.hire(7, 'admin');
  await desk.hire(8, 'admin');
  const openWithFactors = async (userId: number, pin: string) => {
    const browser = await desk.open(userId, 'code');
    expect(await browser.status('PUT', '/api/session/pin', { pin, code: await factorCode(desk, browser) })).toBe(204);
    const { key } = await addPasskey(browser);
    await desk.app.settled();
    return { browser, key };
  };
  const marta = await openWithFactors(7, PINS.marta);
  const ben = await openWithFactors(8, PINS.ben);
  const acceptedResponse = await marta.key.show(await optionsOf(marta.browser, '/api/session/proof/options'));
  const cookie = marta.browser.jar.cookies.get('passkey-asked') ?? '';
  const sendAcceptedResponse = () =>
    marta.browser.status('POST', '/api/session/proof', { kind: 'passkey', response: acceptedResponse });
  expect(await sendAcceptedResponse()).toBe(204);
  await desk.pass(15 * MINUTE);
  expect((await proveBy(ben.browser, ben.key)).status).toBe(204);
  /** Replays the accepted response, with its cookie. */
  const replay = () => {
    marta.browser.jar.cookies.set('passkey-asked', cookie);
    return sendAcceptedResponse();
  };
  return { desk, marta, ben, replay };
}

const callRoute = (browser: Browser, { row, method, path }: (typeof protectedCalls)[number]) =>
  browser.call(method, path, method === 'GET' ? undefined : (bodies[row] ?? {}));

type World = Awaited<ReturnType<typeof makeTwoAdmins>>;
const proofOf = async ({ marta }: World, optionsPath: string, key: World['marta']['key']) => {
  const options = await optionsOf(marta.browser, optionsPath);
  const response = await key.show(options);
  return marta.browser.status('POST', '/api/session/proof', { kind: 'passkey', response });
};

/** Ways in which Marta tries to pass without a fresh proof of her own. Each returns the status of a refusal. */
const bypassAttempts: Record<string, (world: World) => Promise<number>> = {
  'no attempt': async () => 403,
  'another person’s proof in their own session': async ({ ben }) => {
    expect((await proveBy(ben.browser, ben.key)).status).toBe(204);
    return 403;
  },
  'another person’s passkey': (world) => proofOf(world, '/api/session/proof/options', world.ben.key),
  'another person’s PIN': async ({ marta }) => (await provePin(marta.browser, PINS.ben)).status,
  'her own earlier response, replayed': ({ replay }) => replay(),
  'her response to a login challenge': (world) => proofOf(world, '/api/session/passkey/options', world.marta.key),
  'her response to a challenge of another of her sessions': async ({ desk, marta }) => {
    const otherBrowser = await desk.open(7, 'crm');
    const response = await marta.key.show(await optionsOf(otherBrowser, '/api/session/proof/options'));
    marta.browser.jar.cookies.set('passkey-asked', otherBrowser.jar.cookies.get('passkey-asked') ?? '');
    return marta.browser.status('POST', '/api/session/proof', { kind: 'passkey', response });
  },
};

describe('every step-up route', () => {
  it.each(Object.keys(bypassAttempts))('returns step-up-needed and writes nothing after %s', async (attempt) => {
    const world = await makeTwoAdmins();
    expect(await bypassAttempts[attempt]?.(world), attempt).toBeGreaterThanOrEqual(400);
    const previousRows = await readAllRows();
    for (const act of protectedCalls) {
      const answer = await callRoute(world.marta.browser, act);
      const body = (await answer.json()) as { error: { code: string } };
      expect([act.row, answer.status, body.error.code]).toEqual([act.row, 403, 'step-up-needed']);
      expect(StepUp.parse(body).ways).toEqual(['passkey', 'pin']);
    }
    expect(await readAllRows()).toBe(previousRows);
    expect(protectedCalls.length).toBeGreaterThan(12);
  });

  it.each(protectedCalls)('passes the step-up check only after a proof: $row', async (act) => {
    const { marta } = await makeTwoAdmins();
    expect((await callRoute(marta.browser, act)).status).toBe(403);
    expect((await proveBy(marta.browser, marta.key)).status).toBe(204);
    expect((await callRoute(marta.browser, act)).status).not.toBe(403);
  });
});
