import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { StoredTransaction } from '#worker/data/reconciliation/gateway-transactions';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { applyState } from './apply.ts';

const DAY = 86_400_000;
const PAID_AT = NOW - 2 * DAY;

beforeEach(() => addClinic({ time_zone: 'UTC' }, 't1'));

/** A payment of 100.00 in our ledger. */
async function addBookedPayment(id: string, payment: Record<string, unknown> = {}, method: 'card' | 'ach' = 'card') {
  const paymentColumns = {
    terminal_id: 't1',
    provider_txn_id: `txn-${id}`,
    created_at: PAID_AT,
    hold_until: 1,
    dedupe_key: id,
  };
  await addPayment(id, { ...paymentColumns, method, ...payment });
  await addEntry(id, { at: PAID_AT, method });
}
const addReversal = (id: string, overrides: Record<string, unknown> = {}) =>
  add('reversals', {
    id,
    attempt_id: 'p1',
    request_key: id,
    kind: 'refund',
    amount_cents: 3_000,
    dedupe_key: 'k1',
    hold_until: NOW,
    ...overrides,
  });

/** A refund of 30.00 that the gateway shows and our ledger lacks. */
const rowOf = (overrides: Partial<StoredTransaction> = {}): StoredTransaction => ({
  accountId: ACCOUNT,
  providerTxnId: 'g1',
  method: 'card',
  terminalId: 't1',
  batchId: '8',
  kind: 'REFUND',
  state: 'approved',
  isVoided: false,
  amountCents: 3_000,
  netAmountCents: -3_000,
  orderId: '',
  parentId: 'txn-p1',
  dedupeKey: '',
  card: '',
  payer: '',
  at: NOW - DAY,
  seenAt: NOW,
  verdict: 'only-gateway',
  isAwaited: false,
  isOfOurs: true,
  ...overrides,
});
const saleOf = (overrides: Partial<StoredTransaction> = {}) =>
  rowOf({
    kind: 'SALE',
    providerTxnId: 'txn-p1',
    parentId: '',
    amountCents: 10_000,
    netAmountCents: 0,
    verdict: 'amount-differs',
    isVoided: true,
    isOfOurs: false,
    ...overrides,
  });

async function apply(row: StoredTransaction, reported: GatewayTransaction[] = []) {
  const { deps, logs, requests } = depsWithGateway(reported);
  const isAttempted = await applyState(deps, row, reported);
  return { wasAttempted: isAttempted, logs, requests, reversals: await rowsOf('SELECT * FROM reversals ORDER BY id') };
}

describe('a refund made in the provider’s portal', () => {
  const expected = {
    kind: 'refund',
    state: 'approved',
    amount_cents: 3_000,
    provider_txn_id: 'g1',
    batch_id: '8',
    requested_by: 0,
  };

  it('is booked once, like a refund of ours', async () => {
    await addBookedPayment('p1');
    const { wasAttempted, logs, reversals } = await apply(rowOf());
    const id = `elsewhere-${ACCOUNT}-g1`;
    expect(wasAttempted).toBe(true);
    expect(reversals).toMatchObject([
      { ...expected, id, dedupe_key: id, request_key: id, created_at: NOW, hold_until: NOW },
    ]);
    expect(logs).toContainEqual(['reversal-made-elsewhere', { attemptId: 'p1', kind: 'refund', txnId: 'g1' }]);
    expect((await apply(rowOf())).wasAttempted).toBe(false);
  });

  it('gets a separate id for a bank debit', async () => {
    await addBookedPayment('p1', {}, 'ach');
    expect((await apply(rowOf({ method: 'ach' }))).reversals).toMatchObject([{ id: `elsewhere-${ACCOUNT}-ach-g1` }]);
  });

  it.each<[string, Partial<StoredTransaction>]>([
    ['agrees with our books', { verdict: 'matched' }],
    ['is not decided', { netAmountCents: null }],
    ['differs, and is not decided', { verdict: 'amount-differs', netAmountCents: null }],
    ['belongs to no payment of ours', { isOfOurs: false }],
    ['names a payment that we do not have', { parentId: 'x' }],
  ])('is ignored when it %s', async (_title, overrides) => {
    await addBookedPayment('p1');
    const { wasAttempted, reversals } = await apply(rowOf(overrides));
    expect([wasAttempted, reversals]).toEqual([false, []]);
  });

  it('is ignored when less remains of the payment', async () => {
    await addBookedPayment('p1', { refunded_cents: 7_001 });
    const { wasAttempted, logs } = await apply(rowOf());
    expect([wasAttempted, logs]).toEqual([false, []]);
  });
});

describe('a refund with the order id of a refund of ours', () => {
  const sameOrder = (overrides: Partial<StoredTransaction> = {}) => rowOf({ orderId: 'r1', ...overrides });

  it.each(['unknown', 'needs_human'])('is matched to that refund while it is %s', async (state) => {
    await addBookedPayment('p1');
    await addReversal('r1', { state });
    const { wasAttempted, reversals } = await apply(sameOrder(), [refundOf()]);
    expect(wasAttempted).toBe(true);
    expect(reversals).toMatchObject([{ id: 'r1', state: state === 'unknown' ? 'approved' : state }]);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['ours has another number', { state: 'approved', provider_txn_id: 'g0' }, 2],
    ['ours has the same number', { state: 'approved', provider_txn_id: 'g1' }, 1],
    ['ours belongs to another payment', { state: 'refused', attempt_id: 'p2' }, 2],
  ])('counts as a second refund unless ours has the same number: %s', async (_title, reversal, count) => {
    await addBookedPayment('p1');
    await addBookedPayment('p2');
    await addReversal('r1', reversal);
    const { wasAttempted, reversals } = await apply(sameOrder());
    expect([wasAttempted, reversals.length]).toEqual([true, count]);
  });
});

