import { describe, expect, it } from 'vitest';
import { countTicks, dollarTicks } from './axis-ticks.ts';

describe('count axis ticks', () => {
  it('go from zero to two above the highest count, in steps of one if these fit', () => {
    expect(countTicks(3, 8)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(countTicks(0, 8)).toEqual([0, 1, 2]);
  });

  it('are whole numbers, as many as fit', () => {
    for (let highest = 0; highest < 300_000; highest = Math.ceil(highest * 1.3) + 1) {
      const ticks = countTicks(highest, 8);
      expect(ticks.length).toBeLessThanOrEqual(9);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeLessThanOrEqual(highest + 2);
      // No further tick fits below the top, which is two above the highest count.
      const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
      expect(highest + 2 - (ticks.at(-1) ?? 0)).toBeLessThan(step);
    }
  });
});

describe('dollar axis ticks', () => {
  it('start at zero and reach above the highest day', () => {
    const ticks = dollarTicks([120.5, 0, 812.3], 5);
    expect(ticks).toEqual([0, 200, 400, 600, 800, 1000]);
  });

  it('go below zero only for a day whose refunds exceed its payments', () => {
    const ticks = dollarTicks([100, -40], 5);
    expect(ticks[0]).toBeLessThanOrEqual(-40);
    expect(ticks).toContain(0);
  });

  it('are shown even without payments', () => {
    expect(dollarTicks([0, 0, 0], 5)[0]).toBe(0);
    expect(dollarTicks([], 5).length).toBeGreaterThan(2);
  });

  it('fit amounts from cents to millions', () => {
    expect(dollarTicks([0.07], 5).at(-1)).toBeGreaterThanOrEqual(0.07);
    expect(dollarTicks([8_345_000], 5)).toEqual([0, 2_000_000, 4_000_000, 6_000_000, 8_000_000, 10_000_000]);
  });
});
