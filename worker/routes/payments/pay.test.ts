import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { payerFields } from '#tests/support/pay-form';
import { type Random, startRandom } from '#tests/support/random';
import { oneDatabase } from '#tests/support/unit/one-database';
import {
  approvedOutcome,
  declinedOutcome,
  freshId,
  lostOutcome,
  makeWorld,
  transaction,
  type World,
} from '#tests/support/unit/world';
import { createApp } from '#worker/app';
import { openDb } from '#worker/data/db';
import { paymentSwitch } from '#worker/data/schema/operators';
import { accounts, terminals } from '#worker/data/schema/schema';
import type { Env } from '#worker/deps';
import { CrmError } from '#worker/vendors/hubspot/port';

/** Sends one request through all routes, and waits for its background work. */
async function sendRequest({ deps }: World, path: string, init: RequestInit = {}): Promise<Response> {
  const app = createApp(() => deps);
  const context = createExecutionContext();
  const response = await app.fetch(new Request(`http://localhost:8787${path}`, init), env as unknown as Env, context);
  await waitOnExecutionContext(context);
  return response;
}
const postPayment = (world: World, body: BodyInit, headers: Record<string, string> = {}) =>
  sendRequest(world, `/api/invoices/takePaymentSDK/${world.payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `ip-${world.accountId}`, ...headers },
    body,
  });
const paymentForm = (): Record<string, unknown> => ({
  ...payerFields(),
  paymentDetails: { jwt: `jwt-${freshId()}` },
});
const statusOf = async (world: World) =>
  PaymentStatus.parse(await (await sendRequest(world, `/api/invoices/${world.payId}/payment`)).json());
/** Expects that the page and the payment are refused with this error, and that nothing was charged. */
async function expectRefused(world: World, error: { code: string; message: string }): Promise<Response[]> {
  const page = await sendRequest(world, `/api/invoices/${world.payId}`);
  expect([page.status, await page.json()]).toEqual([503, { error }]);
  const payment = await postPayment(world, JSON.stringify(paymentForm()));
  expect([payment.status, await payment.json()]).toEqual([503, expect.objectContaining({ status: 'fail', error })]);
  expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  return [page, payment];
}

describe('a paused pay page', () => {
  it('refuses the invoice and the payment, and reports that nothing was charged', async () => {
    const world = await makeWorld({ PAY_PAGE: 'paused' });
    const message = 'Online payment is paused. You have not been charged. Please ask the business how to pay.';
    await expectRefused(world, { code: 'paused', message });
  });

  it('refuses a payment after an operator paused all payments', async () => {
    const world = await makeWorld();
    const row = { id: 1, state: 'paused' as const, at: 1, operatorId: 'o1', reason: 'The gateway is down' };
    await world.deps.installation.insert(paymentSwitch).values(row);
    expect((await postPayment(world, JSON.stringify(paymentForm()))).status).toBe(503);
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  });
});

describe('the pay page of an account that is being closed', () => {
  it('refuses the invoice and the payment for good, and reports that nothing was charged', async () => {
    const world = await makeWorld();
    await world.db
      .update(accounts)
      .set({ closesAt: world.clock.now + 9e8 })
      .where(eq(accounts.accountId, world.accountId));
    const message =
      'This business no longer takes payments here. You have not been charged. Please contact the business.';
    const replies = await expectRefused(world, { code: 'closing', message });
    expect(replies.map(({ headers }) => headers.get('retry-after'))).toEqual([null, null]);
  });
});

describe('the pay call', () => {
  it('emails the receipt after responding', async () => {
    const world = await makeWorld();
    expect((await postPayment(world, JSON.stringify(paymentForm()))).status).toBe(200);
    expect(world.mails).toHaveLength(1);
  });

  it('emails the receipt after a lost gateway reply once a status call finds the payment', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    expect((await postPayment(world, JSON.stringify(paymentForm()))).status).toBe(202);
    const [request] = world.gateway.charges;
    if (!request) throw new Error('no charge');
    world.gateway.script.find = () => [transaction(request)];
    expect((await statusOf(world)).state).toBe('pending');
    expect(world.mails).toEqual([]);
    world.clock.now += 3000;
    // The status call answers at once and starts an inquiry, whose result the next call shows.
    expect((await statusOf(world)).state).toBe('pending');
    expect((await statusOf(world)).state).toBe('paid');
    expect(world.mails).toHaveLength(1);
    expect(await world.ledger()).toHaveLength(1);
  });

  it('limits gateway status inquiries, however often a page polls', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await postPayment(world, JSON.stringify(paymentForm()));
    let inquiries = 0;
    world.gateway.script.find = () => {
      inquiries++;
      return 'unavailable';
    };
    for (let n = 0; n < 30; n++) await statusOf(world);
    expect(inquiries).toBe(0);
    world.clock.now += 3000;
    for (let n = 0; n < 30; n++) await statusOf(world);
    expect(inquiries).toBe(1);
  });

  it('reports that nothing was charged when the signature cannot be saved', async () => {
    const world = await makeWorld();
    const failingPut = () => Promise.reject(new TypeError('R2 internal: bucket tillway-media at 10.0.0.1'));
    world.deps.media = { put: failingPut } as unknown as R2Bucket;
    const answer = await postPayment(world, JSON.stringify(paymentForm()));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    const { error } = await answer.json<{ error: { message: string } }>();
    expect(error.message).toBe('The payment could not be started. You have not been charged. Please try again.');
    expect(error.message).not.toMatch(/R2|10\.0/);
  });

  it('does not claim that nothing was charged when D1 fails', async () => {
    const world = await makeWorld();
    const batch = () => Promise.reject(new Error('D1_ERROR: no connection to 10.0.0.1'));
    const d1 = { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as D1Database;
    world.deps.clinics = oneDatabase(openDb(d1));
    const answer = await postPayment(world, JSON.stringify(paymentForm()));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({
      code: '503',
      status: 'fail',
      error: {
        code: 'internal',
        message: 'The payment could not be started. Please try again.',
      },
    });
  });

  it('returns 500 with the request id and without the cause on an unexpected error', async () => {
    const world = await makeWorld();
    world.deps.sha256 = () => Promise.reject(new TypeError('no digest at 10.0.0.1'));
    const answer = await postPayment(world, JSON.stringify(paymentForm()));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.json()).toEqual({
      error: { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
    });
    expect(world.gateway.charges).toEqual([]);
  });
});

describe('the public invoice call without a confirmed amount', () => {
  it.each([
    ['open', {}],
    ['too much to be paid online', { balanceCents: 9_000_000 }],
    ['paid according to the CRM', { status: 'paid' }],
  ])('returns 503 with Retry-After for an old snapshot that is %s while the CRM is down', async (_case, change) => {
    const world = await makeWorld();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, ...change };
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    await sendRequest(world, `/api/invoices/${world.payId}`);
    world.deps.crm.getInvoice = () => Promise.reject(new CrmError('unavailable', 'down'));
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    const answer = await sendRequest(world, `/api/invoices/${world.payId}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'crm-unavailable',
        message: 'We cannot confirm the amount right now. You have not been charged.',
      },
    });
  });

  it('returns 503 when the clinic has no card terminal', async () => {
    const world = await makeWorld();
    await world.db.delete(terminals).where(eq(terminals.accountId, world.accountId));
    const answer = await sendRequest(world, `/api/invoices/${world.payId}`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'gateway-unavailable' } }]);
  });
});

