import { beforeEach, describe, expect, it } from 'vitest';
import { batch } from '#tests/support/unit/press-close';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { type Answer, depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { ReversalOutcome, TerminalRef } from '#worker/vendors/gateway-port';
import { type ReversalRequest, reversePayment } from './refund.ts';

const DAY = 86_400_000;
const PAID_AT = NOW - 2 * DAY;

beforeEach(async () => {
  await addClinic({ time_zone: 'UTC' }, 't1');
  const paymentColumns = { terminal_id: 't1', provider_txn_id: 'txn-p1', dedupe_key: 'k', created_at: PAID_AT };
  await addPayment('p1', { ...paymentColumns, refunded_cents: 1_000 });
  await addEntry('p1', { at: PAID_AT });
});

type World = {
  outcome?: ReversalOutcome;
  status?: 'open' | 'closed';
  payment?: Answer;
  isListed?: boolean;
  settings?: Record<string, number>;
  database?: typeof db;
  /** True for terminals whose keys the gateway refuses. */
  isClosed?: (terminal: TerminalRef) => boolean;
  /** Runs between the check of the payment and its claim. */
  beforeClaim?: () => Promise<unknown>;
};
const approvedOutcome = (overrides: Parameters<typeof refundOf>[0] = {}): ReversalOutcome => ({
  kind: 'approved',
  txn: refundOf(overrides),
  exchangeId: 'x1',
});
const payment = (overrides: Parameters<typeof refundOf>[0] = {}) => [
  refundOf({ id: 'txn-p1', kind: 'SALE', batchId: '7', ...overrides }),
];

/** Refunds 30.00 at a gateway that responds as in `world`. `sent`: the gateway calls, each with our row at the time. */
async function reverse(request: Partial<ReversalRequest> = {}, world: World = {}) {
  const { outcome = approvedOutcome(), status = 'closed', isListed = true, database = db } = world;
  const { deps, logs } = depsWithGateway((by) =>
    'providerTxnId' in by ? (world.payment ?? payment()) : 'unavailable',
  );
  const sent: Record<string, unknown>[] = [];
  const call = async (request: object) => {
    const [row] = await rowsOf("SELECT * FROM reversals WHERE state = 'sent'");
    sent.push({ ...request, row });
    return outcome;
  };
  const levels: unknown[] = [];
  const listBatches = async (terminal: TerminalRef, { level }: { level?: string }) => {
    await world.beforeClaim?.();
    levels.push(level);
    return isListed && !world.isClosed?.(terminal) ? [batch('6', 'pending'), batch('7', status)] : 'unavailable';
  };
  const find: typeof deps.gateway.find = async (terminal, ...args) =>
    world.isClosed?.(terminal) ? 'unavailable' : deps.gateway.find(terminal, ...args);
  const gateway = { ...deps.gateway, find, listBatches, voidTransaction: call, refund: call };
  const settings = { ...deps.settings, HOLD_MS: 50_000, ...world.settings };
  const merchant = { sessionId: '', accountId: ACCOUNT, userId: 3, role: 'admin' } as const;
  const body = { kind: 'refund', amountCents: 3_000, reason: 'Cancelled', requestKey: 'form-1', ...request } as const;
  const worldDeps = { ...deps, db: database, gateway, settings } as unknown as Deps;
  const answer = await reversePayment(worldDeps, merchant, 'p1', body as ReversalRequest);
  return { answer, sent, logs, levels };
}
const voidRequest = { kind: 'void', amountCents: null } as const;
const refusedOutcome = (reason: 'already-reversed' | 'other'): ReversalOutcome => ({
  kind: 'refused',
  reason,
  message: 'No.',
  providerCode: '025',
  exchangeId: 'x1',
});

describe('the reversal request to the gateway', () => {
  it('is a refund of the amount, under a key with the payment and the number of the refund', async () => {
    await add('reversals', { id: 'r0', attempt_id: 'p1', request_key: 'r0', kind: 'refund', state: 'approved' });
    await add('reversals', { id: 'r9', attempt_id: 'p1', request_key: 'r9', kind: 'refund', state: 'refused' });
    const { sent } = await reverse();
    expect(sent).toMatchObject([{ providerTxnId: 'txn-p1', amountCents: 3_000, dedupeKey: 'k-txn-p1-r2' }]);
    const row = { amount_cents: 3_000, requested_by: 3, request_key: 'form-1', reason: 'Cancelled', created_at: NOW };
    expect(sent[0]?.row).toMatchObject({ ...row, hold_until: NOW + 50_000, next_check_at: NOW + 15_000 });
  });

  it('is held for three call timeouts when that is longer', async () => {
    const { sent } = await reverse({}, { settings: { HOLD_MS: 29_999 } });
    expect(sent[0]?.row).toMatchObject({ hold_until: NOW + 30_000 });
  });

  it('is a void of the whole remaining amount while the batch is open', async () => {
    await rowsOf('UPDATE payment_attempts SET refunded_cents = 0');
    const { sent } = await reverse(voidRequest, { status: 'open' });
    expect(sent).toMatchObject([{ providerTxnId: 'txn-p1', row: { kind: 'void', amount_cents: 10_000 } }]);
    expect(sent[0]).not.toHaveProperty('amountCents');
  });

  it.each<[number | null, unknown]>([
    [0, { kind: 'bad-amount', leftCents: 9_000 }],
    [null, { kind: 'bad-amount', leftCents: 9_000 }],
    [9_001, { kind: 'bad-amount', leftCents: 9_000 }],
    [1, { kind: 'reversal' }],
    [9_000, { kind: 'reversal' }],
  ])('may have any amount up to the remaining amount: %s', async (amountCents, answer) => {
    expect((await reverse({ amountCents })).answer).toMatchObject(answer as object);
  });

  it.each<[string, World, unknown]>([
    [
      'it shows the payment as voided',
      { payment: payment({ isVoided: true }) },
      { why: 'The card provider shows this payment as voided.' },
    ],
    ['it does not show the payment', { payment: [] }, { why: expect.stringContaining('does not show its batch') }],
    [
      'it shows the payment in a batch that it does not list',
      { payment: payment({ batchId: '5' }) },
      { why: expect.stringContaining('does not show its batch') },
    ],
    ['it does not answer', { payment: 'unavailable' }, { kind: 'unavailable' }],
    ['it does not list the batches', { isListed: false }, { kind: 'unavailable' }],
  ])('is not sent to the gateway when %s', async (_title, world, answer) => {
    const result = await reverse({}, world);
    expect([result.answer, result.sent]).toMatchObject([answer, []]);
  });

  it('is not sent through a missing terminal', async () => {
    await rowsOf('DELETE FROM terminals');
    expect((await reverse()).answer).toMatchObject({
      kind: 'not-offered',
      why: expect.stringContaining('does not show its batch'),
    });
  });
});

describe('a payment of a terminal closed by the provider', () => {
  beforeEach(() => add('terminals', { terminal_id: 't2' }));

  it('is refunded through another terminal whose key shows the payment and its batch', async () => {
    const { answer, sent, levels } = await reverse({}, { isClosed: ({ terminalId }) => terminalId === 't1' });
    expect(answer).toMatchObject({ kind: 'reversal', reversal: { state: 'approved' } });
    expect(sent).toMatchObject([{ terminal: { terminalId: 't2' } }]);
    expect(levels).toEqual([undefined, 'merchant', 'merchant']);
  });

  it('is not refunded while no terminal gets an answer', async () => {
    const { answer, sent } = await reverse({}, { isClosed: () => true });
    expect([answer, sent]).toEqual([{ kind: 'unavailable' }, []]);
  });

  it('is refunded through another terminal at the next request if its key is refused only for the refund', async () => {
    const outcome: ReversalOutcome = { kind: 'rejected', reason: 'credentials', message: 'No.', providerCode: '042' };
    await reverse({}, { outcome });
    expect((await reverse({ requestKey: 'form-2' })).sent).toMatchObject([{ terminal: { terminalId: 't2' } }]);
  });
});

describe('the gateway’s answer to a reversal', () => {
  it('is booked on the day of the refund, with its batch', async () => {
    const { answer, logs } = await reverse();
    const row = { state: 'approved', providerTxnId: 'g1', batchId: '8', exchangeId: 'x1', settledAt: NOW };
    expect(answer).toMatchObject({ kind: 'reversal', reversal: row });
    expect(await rowsOf("SELECT at, amount_cents FROM ledger WHERE kind = 'refund'")).toEqual([
      { at: NOW - DAY, amount_cents: -3_000 },
    ]);
    const settledFields = { reversalId: expect.any(String), kind: 'refund', amount: '30.00', to: 'approved' };
    expect(logs).toEqual([['reversal-settled', settledFields]]);
  });

  it('is booked at the current time for a void, since the answer may show the payment', async () => {
    await rowsOf('UPDATE payment_attempts SET refunded_cents = 0');
    await reverse(voidRequest, { status: 'open', outcome: approvedOutcome({ kind: 'VOID' }) });
    expect(await rowsOf("SELECT at FROM ledger WHERE kind = 'void'")).toEqual([{ at: NOW }]);
  });

  it.each<[string, ReversalOutcome, boolean]>([
    ['refused', refusedOutcome('other'), false],
    ['refused as already reversed', refusedOutcome('already-reversed'), false],
    [
      'rejected',
      { kind: 'rejected', reason: 'validation', message: 'No.', providerCode: '025' } as ReversalOutcome,
      false,
    ],
    [
      'rejected because of our key',
      { kind: 'rejected', reason: 'credentials', message: 'No.', providerCode: '025' } as ReversalOutcome,
      true,
    ],
  ])('is reported when the refund was %s', async (_title, outcome, isAlert) => {
    const { answer, logs } = await reverse({}, { outcome });
    expect(answer).toMatchObject({ reversal: { state: 'refused', message: 'No.', providerCode: '025' } });
    const alerts = logs.filter(([event]) => event.startsWith('ALERT'));
    const alert = ['ALERT gateway-refused-our-credentials', { accountId: ACCOUNT, terminalId: 't1' }];
    expect(alerts).toEqual(isAlert ? [alert] : []);
  });

  it.each<[string, Partial<ReversalRequest>, ReversalOutcome, string]>([
    ['is lost', {}, { kind: 'unknown', cause: 'T'.repeat(201), exchangeId: 'x1' }, 'T'.repeat(200)],
    ['reports that the payment was already voided', voidRequest, refusedOutcome('already-reversed'), 'No.'],
  ])('is looked up when it %s', async (_title, request, outcome, message) => {
    await rowsOf('UPDATE payment_attempts SET refunded_cents = 0');
    const { answer } = await reverse(request, { outcome, status: request.kind === 'void' ? 'open' : 'closed' });
    const row = { state: 'unknown', message, exchangeId: 'x1', nextCheckAt: NOW + 2_000, checks: 1 };
    expect(answer).toMatchObject({ kind: 'reversal', reversal: row });
  });

  it('is left to the schedule after two failed writes to our books', async () => {
    let writes = 0;
    const sendBatch: typeof db.batch = (statements) => {
      if (++writes > 2) throw new Error('D1_ERROR: reset');
      return db.batch(statements);
    };
    const database = Object.assign(Object.create(db), {
      batch: async (statements: never) => sendBatch(statements),
    }) as typeof db;
    const { answer, logs } = await reverse({}, { database });
    expect([answer, writes]).toMatchObject([{ reversal: { state: 'sent' } }, 4]);
    expect(logs).toMatchObject([
      ['reversal-not-recorded', { to: 'approved', cause: expect.stringContaining('reset') }],
    ]);
  });
});

describe('another person who refunds the payment at the same time', () => {
  const addOtherRefund = (requestKey: string, state: string) => () =>
    add('reversals', { id: 'r0', attempt_id: 'p1', request_key: requestKey, kind: 'refund', state });

  it.each<[string, () => Promise<unknown>, unknown]>([
    [
      'is still refunding it',
      addOtherRefund('form-2', 'sent'),
      { kind: 'not-offered', why: expect.stringContaining('Someone else') },
    ],
    ['has submitted the same form', addOtherRefund('form-1', 'approved'), { kind: 'reversal', reversal: { id: 'r0' } }],
    [
      'has refunded a part of it',
      () => rowsOf('UPDATE payment_attempts SET refunded_cents = 1001'),
      { why: expect.stringContaining('refunded since') },
    ],
  ])('%s', async (_title, changeBooks, answer) => {
    const result = await reverse({}, { beforeClaim: changeBooks });
    expect([result.answer, result.sent]).toMatchObject([answer, []]);
  });
});
