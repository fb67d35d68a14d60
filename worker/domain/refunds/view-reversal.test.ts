import { expect, it } from 'vitest';
import type { Reversal } from '#worker/data/schema/refunds';
import { presentReversal } from './view-reversal.ts';

const reversal = (overrides: Partial<Reversal> = {}) =>
  ({
    id: 'r1',
    kind: 'refund',
    amountCents: 3_000,
    state: 'approved',
    reason: 'Cancelled',
    message: 'No.',
    batchId: '8',
    createdAt: 5,
    settledAt: null,
    ...overrides,
  }) as Reversal;

it.each<[Reversal['state'], string, string]>([
  ['sent', 'under-way', ''],
  ['unknown', 'under-way', ''],
  ['approved', 'done', ''],
  ['refused', 'refused', 'No.'],
  ['not_done', 'not-done', ''],
  ['needs_human', 'needs-a-person', ''],
])('shows a reversal that is %s as %s, with the message %j', (state, label, message) => {
  expect(presentReversal(reversal({ state }))).toEqual({
    id: 'r1',
    kind: 'refund',
    amount: '30.00',
    state: label,
    reason: 'Cancelled',
    message,
    batch_id: '8',
    at: new Date(5).toISOString(),
  });
});

it('shows a reversal with the time at which it ended', () => {
  expect(presentReversal(reversal({ settledAt: 9 })).at).toBe(new Date(9).toISOString());
});
