import { describe, expect, it } from 'vitest';
import { billLinesOf, linesReadAt, serializeLines } from './invoices.ts';

const makeLine = (overrides = {}) => ({ name: 'Filling', quantity: '1', totalCents: 5_000, ...overrides });
const makeStoredLines = (
  lines: ReturnType<typeof makeLine>[],
  billedCents: number | null = 10_000,
  balanceCents: number | null = 10_000,
) => serializeLines(lines as Parameters<typeof serializeLines>[0], { billedCents, balanceCents }, 77);

describe('the lines of an invoice', () => {
  it('are cut to fifty, with their full count', () => {
    const lines = billLinesOf(makeStoredLines(Array.from({ length: 51 }, () => makeLine())));
    expect([lines?.count, lines?.items.length]).toEqual([51, 50]);
  });

  it('have one-line names of at most two hundred characters', () => {
    const text = makeStoredLines([makeLine({ name: ` A \n\t B ${'x'.repeat(300)}` })]);
    expect(billLinesOf(text)?.items[0]?.name).toBe(`A B ${'x'.repeat(196)}`);
  });

  it('have amounts, or null when the CRM has none', () => {
    const text = makeStoredLines([makeLine(), makeLine({ quantity: null, totalCents: null })], null);
    expect(billLinesOf(text)).toEqual({
      count: 2,
      total: null,
      items: [
        { name: 'Filling', quantity: '1', total: '50.00' },
        { name: 'Filling', quantity: null, total: null },
      ],
    });
    expect(billLinesOf(makeStoredLines([makeLine()]))?.total).toBe('100.00');
  });

  it('are null if the invoice has no lines, or if they were not read', () => {
    expect([billLinesOf(makeStoredLines([])), billLinesOf('')]).toEqual([null, null]);
  });

  it('have the time at which they were read', () => {
    expect([linesReadAt(makeStoredLines([])), linesReadAt('')]).toEqual([77, 0]);
  });
});

describe('the amount already paid on an invoice', () => {
  it.each<[string, number | null, number | null, number | null, string | undefined]>([
    ['the remaining amount is requested', 10_000, 4_000, 4_000, '60.00'],
    ['a cent remains', 10_000, 9_999, 9_999, '0.01'],
    ['nothing was paid', 10_000, 10_000, 10_000, undefined],
    ['more is owed than was billed', 10_000, 10_001, 10_001, undefined],
    ['another amount is requested', 10_000, 4_000, 3_999, undefined],
    ['no amount is requested', 10_000, 4_000, null, undefined],
    ['the billed amount cannot be read', null, 4_000, 4_000, undefined],
    ['the balance cannot be read', 10_000, null, 0, undefined],
  ])(
    'is shown only when exactly the rest of the total is requested: %s',
    (_title, billed, balance, requested, paidBefore) => {
      expect(billLinesOf(makeStoredLines([makeLine()], billed, balance), requested)?.paidBefore).toBe(paidBefore);
    },
  );
});
