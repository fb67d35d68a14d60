import { describe, expect, it } from 'vitest';
import type { BatchReconciliation, ReconciliationLine } from '#shared/contracts/payments/reconciliation';
import { compareTotals, type DayBatch, describeAgreement } from './day-batches.ts';

const lineWith = (
  verdict: ReconciliationLine['verdict'],
  amount: string | null,
  ours: string | null,
  invoice = true,
) => ({
  id: `${verdict} ${amount}`,
  verdict,
  type: 'SALE',
  at: null,
  amount,
  ours,
  card: '',
  payer: '',
  customer: '',
  invoice: invoice ? { id: '1', number: 'INV-1' } : null,
});
const sumsWith = (sales: string, refunds: string, net: string, agrees = true): BatchReconciliation['sums'] => [
  { what: 'sales', lines: sales, batch: sales, agrees },
  { what: 'refunds', lines: refunds, batch: refunds, agrees },
  { what: 'net', lines: net, batch: net, agrees },
];
const matching: BatchReconciliation = {
  lines: [
    lineWith('matched', '100.00', '100.00'),
    lineWith('matched', '0.00', '0.00'),
    lineWith('matched', '-38.40', '-38.40'),
  ],
  sums: sumsWith('100.00', '38.40', '61.60'),
};
const unmatched: BatchReconciliation = {
  lines: [lineWith('only-gateway', '71.10', null, false)],
  sums: sumsWith('71.10', '0.00', '71.10'),
};
const batchOf = (match: BatchReconciliation | null) => ({ match }) as DayBatch;

describe('batch agreement', () => {
  it('is "Yes" or "No" only for a batch that can be compared', () => {
    expect(describeAgreement(matching)).toBe('Yes');
    expect(describeAgreement(unmatched)).toBe('No');
    expect(describeAgreement({ ...matching, sums: sumsWith('1.00', '0.00', '1.00', false) })).toBe('No');
    expect(describeAgreement(null)).toBe('Cannot be compared yet');
    expect(describeAgreement({ ...matching, sums: [] })).toBe('Cannot be compared yet');
    expect(describeAgreement({ ...matching, lines: [lineWith('earlier', '100.00', null)] })).toBe('Before Tillway');
  });

  it('is checked by the totals of all batches that can be compared', () => {
    const { checks, withoutInvoice } = compareTotals([matching, unmatched, null].map(batchOf));
    expect(checks).toEqual([
      { what: 'Sales', ours: 10_000, theirs: 17_110 },
      { what: 'Refunds', ours: -3840, theirs: -3840 },
      { what: 'Net', ours: 6160, theirs: 13_270 },
    ]);
    expect(withoutInvoice).toEqual({ count: 1, cents: 7110 });
    expect(compareTotals([batchOf(null)]).checks).toEqual([]);
  });
});