it('corrects a refund whose amount has changed', async () => {
  await addBookedPayment('p1');
  await addReversal('r1', { state: 'approved', provider_txn_id: 'g1' });
  await addEntry('p1', { provider_txn_id: 'g1', kind: 'refund', amount_cents: -3_000 });
  const { wasAttempted, reversals } = await apply(rowOf({ verdict: 'amount-differs', netAmountCents: -2_000 }));
  expect([wasAttempted, reversals]).toMatchObject([true, [{ id: 'r1', amount_cents: 2_000 }]]);
});

describe('a payment voided in the provider’s portal', () => {
  it('is booked as a void of the remaining amount', async () => {
    await addBookedPayment('p1', { refunded_cents: 1_000 });
    const { wasAttempted, reversals, logs } = await apply(saleOf());
    const expected = {
      kind: 'void',
      id: 'txn-p1-void',
      amount_cents: 9_000,
      provider_txn_id: 'txn-p1',
      state: 'approved',
    };
    expect([wasAttempted, reversals]).toMatchObject([true, [expected]]);
    expect(logs).toContainEqual(['reversal-made-elsewhere', { attemptId: 'p1', kind: 'void', txnId: 'txn-p1' }]);
  });

  it.each<[string, Partial<StoredTransaction>, Record<string, unknown>]>([
    ['agrees with our books', { verdict: 'matched' }, {}],
    ['still moves money', { netAmountCents: 10_000 }, {}],
    ['is not voided', { isVoided: false }, {}],
    ['is a returned card payment', { isVoided: false, state: 'returned' }, {}],
    ['was already voided here', {}, { state: 'voided' }],
    ['is not in our ledger', { providerTxnId: 'x' }, {}],
  ])('is ignored when it %s', async (_title, overrides, payment) => {
    await addBookedPayment('p1', payment);
    const { wasAttempted, reversals, requests } = await apply(saleOf(overrides));
    expect([wasAttempted, reversals, requests]).toEqual([false, [], []]);
  });
});

describe('a payment whose own transaction is listed', () => {
  const charge = refundOf({
    id: 'txn-p1',
    attemptId: 'p1',
    kind: 'SALE',
    amountCents: 10_000,
    dedupeKey: 'p1',
    createdAt: PAID_AT,
  });
  const awaitedRow = (overrides: Partial<StoredTransaction> = {}) =>
    saleOf({
      isVoided: false,
      netAmountCents: 10_000,
      verdict: 'only-gateway',
      orderId: 'p1',
      isAwaited: true,
      ...overrides,
    });
  const undecidedColumns = {
    terminal_id: 't1',
    created_at: PAID_AT,
    hold_until: 1,
    dedupe_key: 'p1',
    time_zone: 'UTC',
  };

  it.each<[string, string, Partial<StoredTransaction>, [boolean, string]]>([
    ['is settled by it if it is undecided', 'unknown', {}, [true, 'approved']],
    ['goes to manual review if it was declined', 'declined', {}, [true, 'needs_human']],
    ['is unchanged if it was voided', 'voided', {}, [true, 'voided']],
    ['is unchanged if it was declined and the two agree', 'declined', { verdict: 'none' }, [false, 'declined']],
    ['is unchanged if no attempt awaits it', 'unknown', { isAwaited: false }, [false, 'unknown']],
  ])('%s', async (_title, state, overrides, expected) => {
    await addPayment('p1', { ...undecidedColumns, state });
    const { wasAttempted } = await apply(awaitedRow(overrides), [charge]);
    const [row] = await rowsOf('SELECT state FROM payment_attempts');
    expect([wasAttempted, row?.state]).toEqual(expected);
  });

  it.each(['returned', 'declined'] as const)('is looked up when a bank debit was %s', async (state) => {
    await addBookedPayment('p1', {}, 'ach');
    const { wasAttempted, requests } = await apply(saleOf({ method: 'ach', isVoided: false, state, kind: 'DEBIT' }));
    expect([wasAttempted, requests.length > 0]).toEqual([true, true]);
  });
});

it('counts a failed step as not attempted and logs it', async () => {
  await addBookedPayment('p1');
  const { deps, logs } = depsWithGateway([]);
  const batch = async () => {
    throw new Error('D1_ERROR: reset');
  };
  const failingDeps: Deps = { ...deps, db: Object.assign(Object.create(db), { batch }) };
  expect(await applyState(failingDeps, rowOf(), [])).toBe(false);
  const fields = { accountId: ACCOUNT, txnId: 'g1', cause: expect.stringContaining('reset') };
  expect(logs).toEqual([['reconciliation-step-failed', fields]]);
});
