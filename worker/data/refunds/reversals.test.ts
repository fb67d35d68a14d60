import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  add,
  addClinic,
  addEntry,
  addPayment,
  db,
  eventOf,
  readAuditActions,
  rowsOf,
} from '#tests/support/unit/rows';
import { type Reversal, reversalStates } from '#worker/data/schema/refunds';
import type { ReversalLimit } from './allowance.ts';
import {
  claimReversal,
  claimReversalCheck,
  findReversal,
  findReversiblePayment,
  LIVE_REVERSAL_STATES,
  listDueReversals,
  type ReturnedMoney,
  type ReversalSettlement,
  recordEmptyCheck,
  writeReversal,
} from './reversals.ts';

beforeEach(async () => {
  await addClinic({ refund_limit_cents: 4_000 });
  await addPayment('p1');
  await addPayment('p2');
});

const addReversal = (id: string, overrides: Record<string, unknown> = {}) =>
  add('reversals', { id, attempt_id: 'p1', request_key: id, kind: 'refund', amount_cents: 3_000, ...overrides });
const readReversal = async (id = 'r1'): Promise<Reversal> => {
  const stored = await findReversal(db, id);
  if (!stored) throw new Error('not stored');
  return stored;
};
const readPayments = () => rowsOf('SELECT id, state, refunded_cents FROM payment_attempts ORDER BY id');

describe('claiming a reversal', () => {
  const claim = (overrides: Record<string, unknown> = {}, refundedCents = 0, limit: ReversalLimit | null = null) =>
    claimReversal(
      db,
      {
        id: 'r1',
        accountId: ACCOUNT,
        attemptId: 'p1',
        invoiceId: 'p1',
        kind: 'refund',
        amountCents: 3_000,
        dedupeKey: 'r1',
        requestKey: 'r1',
        reason: '',
        requestedBy: 1,
        holdUntil: 1,
        createdAt: 5,
        ...overrides,
      },
      { refundedCents },
      eventOf('reversal.claimed'),
      limit,
    );

  it('succeeds once with one event, and returns the payment’s other reversals newest first', async () => {
    await addReversal('r2', { state: 'refused', created_at: 2 });
    await addReversal('r3', { state: 'refused', created_at: 3 });
    await addReversal('r4', { state: 'refused', attempt_id: 'p2' });
    const { claimed, others } = await claim();
    expect(claimed).toMatchObject({ id: 'r1', state: 'sent', amountCents: 3_000, checks: 0 });
    expect(others.map(({ id }) => id)).toEqual(['r3', 'r2']);
    expect((await claim()).claimed).toBeUndefined();
    expect((await claim({ id: 'r9', requestKey: 'r9' })).others.map(({ id }) => id)).toEqual(['r1', 'r3', 'r2']);
    expect(await readAuditActions()).toEqual(['reversal.claimed']);
  });

  it.each([
    ['has had a refund since it was read', { refunded_cents: 500 }, 400, 100, false],
    ['is unchanged since it was read', { refunded_cents: 500 }, 500, 100, true],
    ['was returned', { state: 'returned' }, 0, 100, false],
    ['has exactly that amount left', { refunded_cents: 500 }, 500, 9_500, true],
    ['has less left', { refunded_cents: 500 }, 500, 9_501, false],
  ])(
    'succeeds only if the payment is unchanged and enough of it remains: a payment that %s',
    async (_title, payment, refundedCents, amountCents, isClaimed) => {
      await addPayment('p3', payment);
      const { claimed } = await claim({ attemptId: 'p3', amountCents }, refundedCents);
      expect(claimed !== undefined).toBe(isClaimed);
    },
  );

  it.each(reversalStates)('fails only while another reversal of the payment is under way: %s', async (state) => {
    await addReversal('r2', { state });
    expect((await claim()).claimed === undefined).toBe(LIVE_REVERSAL_STATES.includes(state));
  });

  it('fails above the requester’s limit', async () => {
    const limit = { accountId: ACCOUNT, userId: 1, since: 0, now: 1, request: null };
    expect((await claim({ amountCents: 4_001 }, 0, limit)).claimed).toBeUndefined();
    expect((await claim({ amountCents: 4_000 }, 0, limit)).claimed).toBeDefined();
  });
});

