import { beforeEach, describe, expect, it } from 'vitest';
import { addPaid, inquire, PAID_AT } from '#tests/support/unit/lost-reversal';
import { ACCOUNT, addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

const DAY = 86_400_000;

beforeEach(addPaid);

const txnOf = refundOf;
const foreign = (more: Partial<GatewayTransaction> = {}) => txnOf({ attemptId: 'else', ...more });
const stays = { state: 'unknown', emptyChecks: 0, checks: 1 };
const empty = { state: 'unknown', emptyChecks: 1, nextCheckAt: NOW + 2_000 };
const escalate = (message: string) => ({ state: 'needs_human', message: expect.stringContaining(message) });

describe('a refund with a lost answer', () => {
  it('is booked when the gateway shows it, on the day on which it was made', async () => {
    const { reversal, booked, logs } = await inquire({ message: 'x' }, [txnOf()]);
    expect(reversal).toMatchObject({
      state: 'approved',
      providerTxnId: 'g1',
      batchId: '8',
      message: '',
      nextCheckAt: null,
    });
    expect(booked).toEqual([{ id: 'g1', kind: 'refund', cents: -3_000, at: NOW - DAY }]);
    const fields = { accountId: ACCOUNT, reversalId: 'r1', from: 'unknown', to: 'approved' };
    expect(logs).toEqual([['reversal-status-found', fields]]);
    expect(await rowsOf('SELECT actor_kind FROM audit_events')).toEqual([{ actor_kind: 'system' }]);
  });

  it.each<[string, GatewayTransaction[], Record<string, unknown>]>([
    ['twice', [txnOf(), txnOf({ id: 'g2' })], escalate('more than once')],
    ['with another amount', [txnOf({ amountCents: 2_000 })], escalate('another amount for it: $20.00.')],
    ['without an amount', [txnOf({ amountCents: null })], escalate('another amount for it.')],
    [
      'declined',
      [txnOf({ state: 'declined', message: 'No', providerCode: '058' })],
      { state: 'refused', message: 'No', providerCode: '058' },
    ],
    ['voided', [txnOf({ isVoided: true })], { state: 'refused' }],
    ['in an unknown state', [txnOf({ state: 'other' })], stays],
    ['as another kind', [txnOf({ kind: 'SALE' })], stays],
    ['under another order id', [foreign()], escalate('under another order number')],
    ['under another order id, voided', [foreign({ isVoided: true })], empty],
    ['under another order id, declined', [foreign({ state: 'declined' })], empty],
    ['under another order id, as a sale', [foreign({ kind: 'SALE' })], empty],
    ['under another order id and key', [foreign({ dedupeKey: 'k2' })], empty],
    ['nowhere', [], empty],
  ])('is not booked when the gateway shows it %s', async (_what, shown, row) => {
    const { reversal, booked, logs } = await inquire({}, shown);
    expect(reversal).toMatchObject(row);
    expect(booked).toEqual([]);
    expect(logs.some(([event]) => event === 'ALERT reversal-needs-a-person')).toBe(row.state === 'needs_human');
    expect(logs.some(([event]) => event === 'reversal-check-failed')).toBe(row === stays);
  });

  it.each(['attemptId', 'dedupeKey'])('stays unknown when the gateway does not answer by %s', async (silent) => {
    const { reversal, logs } = await inquire({}, (by) => (silent in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(stays);
    const fields = {
      clinic: 'c',
      accountId: ACCOUNT,
      reversalId: 'r1',
      cause: expect.stringContaining('does not answer'),
    };
    expect(logs).toEqual([['reversal-check-failed', fields]]);
  });

  it.each([
    ['right before', NOW - DAY + 1, 'unknown'],
    ['by', NOW - DAY, 'needs_human'],
  ])('goes to manual review if still unreadable %s a day after the request', async (_when, created_at, state) => {
    const { reversal } = await inquire({ created_at }, [txnOf({ state: 'other' })]);
    expect(reversal).toMatchObject({ state });
  });

  it('goes to manual review when it is already booked', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g1', kind: 'refund', amount_cents: -3_000 });
    const { reversal, logs } = await inquire({}, [txnOf()]);
    expect(reversal).toMatchObject(escalate('is already in our books'));
    expect(logs).toMatchObject([['ALERT reversal-needs-a-person', { from: 'unknown', to: 'needs_human' }]]);
  });
});

describe('a void with a lost answer', () => {
  const voids = { kind: 'void', amount_cents: 10_000 };
  const voidTxn = (more: Partial<GatewayTransaction> = {}) => txnOf({ kind: 'VOID', ...more });
  const payment = (more: Partial<GatewayTransaction> = {}) =>
    txnOf({ id: 'txn-p1', attemptId: 'p1', kind: 'SALE', createdAt: PAID_AT, isVoided: true, ...more });

  it.each<[string, GatewayTransaction[], string, { id: string; at: number } | null]>([
    [
      'by its own transaction, whatever its amount',
      [voidTxn({ amountCents: 1 })],
      'approved',
      { id: 'g1', at: NOW - DAY },
    ],
    [
      'by its own transaction, marked as voided',
      [voidTxn({ isVoided: true })],
      'approved',
      { id: 'g1', at: NOW - DAY },
    ],
    ['by the payment, which is marked', [payment()], 'approved', { id: 'txn-p1-void', at: NOW }],
    ['not: the payment is not marked', [payment({ isVoided: false })], 'unknown', null],
    ['not: another payment is marked', [payment({ id: 'txn-p2' })], 'unknown', null],
    ['declined', [voidTxn({ state: 'declined' }), payment()], 'refused', null],
  ])('follows what the gateway shows: %s', async (_what, shown, state, entry) => {
    const { reversal, booked } = await inquire(voids, shown);
    expect(reversal).toMatchObject({ state });
    expect(booked).toMatchObject(entry ? [{ ...entry, kind: 'void', cents: -10_000 }] : []);
  });

  it('is looked up by its payment, and stays unknown without an answer', async () => {
    const { reversal, asked } = await inquire(voids, (by) => ('providerTxnId' in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(stays);
    expect(asked).toEqual([{ attemptId: 'r1' }, { providerTxnId: 'txn-p1' }]);
  });
});
