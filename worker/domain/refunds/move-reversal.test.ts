import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import { findReversal, findReversiblePayment } from '#worker/data/refunds/reversals';
import { type ReversalMove, settleReversal } from './settle-reversal.ts';

beforeEach(async () => {
  await addClinic({ time_zone: 'Pacific/Kiritimati' });
  await addPayment('p1', { time_zone: 'UTC' });
  await addEntry('p1');
  const columns = { request_key: 'r1', kind: 'refund', amount_cents: 3_000, message: 'before', next_check_at: 1 };
  await add('reversals', {
    ...columns,
    id: 'r1',
    attempt_id: 'p1',
    state: 'unknown',
    batch_id: '7',
    exchange_id: 'x0',
  });
});

async function move(overrides: Partial<ReversalMove>) {
  const [reversal, reversible] = [await findReversal(db, 'r1'), await findReversiblePayment(db, ACCOUNT, 'p1')];
  if (!reversal || !reversible) throw new Error('not stored');
  const reversalMove = { to: 'refused' as const, from: ['unknown' as const], at: NOW, ...overrides };
  await settleReversal(depsWithGateway([]).deps, reversal, reversible.attempt, reversalMove);
  const [event] = await rowsOf<{ action: string; after: string }>('SELECT action, after FROM audit_events');
  const after = JSON.parse(event?.after ?? '{}') as unknown;
  return { row: await findReversal(db, 'r1'), event: { action: event?.action, after } };
}
const decision = { id: 'd1', verdict: 'happened', note: 'Called', resolvedBy: 3 } as const;

it.each<[string, Partial<ReversalMove>, Record<string, unknown>, Record<string, unknown>]>([
  [
    'refused, with the reason',
    { message: 'No.', providerCode: '058', exchangeId: 'x1' },
    { state: 'refused', message: 'No.', providerCode: '058', exchangeId: 'x1', settledAt: NOW, batchId: '7' },
    { action: 'reversal.moved', after: { state: 'refused', amountCents: 3_000, code: '058' } },
  ],
  [
    'refused, without a message',
    { message: '', providerCode: '' },
    { message: '', providerCode: '', exchangeId: 'x0', nextCheckAt: null },
    { action: 'reversal.moved', after: { state: 'refused', amountCents: 3_000 } },
  ],
  [
    'not done, with one more check',
    { to: 'not_done', nextCheckAt: 9 },
    { state: 'not_done', nextCheckAt: 9, message: 'before', settledAt: NOW, providerTxnId: null, amountCents: 3_000 },
    { action: 'reversal.moved', after: { state: 'not_done', amountCents: 3_000 } },
  ],
  [
    'approved with another amount, in a batch',
    { to: 'approved', txnId: 'g1', batchId: '8', amountCents: 2_000 },
    { state: 'approved', providerTxnId: 'g1', batchId: '8', amountCents: 2_000 },
    { action: 'reversal.moved', after: { state: 'approved', amountCents: 2_000, payment: 'p1' } },
  ],
])('records that a reversal is %s', async (_title, overrides, row, event) => {
  const result = await move(overrides);
  expect(result.row).toMatchObject(row);
  expect(result.event).toEqual(event);
});

it('records a person’s decision and its author with the move', async () => {
  await rowsOf("UPDATE reversals SET state = 'needs_human'");
  const { row, event } = await move({ to: 'approved', from: ['needs_human'], txnId: 'g1', decision });
  expect(row).toMatchObject({ state: 'approved' });
  const after = { state: 'approved', amountCents: 3_000, payment: 'p1', verdict: 'happened', note: 'Called' };
  expect(event).toEqual({ action: 'reversal.resolved', after });
  expect(await rowsOf('SELECT * FROM reversal_resolutions')).toEqual([
    { id: 'd1', account_id: ACCOUNT, reversal_id: 'r1', verdict: 'happened', note: 'Called', resolved_by: 3, at: NOW },
  ]);
});

it('leaves a reversal with an unknown outcome unsettled', async () => {
  await rowsOf("UPDATE reversals SET state = 'refused'");
  await add('reversals', { id: 'r2', attempt_id: 'p1', request_key: 'r2', kind: 'refund', state: 'sent' });
  const [reversal, reversible] = [await findReversal(db, 'r2'), await findReversiblePayment(db, ACCOUNT, 'p1')];
  if (!reversal || !reversible) throw new Error('not stored');
  const lostResponse = { to: 'unknown' as const, from: ['sent' as const], at: NOW, nextCheckAt: 9 };
  await settleReversal(depsWithGateway([]).deps, reversal, reversible.attempt, lostResponse);
  expect(await findReversal(db, 'r2')).toMatchObject({ state: 'unknown', settledAt: null, nextCheckAt: 9 });
});

it('books on the day of the account’s current time zone', async () => {
  await move({ to: 'approved', txnId: 'g1', at: Date.UTC(2026, 2, 4, 12) });
  expect(await rowsOf("SELECT day FROM ledger WHERE kind = 'refund'")).toEqual([{ day: '2026-03-05' }]);
});
