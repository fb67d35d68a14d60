import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eventOf, type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { transaction } from '#tests/support/unit/world';
import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { handleTransactionWebhook } from '#worker/domain/reconciliation/handle-transaction-webhook';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { runSchedule } from '../run-schedule.ts';
import { ABANDONED_CALL_MS, inquirePaymentStatus } from './inquire-status.ts';
import { settle } from './settle.ts';

const HOUR = 3_600_000;

const otherTransaction = (world: LedgerPair, overrides: Partial<GatewayTransaction>): GatewayTransaction => {
  const terminal = { accountId: world.accountId, terminalId: world.terminalId, sealedApiKey: '' };
  return transaction(
    { attemptId: '', dedupeKey: '', amountCents: 18_400, terminal },
    { id: `x${crypto.randomUUID()}`, createdAt: world.clock.now, ...overrides },
  );
};

/** A later attempt on the invoice of an earlier one. */
async function nextAttempt(world: LedgerPair, earlier: string, overrides: Partial<Attempt>): Promise<Attempt> {
  const id = `${earlier}-next`;
  const row = { ...(await world.read(earlier)), id, receiptId: id, nextCheckAt: null, needsHumanFrom: '', checks: 0 };
  await world.db.insert(paymentAttempts).values({ ...row, ...overrides });
  return world.read(id);
}

/** Makes the index by order id return `answer`, whatever the index by key returns. */
function answerByOrder(world: LedgerPair, answer: GatewayTransaction[]) {
  const { find } = world.gateway.script;
  world.gateway.script.find = (by) => ('attemptId' in by ? answer : find(by));
}

const inquire = async (world: LedgerPair, id: string) =>
  (await inquirePaymentStatus(world.deps, await world.read(id))).state;

/** Sends the gateway's webhook about a sale. */
const sendWebhook = (world: LedgerPair, { id, txn }: { id: string; txn: GatewayTransaction }) =>
  handleTransactionWebhook(world.deps, {
    method: 'card',
    providerTxnId: txn.id,
    attemptId: id,
    terminalId: world.terminalId,
    merchantNumber: '',
  });

/** An unknown sale that is held for half an hour from now. */
async function makeHeldSale(world: LedgerPair) {
  const sale = await world.sell({ state: 'unknown' });
  const holdUntil = world.clock.now + HOUR / 2;
  await world.db.update(paymentAttempts).set({ holdUntil }).where(eq(paymentAttempts.id, sale.id));
  return sale;
}

const decide = (world: LedgerPair, id: string, verdict: 'charged' | 'not-charged') =>
  resolvePayment(world.deps, world.merchant, id, { verdict, note: 'Called the provider' });

const alerts = (world: LedgerPair) => world.logs.filter((line) => line.startsWith('ALERT'));

describe('a payment in a final state', () => {
  it.each<Partial<Attempt>>([
    { state: 'refunded', method: 'card' },
    // A bank debit that is checked for a return but was voided in the provider's portal.
    { state: 'voided', method: 'ach' },
    { state: 'returned', method: 'ach' },
    { state: 'approved', method: 'card' },
  ])('has its leftover check time cleared without an inquiry: $state', async (row) => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    await world.db
      .update(paymentAttempts)
      .set({ ...row, nextCheckAt: world.clock.now })
      .where(eq(paymentAttempts.id, sale.id));
    let lookups = 0;
    world.gateway.script.find = () => {
      lookups++;
      return [];
    };
    await runSchedule(world.deps);
    expect(await world.read(sale.id)).toMatchObject({ ...row, nextCheckAt: null });
    expect(lookups).toBe(0);
  });
});

it('a status inquiry without an answer is logged once per check', async () => {
  const world = await makeLedgerPair();
  const sale = await world.sell({ state: 'unknown', isShown: false });
  const lines: unknown[] = [];
  world.deps.log = { ...world.deps.log, info: (event, fields) => void lines.push([event, fields]) };
  world.gateway.script.find = () => 'unavailable';
  await runSchedule(world.deps);
  await runSchedule(world.deps);
  const { clinic } = world.deps;
  const fields = { clinic, accountId: world.accountId, attemptId: sale.id, cause: 'the card provider does not answer' };
  const failures = () => lines.filter((line) => (line as string[])[0] === 'status-inquiry-failed');
  expect(failures()).toEqual([['status-inquiry-failed', fields]]);
  world.clock.now += HOUR;
  await runSchedule(world.deps);
  expect(failures()).toHaveLength(2);
});

