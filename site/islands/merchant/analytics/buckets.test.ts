import { describe, expect, it } from 'vitest';
import { addDays } from '#shared/text/local-day';
import { bucketsOf, sumOf } from './figures.ts';

/** The 365 days up to Wednesday, March 4, 2026. Each has ten cents more than the previous day. */
const days = Array.from({ length: 365 }, (_, n) => ({ date: addDays('2025-03-05', n), amount: (n + 1) / 10 }));
const previousDays = days.map(({ date }, n) => ({ date: addDays(date, -365), amount: n === 0 ? 7 : 0 }));

describe('points of the volume chart', () => {
  it('are days, each with the matching day of the previous period', () => {
    const points = bucketsOf(days, previousDays, 'days');
    expect(points).toHaveLength(365);
    expect(points[0]).toEqual({ first: '2025-03-05', name: 'Mar 5, 2025', amount: 0.1, before: 7 });
  });

  it('are weeks that start on Monday, with a partial first and last week', () => {
    const points = bucketsOf(days, previousDays, 'weeks');
    expect(points).toHaveLength(53);
    expect(points[0]).toEqual({ first: '2025-03-05', name: 'Mar 5 to Mar 9, 2025', amount: 1.5, before: 7 });
    expect(points[1]).toMatchObject({ name: 'Mar 10 to Mar 16, 2025', amount: 6.3, before: 0 });
    expect(points.at(-1)).toMatchObject({ first: '2026-03-02', name: 'Mar 2 to Mar 4, 2026' });
  });

  it('are calendar months', () => {
    const points = bucketsOf(days, null, 'months');
    expect(points.map(({ name }) => name).slice(0, 2)).toEqual(['Mar 2025', 'Apr 2025']);
    expect(points).toHaveLength(13);
    expect(points.every(({ before: earlier }) => earlier === null)).toBe(true);
  });

  it.each(['days', 'weeks', 'months'] as const)('add up to the total of all days (%s)', (span) => {
    expect(sumOf(bucketsOf(days, null, span).map(({ first, amount }) => ({ date: first, amount })))).toBe(sumOf(days));
  });
});
