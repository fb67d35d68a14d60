import { beforeEach, describe, expect, it } from 'vitest';
import { addCardPayment, inquire, PAID_AT } from '#tests/support/unit/lost-reversal';
import { ACCOUNT, addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

const DAY = 86_400_000;

beforeEach(addCardPayment);

const txnOf = refundOf;
const foreignTxn = (overrides: Partial<GatewayTransaction> = {}) => txnOf({ attemptId: 'else', ...overrides });
const unchangedRow = { state: 'unknown', emptyChecks: 0, checks: 1 };
const emptyCheckRow = { state: 'unknown', emptyChecks: 1, nextCheckAt: NOW + 2_000 };
const escalationWith = (message: string) => ({ state: 'needs_human', message: expect.stringContaining(message) });

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
    ['twice', [txnOf(), txnOf({ id: 'g2' })], escalationWith('more than once')],
    ['with another amount', [txnOf({ amountCents: 2_000 })], escalationWith('another amount for it: $20.00.')],
    ['without an amount', [txnOf({ amountCents: null })], escalationWith('another amount for it.')],
    [
      'declined',
      [txnOf({ state: 'declined', message: 'No', providerCode: '058' })],
      { state: 'refused', message: 'No', providerCode: '058' },
    ],
    ['voided', [txnOf({ isVoided: true })], { state: 'refused' }],
    ['in an unknown state', [txnOf({ state: 'other' })], unchangedRow],
    ['as another kind', [txnOf({ kind: 'SALE' })], unchangedRow],
    ['under another order id', [foreignTxn()], escalationWith('under another order number')],
    ['under another order id, voided', [foreignTxn({ isVoided: true })], emptyCheckRow],
    ['under another order id, declined', [foreignTxn({ state: 'declined' })], emptyCheckRow],
    ['under another order id, as a sale', [foreignTxn({ kind: 'SALE' })], emptyCheckRow],
    ['under another order id and key', [foreignTxn({ dedupeKey: 'k2' })], emptyCheckRow],
    ['nowhere', [], emptyCheckRow],
  ])('is not booked when the gateway shows it %s', async (_title, response, row) => {
    const { reversal, booked, logs } = await inquire({}, response);
    expect(reversal).toMatchObject(row);
    expect(booked).toEqual([]);
    expect(logs.some(([event]) => event === 'ALERT reversal-needs-a-person')).toBe(row.state === 'needs_human');
    expect(logs.some(([event]) => event === 'reversal-check-failed')).toBe(row === unchangedRow);
  });

  it.each(['attemptId', 'dedupeKey'])('stays unknown when the gateway does not answer by %s', async (unansweredKey) => {
    const { reversal, logs } = await inquire({}, (by) => (unansweredKey in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(unchangedRow);
    const fields = {
      clinic: 'c',
      accountId: ACCOUNT,
      reversalId: 'r1',
      cause: expect.stringContaining('does not answer'),
    };
    expect(logs).toEqual([['reversal-check-failed', fields]]);
  });

  it.each([
    ['stays unknown just under', NOW - DAY + 1, 'unknown'],
    ['goes to manual review', NOW - DAY, 'needs_human'],
  ])('%s a day after the request if it is still unreadable', async (_title, created_at, state) => {
    const { reversal } = await inquire({ created_at }, [txnOf({ state: 'other' })]);
    expect(reversal).toMatchObject({ state });
  });

  it('goes to manual review when it is already booked', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g1', kind: 'refund', amount_cents: -3_000 });
    const { reversal, logs } = await inquire({}, [txnOf()]);
    expect(reversal).toMatchObject(escalationWith('is already in our books'));
    expect(logs).toMatchObject([['ALERT reversal-needs-a-person', { from: 'unknown', to: 'needs_human' }]]);
  });
});

describe('a void with a lost answer', () => {
  const voidColumns = { kind: 'void', amount_cents: 10_000 };
  const voidTxn = (overrides: Partial<GatewayTransaction> = {}) => txnOf({ kind: 'VOID', ...overrides });
  const payment = (overrides: Partial<GatewayTransaction> = {}) =>
    txnOf({ id: 'txn-p1', attemptId: 'p1', kind: 'SALE', createdAt: PAID_AT, isVoided: true, ...overrides });

  it.each<[string, GatewayTransaction[], string, { id: string; at: number } | null]>([
    [
      'its own transaction, whatever its amount',
      [voidTxn({ amountCents: 1 })],
      'approved',
      { id: 'g1', at: NOW - DAY },
    ],
    ['its own transaction, marked as voided', [voidTxn({ isVoided: true })], 'approved', { id: 'g1', at: NOW - DAY }],
    ['the payment, marked as voided', [payment()], 'approved', { id: 'txn-p1-void', at: NOW }],
    ['the payment, not marked as voided', [payment({ isVoided: false })], 'unknown', null],
    ['another payment, marked as voided', [payment({ id: 'txn-p2' })], 'unknown', null],
    ['its own decline', [voidTxn({ state: 'declined' }), payment()], 'refused', null],
  ])('follows what the gateway shows: %s', async (_title, response, state, entry) => {
    const { reversal, booked } = await inquire(voidColumns, response);
    expect(reversal).toMatchObject({ state });
    expect(booked).toMatchObject(entry ? [{ ...entry, kind: 'void', cents: -10_000 }] : []);
  });

  it('is looked up by its payment, and stays unknown without an answer', async () => {
    const { reversal, requests } = await inquire(voidColumns, (by) => ('providerTxnId' in by ? 'unavailable' : []));
    expect(reversal).toMatchObject(unchangedRow);
    expect(requests).toEqual([{ attemptId: 'r1' }, { providerTxnId: 'txn-p1' }]);
  });
});
