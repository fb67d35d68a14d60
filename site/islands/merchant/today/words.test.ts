import { beforeAll, describe, expect, it } from 'vitest';
import type { Today, TodayMovement, TodayNeed } from '#shared/contracts/payments/today';
import { setTimeZone } from '#site/islands/ui/format-moment.ts';
import {
  compareWithLastWeek,
  describeActivity,
  describeAttention,
  describeBounces,
  describeDetails,
  describeMovement,
  describeOverdue,
  describeToCheck,
} from './words.ts';

beforeAll(() => setTimeZone('America/New_York'));

const AT = '2026-11-24T19:18:00.000Z';
/** Replaces the special space that some engines put before AM and PM with an ordinary one. */
const withPlainSpaces = (text: string | undefined) => text?.replace(/\s/g, ' ');
const todayWith = (changes: Partial<Today>): Today => ({
  at: AT,
  day: '2026-11-24',
  taken: '4537.85',
  payments: 12,
  refunds: { count: 1, amount: '38.40' },
  before: '4116.20',
  days: [],
  owed: { count: 0, amount: '0.00' },
  to_check: { count: 0, amount: '0.00' },
  overdue: { count: 0, amount: '0.00', oldest_days: null },
  needs: [],
  latest: [],
  ...changes,
});
const needWith = (changes: Partial<TodayNeed>): TodayNeed => ({
  kind: 'unknown',
  amount: '588.50',
  invoice: { id: '1', number: 'INV-1121' },
  customer: 'Owen Hartley',
  card: '',
  terminal: null,
  at: [new Date(Date.now() - 1).toISOString()],
  ...changes,
});

describe('dashboard texts', () => {
  it.each([
    [{}, ['$421.65 more', `than last Tuesday by 2:18 PM`]],
    [{ taken: '4116.00' }, ['$0.20 less', `than last Tuesday by 2:18 PM`]],
    [{ taken: '4116.20' }, ['', `The same as last Tuesday by 2:18 PM`]],
    [
      { payments: 0, refunds: { count: 0, amount: '0.00' }, taken: '0.00', before: '128.00' },
      ['', `Last Tuesday had $128.00 by 2:18 PM`],
    ],
  ])('compare the day with the same weekday last week: %j', (changes, texts) => {
    const comparison = compareWithLastWeek(todayWith(changes));
    expect([comparison?.lead, withPlainSpaces(comparison?.text)]).toEqual(texts);
  });

  it('contain no comparison if there are no earlier takings', () => {
    expect(compareWithLastWeek(todayWith({ before: null }))).toBeNull();
  });

  it('count payments, refunds, overdue days and payments to check', () => {
    expect(describeActivity(todayWith({}))).toBe('12 payments, 1 refund of $38.40');
    expect(describeActivity(todayWith({ payments: 1, refunds: { count: 2, amount: '50.00' } }))).toBe(
      '1 payment, 2 refunds of $50.00 in all',
    );
    expect(describeActivity(todayWith({ payments: 0, refunds: { count: 0, amount: '0.00' } }))).toBe(
      'No payments yet today',
    );
    expect(describeOverdue({ count: 23, amount: '1.00', oldest_days: 74 })).toBe('23 invoices, oldest 74 days');
    expect(describeOverdue({ count: 0, amount: '0.00', oldest_days: null })).toBe('0 invoices');
    expect([0, 1, 3].map((count) => describeToCheck({ count, amount: '0.00' }))).toEqual([
      ...['nothing to check', '1 payment to check', '3 payments to check'],
    ]);
  });

  it('describe a payment or refund by customer and method', () => {
    const paid: TodayMovement = {
      id: '1',
      kind: 'payment',
      amount: '647.20',
      invoice: { id: '9', number: 'INV-1129' },
      terminal: null,
      customer: 'Ivy Whitfield',
      payer: 'Ivy Whitfield',
      card: 'Visa 1111',
      at: AT,
    };
    expect([describeMovement(paid), describeDetails(paid)]).toEqual([
      'Payment, $647.20, Ivy Whitfield',
      'INV-1129, online, Visa 1111',
    ]);
    const refund: TodayMovement = { ...paid, kind: 'refund', amount: '-38.40' };
    expect([describeMovement(refund), describeDetails(refund)]).toEqual([
      'Refund, $38.40, Ivy Whitfield',
      'INV-1129, refund',
    ]);
    expect(describeDetails({ ...refund, payer: 'Marta Nunez' })).toBe('INV-1129, paid by Marta Nunez, refund');
  });

  it('describe the items that need attention, and their actions', () => {
    expect(describeAttention(needWith({})).lead).toBe('$588.50 is not known yet');
    expect(describeAttention(needWith({})).line).toMatch(
      /^INV-1121, Owen Hartley, online at \d+:\d\d.[AP]M\. Do not take it again\.$/,
    );
    const terminal = { id: 't', name: 'Front desk 1' };
    const at = ['2026-11-24T15:02:00.000Z', '2026-11-24T15:06:00.000Z'];
    const plainNeed = (changes: Partial<TodayNeed>) => {
      const { line, ...texts } = describeAttention(needWith(changes));
      return { ...texts, line: withPlainSpaces(line) };
    };
    expect(plainNeed({ kind: 'alike', amount: '71.10', card: 'Visa 1111', terminal, at })).toEqual({
      lead: 'Two payments look alike: $71.10',
      line: `Visa 1111 on Front desk 1, 10:02 AM and 10:06 AM`,
      act: 'Compare',
    });
    const oldFields = { invoice: null, customer: '', card: 'XXXX1111', at: ['2025-11-19T15:00:00.000Z'] };
    expect(plainNeed({ kind: 'no-invoice', amount: '142.20', ...oldFields })).toEqual({
      lead: '$142.20 matches no invoice',
      line: `XXXX1111, Nov 19, 2025, 10:00 AM`,
      act: 'Find invoice',
    });
  });
});

describe('an open invoice with an unreadable amount', () => {
  it('names the invoice and where to correct it, and shows no amount', () => {
    expect(describeAttention(needWith({ kind: 'unreadable', amount: null }))).toEqual({
      lead: 'An amount cannot be read',
      line: 'INV-1121, Owen Hartley. It cannot be collected until the amount is corrected in HubSpot.',
      act: 'View invoice',
    });
  });
});

describe('bounced payment links', () => {
  it('are described by their count and the first invoice', () => {
    const first = { id: '9', number: 'INV-9' };
    const line = 'INV-9: emails to this address are not delivered.';
    expect(describeBounces({ count: 1, first })).toEqual({
      lead: '1 payment link came back',
      line,
      act: 'Fix address',
    });
    expect(describeBounces({ count: 3, first })).toEqual({
      lead: '3 payment links came back',
      act: 'Fix first address',
      line: 'INV-9 and 2 more: emails to this address are not delivered.',
    });
  });
});
