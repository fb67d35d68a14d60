import { describe, expect, it } from 'vitest';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { describeAmounts, describeDays, formatRange, isDay, isRange, parseAmount, parseRange } from './range.ts';

describe('filter range', () => {
  it.each([
    ['10.00..20.00', { from: '10.00', to: '20.00' }],
    ['..20.00', { from: '', to: '20.00' }],
    ['10.00..', { from: '10.00', to: '' }],
  ])('can be parsed and formatted again without changes: %s', (text, range) => {
    expect(parseRange(text)).toEqual(range);
    expect(formatRange(range)).toBe(text);
  });

  it('starts and ends with the same value if there is only one', () => {
    expect(parseRange('10.00')).toEqual({ from: '10.00', to: '10.00' });
  });

  it('is null if both ends are open', () => {
    for (const text of [undefined, '', '..']) expect(parseRange(text)).toBeNull();
    expect(formatRange({ from: '', to: '' })).toBe('');
  });

  it.each([
    ['2026-03-01..2026-03-04', true],
    ['..2026-03-04', true],
    ['2026-03-04', true],
    ['2026-13-04..', false],
    ['soon', false],
    ['..', false],
  ])('is checked as a range of days (%s, valid: %s)', (text, isValid) => expect(isRange(text, isDay)).toBe(isValid));

  it('is described in words', () => {
    expect(describeDays(null, formatDay)).toBe('Due');
    expect(describeDays(parseRange('2026-03-04..'), formatDay)).toBe('Due from Mar 4, 2026');
    expect(describeDays(parseRange('..2026-03-04'), formatDay)).toBe('Due until Mar 4, 2026');
    expect(describeDays(parseRange('2026-03-01..2026-03-04'), formatDay)).toBe('Due Mar 1, 2026 to Mar 4, 2026');
    expect(describeAmounts(null)).toBe('Amount');
    expect(describeAmounts(parseRange('1000..'))).toBe('From $1,000.00');
    expect(describeAmounts(parseRange('..0.5'))).toBe('Up to $0.50');
    expect(describeAmounts(parseRange('10..20'))).toBe('$10.00 to $20.00');
  });

  it.each([
    ['', ''],
    ['10', '10.00'],
    [' $1,200.5 ', '1200.50'],
    ['ten', null],
    ['-5', null],
    ['1.005', null],
  ])('parses the typed amount %j as %j', (text, amount) => expect(parseAmount(text)).toBe(amount));
});