/** Odd values that forms, scanners and broken clients send, as JSON. */
const ODD_VALUES: readonly unknown[] = [
  '[null, true, false, 0, -1, 0.1, 9007199254740993, "", " ", "null", "NaN", "1e309", "%00", "=1+1", "1970-01-01"]',
  '["\\u0000", "\\r\\n", "\\u202e", "\\ud800", "\\u200b", "İ", "李", "👩‍👩‍👧", "../../etc/passwd", "{{7*7}}"]',
  '["\' OR 1=1--", "<img onerror=alert(1)>", "{\\"$gt\\":\\"\\"}", "data:image/png;base64,", "data:image/png;base64,AAAA"]',
  '[[], {}, [[]], [null], {"jwt": null}, {"jwt": ""}, {"jwt": ["a"]}, {"toString": 1}, {"length": 1000000000}]',
]
  .flatMap((text) => JSON.parse(text) as unknown[])
  .concat('x'.repeat(5000), 'a'.repeat(100), '1'.repeat(400), { jwt: 'x'.repeat(5000) }, Number.POSITIVE_INFINITY);
const KEYS =
  'signature firstName lastName address address2 city state zip paymentDetails paymentType attemptId amountShown ' +
  'amount status __proto__ constructor toString hasOwnProperty then';

function randomBody(random: Random): BodyInit {
  const body: Record<string, unknown> = paymentForm();
  for (let n = random.below(4); n > 0; n--) {
    const key = random.pick(KEYS.split(' '));
    if (random.chance(0.3)) delete body[key];
    else
      Object.defineProperty(body, key, {
        value: random.pick(ODD_VALUES),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  const text = JSON.stringify(body);
  if (random.chance(0.06)) return text.slice(0, random.below(text.length));
  if (random.chance(0.04)) return JSON.stringify(random.pick(ODD_VALUES)) ?? '';
  if (random.chance(0.04)) return Uint8Array.from({ length: random.below(300) }, () => random.below(256));
  if (random.chance(0.04))
    return text.replace(random.pick([/"/, /:/, /,/, /[a-z]/]), random.pick(['', '\0', '{', '\\u', '"']));
  if (random.chance(0.02)) return `${'['.repeat(50_000)}`;
  return text;
}

const TYPES = ['text/plain', '', 'application/jsonp', 'multipart/form-data'];
const randomType = (random: Random): Record<string, string> =>
  random.chance(0.03) ? { 'content-type': random.pick(TYPES) } : {};

type Envelope = { code?: string; status?: string; payload?: { payloadType?: string }; error?: { message?: string } };

function expectEnvelope(httpStatus: number, { code, status, payload, error }: Envelope, note: string) {
  expect(code, note).toBe(String(httpStatus));
  expect(status, note).toBe(httpStatus === 200 ? 'success' : httpStatus === 202 ? 'pending' : 'fail');
  expect(payload?.payloadType, note).toMatch(/^(transaction|pending|error)$/);
  if (httpStatus !== 200) expect(error?.message, note).toMatch(/^[A-Z].{5,120}/);
}

describe('a pay call with a random body', () => {
  it('never causes a 5xx, two charges or money without a ledger row', async () => {
    const { seed, isFull, random } = startRandom();
    const worlds = isFull ? 100 : 4;
    const statuses = new Map<number, number>();
    // Adds worlds until chance has produced each kind of response.
    const hasEachStatus = () => [400, 402, 415, 422].every((status) => (statuses.get(status) ?? 0) > 5);
    for (let n = 0; n < worlds || (!hasEachStatus() && n < 4 * worlds); n++) {
      const world = await makeWorld({
        DECLINES_PER_LINK_HOUR: 100_000,
        DECLINES_PER_IP_HOUR: 100_000,
        BREAKER_MIN_ATTEMPTS: 1e6,
      });
      const outcomes = random.pick([
        [declinedOutcome],
        [declinedOutcome, () => lostOutcome],
        [declinedOutcome, declinedOutcome, declinedOutcome, approvedOutcome],
      ]);
      world.gateway.script.charge = (request) => random.pick(outcomes)(request);
      for (let sent = 0; sent < 200; sent += 20) {
        const requests = Array.from({ length: 20 }, () => ({ body: randomBody(random), headers: randomType(random) }));
        const answers = await Promise.all(requests.map(({ body, headers }) => postPayment(world, body, headers)));
        for (const answer of answers) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const note = `seed ${seed}, world ${n}, bodies from ${sent} on: ${answer.status}`;
          expect(answer.status, note).toBeLessThan(500);
          expectEnvelope(answer.status, await answer.json<Envelope>(), note);
        }
      }
      const states = (await world.attempts()).map(({ state }) => state);
      expect(
        states.filter((state) => state === 'approved' || state === 'unknown').length,
        `seed ${seed}`,
      ).toBeLessThanOrEqual(1);
      expect(await world.ledger(), `seed ${seed}`).toHaveLength(states.filter((state) => state === 'approved').length);
    }
    expect(hasEachStatus(), `seed ${seed}: ${JSON.stringify([...statuses])}`).toBe(true);
  }, 1_800_000);
});

describe('a bank payment', () => {
  it.each([
    [{ 'account-type': 'Savings' }, 'Savings'],
    [{ 'account-type': 'Piggy' }, undefined],
    [{}, undefined],
  ])('sends the gateway the account type from the provider’s frame: %j', async (details, accountType) => {
    const world = await makeWorld();
    const body = { ...paymentForm(), paymentType: 'ach', paymentDetails: { jwt: `jwt-${freshId()}`, ...details } };
    expect((await postPayment(world, JSON.stringify(body))).status).toBe(200);
    expect(world.gateway.charges).toMatchObject([{ method: 'ach', accountType }]);
  });
});
