import { describe, expect, it } from 'vitest';
import { formatPrice, lineTotalCents } from './LineItems.tsx';

describe('line total', () => {
  it.each([
    ['92.00', '2', 18_400],
    ['92', '2', 18_400],
    ['184.00', null, 18_400],
    ['184.00', '', 18_400],
    ['0.10', '3', 30],
    ['1.005', '100', 10_050],
    ['33.333333', '3', 10_000],
    ['0.005', '1', 1],
    ['-0.005', '1', -1],
    ['19.99', '1.5', 2999],
    ['-5.00', '2', -1000],
    ['0', '7', 0],
    ['-0.00', '1', 0],
    ['9999999.99', '1', 999_999_999],
    ['4.35', '100', 43_500],
  ])('%s x %s is %i cents', (amount, quantity, cents) => expect(lineTotalCents(amount, quantity)).toBe(cents));

  it.each([
    [null, '2'],
    ['', '2'],
    ['x', '2'],
    ['1.00', 'two'],
    ['1e3', '1'],
    ['NaN', '1'],
    ['999999999999', '999999999999'],
  ])('%s x %s is null', (amount, quantity) => expect(lineTotalCents(amount, quantity)).toBeNull());
});

describe('unit price', () => {
  it.each([
    ['92', '$92.00'],
    ['92.50', '$92.50'],
    ['92.5000', '$92.50'],
    ['33.333333', '$33.333333'],
    ['-0.125', '−$0.125'],
    ['1184.00', '$1,184.00'],
    ['-71.10', '−$71.10'],
  ])('%s is formatted as %s', (amount, text) => expect(formatPrice(amount, 'USD')).toBe(text));

  it('uses the currency’s symbol, and is null without a number', () => {
    expect(formatPrice('92.00', 'EUR')).toBe('€92.00');
    expect(formatPrice(null, 'USD')).toBeNull();
    expect(formatPrice('free', 'USD')).toBeNull();
  });
});
