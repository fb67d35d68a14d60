import { describe, expect, it } from 'vitest';
import { busiestHourOf, hourName, percentChangeOf, sharesOf } from './figures.ts';

const comparisonWith = (payments: number, amount: number) => ({
  refunds: { amount: 0, count: 0 },
  hours: [],
  before: { payments, dailyPayments: [{ date: '2026-03-01', amount }] },
});
const noPayments = () => Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));

describe('comparison with the previous period', () => {
  it('is a whole percentage', () => {
    expect(percentChangeOf(11_049, comparisonWith(5, 100))).toBe(10);
    expect(percentChangeOf(5000, comparisonWith(5, 100))).toBe(-50);
    expect(percentChangeOf(10_004, comparisonWith(5, 100))).toBe(0);
    expect(percentChangeOf(250_000, comparisonWith(5, 100))).toBe(2400);
  });

  it('is omitted if that period has fewer than five payments or no positive net amount', () => {
    expect(percentChangeOf(11_000, comparisonWith(4, 100))).toBeNull();
    expect(percentChangeOf(11_000, comparisonWith(9, 0))).toBeNull();
    expect(percentChangeOf(11_000, comparisonWith(9, -5))).toBeNull();
  });
});

describe('busiest hour', () => {
  it('is the hour with the most payments, averaged over the days with its weekday', () => {
    const hours = noPayments();
    hours[1]?.splice(10, 1, 9);
    hours[3]?.splice(14, 1, 4);
    const days = ['2026-03-02', '2026-03-04', '2026-03-09'].map((date) => ({ date, amount: 1 }));
    expect(busiestHourOf(hours, days)).toMatchObject({ weekday: 1, hour: 10, average: '4.5' });
    expect([0, 11, 12, 13].map(hourName)).toEqual(['12 AM', '11 AM', '12 PM', '1 PM']);
  });

  it('is the hour with the highest average, even if another has more payments', () => {
    const hours = noPayments();
    hours[1]?.splice(10, 1, 9);
    hours[3]?.splice(14, 1, 8);
    const days = ['2026-03-02', '2026-03-04', '2026-03-09'].map((date) => ({ date, amount: 1 }));
    expect(busiestHourOf(hours, days)).toEqual({ weekday: 3, hour: 14, average: '8' });
  });

  it('is the hour with more payments on a tie, and then the earlier hour', () => {
    const hours = noPayments();
    hours[1]?.splice(10, 1, 8);
    hours[3]?.splice(14, 1, 4);
    hours[1]?.splice(16, 1, 8);
    const days = ['2026-03-02', '2026-03-04', '2026-03-09'].map((date) => ({ date, amount: 1 }));
    expect(busiestHourOf(hours, days)).toEqual({ weekday: 1, hour: 10, average: '4' });
  });

  it('is null without payments', () => expect(busiestHourOf(noPayments(), [])).toBeNull());
});

describe('shares of the payment methods', () => {
  it.each([
    [
      [1, 1, 1],
      ['33%', '33%', '33%'],
    ],
    [
      [17, 17, 6],
      ['43%', '43%', '15%'],
    ],
    [
      [20, 10, 10, 11],
      ['39%', '20%', '20%', '22%'],
    ],
    [
      [999, 1],
      ['>99%', '<1%'],
    ],
    [
      [4, 0],
      ['100%', '0%'],
    ],
    [
      [0, 0],
      ['0%', '0%'],
    ],
  ])('are rounded separately, so that equal counts have equal shares: %j', (counts, shares) => {
    expect(sharesOf(counts.map((count) => ({ name: '', count })))).toEqual(shares);
  });
});