describe('changing the state of a reversal', () => {
  const decision = {
    id: 'd1',
    accountId: ACCOUNT,
    reversalId: 'r1',
    verdict: 'happened',
    note: '',
    resolvedBy: 1,
    at: 9,
  };
  const makeReturnedMoney = (
    when: ReturnedMoney['payment']['when'],
    cents: number,
    overrides: Partial<ReturnedMoney> = {},
  ): ReturnedMoney => ({
    ledgerEntry: {
      accountId: ACCOUNT,
      providerTxnId: 'g1',
      attemptId: 'p1',
      invoiceId: 'p1',
      kind: 'refund',
      amountCents: -cents,
      currency: 'USD',
      channel: 'link',
      method: 'card',
      brand: 'VISA',
      at: 9,
      day: '1970-01-01',
    },
    payment: when === 'at-once' ? { state: 'voided', when, refundedCents: 0 } : { state: 'refunded', when },
    receipt: { id: 'm1', kind: 'receipt', recipient: 'a@x.example', attemptId: 'p1', nextTryAt: 9, createdAt: 9 },
    ...overrides,
  });
  const changeState = async (overrides: Partial<ReversalSettlement> = {}, reversal?: Reversal) =>
    writeReversal(db, reversal ?? (await readReversal()), eventOf('reversal.moved'), {
      to: 'approved',
      from: ['sent'],
      columns: { providerTxnId: 'g1' },
      ...overrides,
    });
  const countRows = async () =>
    (
      await rowsOf(`SELECT (SELECT count(*) FROM ledger WHERE provider_txn_id = 'g1') AS entries,
      (SELECT count(*) FROM outbox) AS mails, (SELECT count(*) FROM reversal_resolutions) AS decisions`)
    )[0];

  beforeEach(async () => {
    await addReversal('r1');
    await addReversal('r2', { attempt_id: 'p2', state: 'unknown' });
  });

  it('succeeds once from an allowed state, and saves the previous one in the event', async () => {
    expect(await changeState()).toMatchObject({
      moved: true,
      reversal: { id: 'r1', state: 'approved', providerTxnId: 'g1' },
    });
    expect(await changeState()).toMatchObject({ moved: false, reversal: { state: 'approved' } });
    expect(await readReversal('r2')).toMatchObject({ state: 'unknown' });
    expect(await rowsOf('SELECT action, before FROM audit_events')).toEqual([
      { action: 'reversal.moved', before: '{"state":"sent"}' },
    ]);
    expect(await countRows()).toEqual({ entries: 0, mails: 0, decisions: 0 });
  });

  it('saves a manual decision only if the state changes', async () => {
    await changeState({ decision: decision as never, from: ['unknown'] });
    expect(await countRows()).toEqual({ entries: 0, mails: 0, decisions: 0 });
    await changeState({ decision: decision as never });
    expect(await countRows()).toEqual({ entries: 0, mails: 0, decisions: 1 });
  });

  it.each([
    ['a partial refund leaves it approved', 'nothing-left', 9_999, 'approved'],
    ['a full refund makes it refunded', 'nothing-left', 10_000, 'refunded'],
    ['a void makes it voided at once', 'at-once', 500, 'voided'],
  ] as const)('records the returned amount of the payment: %s', async (_title, when, cents, state) => {
    await addEntry('p1');
    await addEntry('p2', { kind: 'refund', amount_cents: -700 });
    await changeState({ returnedMoney: makeReturnedMoney(when, cents), decision: decision as never });
    expect(await readPayments()).toEqual([
      { id: 'p1', state, refunded_cents: cents },
      { id: 'p2', state: 'approved', refunded_cents: 0 },
    ]);
    expect(await countRows()).toEqual({ entries: 1, mails: 1, decisions: 1 });
  });

  it.each([
    ['that is unchanged', 500, true],
    ['with another refund in the meantime', 400, false],
  ])(
    'records a void only if the refunded amount is unchanged: a payment %s',
    async (_title, refundedCents, isBooked) => {
      await addPayment('p3', { refunded_cents: 500 });
      await addReversal('r3', { attempt_id: 'p3', kind: 'void' });
      const { ledgerEntry } = makeReturnedMoney('at-once', 9_500);
      const payment = { state: 'voided', when: 'at-once', refundedCents } as const;
      const remainder = makeReturnedMoney('at-once', 9_500, {
        payment,
        ledgerEntry: { ...ledgerEntry, kind: 'void', attemptId: 'p3' },
      });
      expect(await changeState({ returnedMoney: remainder }, await readReversal('r3'))).toMatchObject({
        moved: isBooked,
      });
      expect(await countRows()).toMatchObject({ entries: Number(isBooked) });
      expect(await readAuditActions()).toHaveLength(Number(isBooked));
    },
  );

  it('adds the amount to earlier refunds and voids, and queues no receipt when none is due', async () => {
    await addEntry('p1', { provider_txn_id: 'g0', kind: 'refund', amount_cents: -1_000 });
    await addEntry('p1', { provider_txn_id: 'v0', kind: 'void', amount_cents: -200 });
    await addEntry('p1', { provider_txn_id: 'b0', kind: 'return', amount_cents: -30 });
    await changeState({ returnedMoney: makeReturnedMoney('nothing-left', 500, { receipt: null }) });
    expect(await readPayments()).toMatchObject([{ state: 'approved', refunded_cents: 1_700 }, {}]);
    expect(await countRows()).toMatchObject({ entries: 1, mails: 0 });
  });

  it('leaves the state of a payment that is not approved unchanged', async () => {
    await addPayment('p3', { state: 'voided' });
    await addReversal('r3', { attempt_id: 'p3' });
    const { ledgerEntry } = makeReturnedMoney('nothing-left', 10_000);
    const lateRefund = makeReturnedMoney('nothing-left', 10_000, { ledgerEntry: { ...ledgerEntry, attemptId: 'p3' } });
    await changeState({ returnedMoney: lateRefund }, await readReversal('r3'));
    expect(await readPayments()).toMatchObject([{}, {}, { id: 'p3', state: 'voided', refunded_cents: 10_000 }]);
  });

  it.each([
    ['under another number', { provider_txn_id: 'g0' }],
    ['of another payment', { provider_txn_id: 'g1', attempt_id: 'p2', method: 'ach' }],
  ])('records nothing if the state does not change, even if there is an entry %s', async (_title, entry) => {
    await addEntry('p1', { kind: 'refund', amount_cents: -700, ...entry });
    await addEntry('p1', { provider_txn_id: 'g2', kind: 'refund', amount_cents: -1 });
    await changeState({ from: ['unknown'], returnedMoney: makeReturnedMoney('at-once', 500) });
    expect(await readPayments()).toMatchObject([{ state: 'approved', refunded_cents: 0 }, { refunded_cents: 0 }]);
    expect(await countRows()).toMatchObject({ mails: 0 });
    expect(await readAuditActions()).toEqual([]);
  });
});