describe('a payment in manual review', () => {
  it('is booked once when only one index shows its charge, however many inquiries run at once', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    answerByOrder(world, []);
    const attempt = await world.read(sale.id);
    await Promise.all([1, 2, 3].map(() => inquirePaymentStatus(world.deps, attempt)));
    expect(await world.state()).toMatchObject([{ state: 'approved', localStatus: 'paid', booked: ['payment 18400'] }]);
  });

  it('is booked by the next run once nothing contradicts it', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    const { find } = world.gateway.script;
    world.gateway.script.find = () => [otherTransaction(world, { attemptId: 'else', dedupeKey: sale.txn.dedupeKey })];
    expect(await inquire(world, sale.id)).toBe('needs_human');
    world.gateway.script.find = find;
    world.clock.now += 5000;
    await runSchedule(world.deps);
    expect(await world.read(sale.id)).toMatchObject({ state: 'approved', nextCheckAt: null });
  });

  it.each([
    ['a void', 'card', { isVoided: true }],
    ['the return of a debit', 'ach', { state: 'returned' }],
    ['another amount', 'card', { amountCents: 1 }],
    ['a refusal', 'card', { state: 'declined' }],
  ] as const)('stays in review when one of the indexes shows %s', async (_title, method, overrides) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human', method });
    answerByOrder(world, [{ ...sale.txn, ...overrides }]);
    expect(await inquire(world, sale.id)).toBe('needs_human');
    expect((await decide(world, sale.id, 'charged')).kind).toBe('contradicted');
  });

  it('stays in review when a webhook showed it as voided but the indexes do not yet', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    const { find } = world.gateway.script;
    world.gateway.script.find = (by) => ('providerTxnId' in by ? [{ ...sale.txn, isVoided: true }] : find(by));
    await sendWebhook(world, sale);
    expect((await world.read(sale.id)).state).toBe('needs_human');
  });

  it.each(['order id', 'key'])('stays in review when a refund without a payment has its %s', async (reference) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    const attemptId = reference === 'key' ? '' : sale.id;
    world.books.push(otherTransaction(world, { attemptId, dedupeKey: sale.txn.dedupeKey, kind: 'REFUND' }));
    expect(await inquire(world, sale.id)).toBe('needs_human');
  });

  it.each([
    ['card', 'ach', 'approved'],
    ['card', 'ach', 'pending'],
    ['card', 'ach', 'other'],
    ['ach', 'card', 'approved'],
  ] as const)(
    'stays in review as a %s payment while a %s payment has its key: %s',
    async (ownMethod, otherMethod, state) => {
      const world = await makeLedgerPair();
      const sale = await world.sell({ state: 'needs_human', method: ownMethod });
      const { find } = world.deps.gateway;
      let otherMethodAnswer: GatewayTransaction[] | 'unavailable' = 'unavailable';
      world.deps.gateway.find = async (...args) => (args[1] === otherMethod ? otherMethodAnswer : find(...args));
      expect(await inquire(world, sale.id)).toBe('needs_human');
      otherMethodAnswer = [{ ...sale.txn, id: 'elsewhere', attemptId: 'else', state }];
      world.clock.now += HOUR;
      expect(await inquire(world, sale.id)).toBe('needs_human');
      otherMethodAnswer = [];
      world.clock.now += HOUR;
      expect(await inquire(world, sale.id)).toBe('approved');
    },
  );

  it('stays in review while another order under its key is in an unknown state', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    const { find } = world.deps.gateway;
    const foreignCharge = { ...sale.txn, id: 'elsewhere', attemptId: 'else', state: 'other' as const };
    let foreignCharges = [foreignCharge];
    world.deps.gateway.find = async (...args) => {
      const response = await find(...args);
      return response === 'unavailable' || args[1] !== 'card' || !('dedupeKey' in args[2])
        ? response
        : [...response, ...foreignCharges];
    };
    expect(await inquire(world, sale.id)).toBe('needs_human');
    foreignCharges = [];
    world.clock.now += HOUR;
    expect(await inquire(world, sale.id)).toBe('approved');
  });

  it('is booked even if a charge of another order under its key was voided', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    world.books.push(otherTransaction(world, { attemptId: 'else', dedupeKey: sale.txn.dedupeKey, isVoided: true }));
    expect(await inquire(world, sale.id)).toBe('approved');
  });

  it('cannot be released while one answer contains its order id and the other omits it', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human', isShown: false });
    const txnWithoutOrderId = { ...sale.txn, attemptId: '' };
    world.gateway.script.find = (by) => ('attemptId' in by ? [sale.txn] : [txnWithoutOrderId]);
    expect((await decide(world, sale.id, 'not-charged')).kind).toBe('contradicted');
  });

  it('is not hidden by another transaction without an id', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human', isShown: false });
    const declinedTxn = otherTransaction(world, {
      id: '',
      attemptId: 'else',
      dedupeKey: sale.txn.dedupeKey,
      state: 'declined',
    });
    world.gateway.script.find = (by) => ('attemptId' in by ? [{ ...sale.txn, id: '' }] : [declinedTxn]);
    expect((await decide(world, sale.id, 'not-charged')).kind).toBe('contradicted');
    expect(await inquire(world, sale.id)).toBe('needs_human');
  });

  it('cannot be released while its charge may be on its way, and is checked once more after release', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown', isShown: false });
    const { holdUntil } = await nextAttempt(world, sale.id, {
      state: 'needs_human',
      holdUntil: world.clock.now + HOUR,
    });
    expect((await decide(world, `${sale.id}-next`, 'not-charged')).kind).toBe('contradicted');
    world.clock.now = holdUntil;
    expect((await decide(world, `${sale.id}-next`, 'not-charged')).kind).toBe('resolved');
    expect((await world.read(`${sale.id}-next`)).nextCheckAt).toBeGreaterThan(world.clock.now);
  });

  it('returns to review when its charge is seen while a person releases it', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    const { find } = world.gateway.script;
    const depsWithoutCharge = { ...world.deps, gateway: { ...world.deps.gateway, find: async () => [] } };
    world.deps.gateway.find = async (_terminal, _method, by) => {
      if ('dedupeKey' in by)
        await resolvePayment(depsWithoutCharge, world.merchant, sale.id, {
          verdict: 'not-charged',
          note: 'Called the provider',
        });
      return find(by);
    };
    expect(await inquire(world, sale.id)).toBe('needs_human');
    expect((await world.read(sale.id)).needsHumanFrom).toBe('not_charged');
    expect(alerts(world)).toEqual(['ALERT payment-needs-a-person']);
  });
});

