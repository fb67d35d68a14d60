import { expect, it } from 'vitest';
import type { Reversal } from '#worker/data/schema/refunds';
import type { Attempt } from '#worker/data/schema/schema';
import { type ReversalMove, refundConsequences } from './settle-reversal.ts';

const attempt = {
  id: 'a1',
  accountId: 7,
  invoiceId: 'i1',
  collection: 2,
  amountCents: 18_400,
  currency: 'USD',
  channel: 'link',
  refundedCents: 17_900,
  method: 'card',
  cardBrand: 'VISA',
  timeZone: 'America/Indiana/Indianapolis',
  providerTxnId: 't1',
  receiptTo: 'marta@maple.example',
} as Attempt;

function consequences(kind: Reversal['kind'], overrides: Partial<ReversalMove> = {}, recipient = attempt.receiptTo) {
  const move: ReversalMove = { to: 'approved', from: ['sent'], at: Date.UTC(2026, 2, 5, 3), txnId: 't2', ...overrides };
  const result = refundConsequences(
    { id: 'r1', kind, amountCents: 400 } as Reversal,
    { ...attempt, receiptTo: recipient },
    move,
  );
  if (!result) return [];
  const { ledgerEntry, payment, receipt } = result;
  const entry = `${ledgerEntry.kind} ${ledgerEntry.amountCents} ${ledgerEntry.providerTxnId} ${ledgerEntry.day}`;
  return [entry, `${payment.state} ${payment.when}`, receipt?.id ?? '-'];
}

it.each<[title: string, found: string[], expected: string[]]>([
  ['a refund', consequences('refund'), ['refund -400 t2 2026-03-04', 'refunded nothing-left', 'receipt-r1']],
  // A refund of $1.00 was voided after the void was requested.
  ['a void', consequences('void'), ['void -500 t2 2026-03-04', 'voided at-once', 'receipt-r1']],
  [
    'a void that the gateway shows on the payment itself',
    consequences('void', { txnId: 't1' }),
    ['void -500 t1-void 2026-03-04', 'voided at-once', 'receipt-r1'],
  ],
  [
    'a refund of a different amount from the requested one',
    consequences('refund', { amountCents: 300 }),
    ['refund -300 t2 2026-03-04', 'refunded nothing-left', 'receipt-r1'],
  ],
  [
    'a refund to a payer without an address',
    consequences('refund', {}, ''),
    ['refund -400 t2 2026-03-04', 'refunded nothing-left', '-'],
  ],
  ['a refund that was refused', consequences('refund', { to: 'refused' }), []],
  ['a refund whose answer was lost', consequences('refund', { to: 'unknown' }), []],
])('derives the consequences of %s', (_title, actual, expected) => {
  expect(actual).toEqual(expected);
});