describe('querying reversals', () => {
  it('finds a payment with its reversals, newest first', async () => {
    await addReversal('r1', { state: 'refused', created_at: 1 });
    await addReversal('r2', { state: 'refused', created_at: 2 });
    await addReversal('r3', { attempt_id: 'p2' });
    const stored = await findReversiblePayment(db, ACCOUNT, 'p1');
    expect([stored?.attempt.id, stored?.reversals.map(({ id }) => id)]).toEqual(['p1', ['r2', 'r1']]);
    expect(await findReversiblePayment(db, ACCOUNT, 'p9')).toBeNull();
    expect(await findReversal(db, 'r9')).toBeUndefined();
  });

  it('lists due reversals with their payments, longest due first, up to a limit', async () => {
    await addReversal('r1', { next_check_at: 100 });
    await addReversal('r2', { next_check_at: 99, attempt_id: 'p2' });
    await addReversal('r3', { next_check_at: 101, state: 'refused' });
    await addReversal('r4', { state: 'refused' });
    const listDue = async (limit: number) =>
      (await listDueReversals(db, 100, limit)).map(({ reversal, attempt }) => [reversal.id, attempt.id]);
    expect(await listDue(9)).toEqual([
      ['r2', 'p2'],
      ['r1', 'p1'],
    ]);
    expect(await listDue(1)).toEqual([['r2', 'p2']]);
  });

  it('claims the next inquiry once, for a reversal unchanged since it was read', async () => {
    await addReversal('r1', { checks: 3 });
    await addReversal('r2', { attempt_id: 'p2', checks: 3 });
    const [before, other] = [await readReversal(), await readReversal('r2')];
    expect(await claimReversalCheck(db, { ...before, state: 'unknown' }, 50)).toBe(false);
    expect(await claimReversalCheck(db, before, 50)).toBe(true);
    expect(await claimReversalCheck(db, before, 60)).toBe(false);
    expect(await readReversal()).toMatchObject({ nextCheckAt: 50, checks: 4 });
    expect(await readReversal('r2')).toEqual(other);
  });

  it('counts an empty inquiry unless the state of the reversal has changed', async () => {
    await addReversal('r1');
    await addReversal('r2', { attempt_id: 'p2' });
    const [before, other] = [await readReversal(), await readReversal('r2')];
    await recordEmptyCheck(db, { ...before, state: 'unknown' }, 50);
    expect(await readReversal()).toEqual(before);
    await recordEmptyCheck(db, before, 50);
    expect(await readReversal()).toMatchObject({ nextCheckAt: 50, emptyChecks: 1 });
    expect(await readReversal('r2')).toEqual(other);
  });
});