describe('a payment under way', () => {
  it('is not queried while its answer may still arrive, then booked once its charge is seen', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    expect(await inquire(world, sale.id)).toBe('sent');
    expect((await world.read(sale.id)).checks).toBe(0);
    world.clock.now += ABANDONED_CALL_MS;
    expect(await inquire(world, sale.id)).toBe('approved');
  });

  it.each([
    ['nothing', []],
    ['a decline', [{ state: 'declined' }]],
    ['a void', [{ isVoided: true }]],
    ['another amount', [{ amountCents: 1 }]],
    ['two charges', [{}, { id: 'second' }]],
    ['an unknown state', [{ state: 'other' }]],
  ] as const)('is settled only by its own charge, not by %s', async (_title, response) => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'sent' });
    world.clock.now += ABANDONED_CALL_MS;
    world.gateway.script.find = () => response.map((overrides) => ({ ...sale.txn, ...overrides }));
    const previous = await world.read(sale.id);
    expect(await inquire(world, sale.id)).toBe('sent');
    expect(await world.read(sale.id)).toMatchObject({ nextCheckAt: previous.nextCheckAt, emptyChecks: 0 });
    world.gateway.script.find = () => [sale.txn];
    expect(await inquire(world, sale.id)).toBe('approved');
  });
});

describe('a decline found late', () => {
  it('hides why an address or security code check failed, like an immediate decline', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    world.gateway.script.find = () => [
      { ...sale.txn, state: 'declined', message: 'CVV mismatch', providerCode: '047' },
    ];
    expect(await inquire(world, sale.id)).toBe('declined');
    expect(await world.read(sale.id)).toMatchObject({ message: 'Your card was declined.', providerCode: '023' });
  });
});

describe('a status inquiry', () => {
  it.each(['unknown', 'needs_human'] as const)(
    'accepts a charge that a webhook shows before the indexes do: %s',
    async (state) => {
      const world = await makeLedgerPair();
      const sale = await world.sell({ state });
      const { find } = world.gateway.script;
      world.gateway.script.find = (by) => ('providerTxnId' in by ? find(by) : []);
      await handleTransactionWebhook(world.deps, eventOf(world, sale.txn));
      expect((await world.read(sale.id)).state).toBe('approved');
    },
  );

  it('sends an attempt with two charges, one in each index, to manual review', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    world.books.push({ ...sale.txn, id: `${sale.txn.id}-2` });
    answerByOrder(world, [sale.txn]);
    expect(await inquire(world, sale.id)).toBe('needs_human');
  });

  it('books nothing that was already voided', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    sale.txn.isVoided = true;
    expect(await inquire(world, sale.id)).toBe('needs_human');
    expect(await world.state()).toMatchObject([{ booked: [] }]);
  });

  it('sends an unknown gateway state to manual review after the hold, where staff may release it', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'unknown' });
    sale.txn.state = 'other';
    world.clock.now += HOUR;
    expect(await inquire(world, sale.id)).toBe('needs_human');
    expect((await decide(world, sale.id, 'not-charged')).kind).toBe('resolved');
  });

  it('does not count a payment as not charged once the gateway has shown it in an unknown state', async () => {
    const world = await makeLedgerPair();
    const sale = await makeHeldSale(world);
    world.gateway.script.find = (by) => ('providerTxnId' in by ? [{ ...sale.txn, state: 'other' }] : []);
    for (let check = 0; check < 4; check++) {
      world.clock.now += 10_000;
      expect(await inquire(world, sale.id)).toBe('unknown');
    }
    await sendWebhook(world, sale);
    world.clock.now += HOUR;
    expect(await inquire(world, sale.id)).toBe('needs_human');
  });

  it('does not count a payment as not charged if the gateway showed it during the lookup', async () => {
    const world = await makeLedgerPair();
    const sale = await makeHeldSale(world);
    world.gateway.script.find = () => [];
    for (let check = 0; check < 3; check++) {
      world.clock.now += 10_000;
      expect(await inquire(world, sale.id)).toBe('unknown');
    }
    const { holdUntil } = await world.read(sale.id);
    world.clock.now = holdUntil - 1_000;
    world.gateway.script.find = async () => {
      world.gateway.script.find = (by) => ('providerTxnId' in by ? [{ ...sale.txn, state: 'other' }] : []);
      await sendWebhook(world, sale);
      world.clock.now = holdUntil + 1_000;
      return [];
    };
    expect(await inquire(world, sale.id)).toBe('unknown');
    world.clock.now += HOUR;
    expect(await inquire(world, sale.id)).toBe('needs_human');
  });

  it('keeps the transaction id of an accepted bank debit, whatever else appears under its order id', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'pending', method: 'ach' });
    const { providerTxnId } = await world.read(sale.id);
    world.gateway.script.find = () => [{ ...sale.txn, id: 'another', state: 'other' }];
    world.clock.now += HOUR;
    await inquire(world, sale.id);
    expect(await world.read(sale.id)).toMatchObject({ state: 'pending', providerTxnId });
    expect(providerTxnId).toBe(sale.txn.id);
  });

  it('keeps a released payment released when the next one was charged', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'cancelled', isShown: false });
    const next = await nextAttempt(world, sale.id, { state: 'sent' });
    const txn = otherTransaction(world, { attemptId: next.id, dedupeKey: next.dedupeKey });
    world.books.push(txn);
    await settle(world.deps, next, { to: 'approved', from: ['sent'], at: world.clock.now, txn });
    world.clock.now += 25 * HOUR;
    expect(await inquire(world, sale.id)).toBe('cancelled');
    expect(alerts(world)).toEqual([]);
  });

  it('does not return a payment to review that was released after its charge was voided', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'needs_human' });
    sale.txn.isVoided = true;
    expect((await decide(world, sale.id, 'not-charged')).kind).toBe('resolved');
    world.clock.now += 25 * HOUR;
    expect(await inquire(world, sale.id)).toBe('not_charged');
    expect(alerts(world)).toEqual([]);
  });

  it('checks a released payment only once more if it was declined', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'cancelled' });
    sale.txn.state = 'declined';
    expect(await inquire(world, sale.id)).toBe('cancelled');
    expect((await world.read(sale.id)).nextCheckAt).toBeNull();
    expect(alerts(world)).toEqual([]);
  });

  it('raises no alert for a bank debit that is on its way', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell({ state: 'pending', method: 'ach' });
    expect(await inquire(world, sale.id)).toBe('pending');
    expect(alerts(world)).toEqual([]);
  });
});
