import { describe, expect, it } from 'vitest';
import { decimalFromCents, formatMoney, parseCents, typedCents } from '#shared/money';

describe('money', () => {
  it('parses decimal text to exact cents, even if a float would lose one', () => {
    expect(['19.99', '0.07', '1.1', '184', '1234567.89'].map(parseCents)).toEqual([1999, 7, 110, 18400, 123456789]);
    // 19.99 * 100 is 1998.9999999999998 in floating point.
    for (let cents = 0; cents < 100_000; cents += 7) expect(parseCents(decimalFromCents(cents))).toBe(cents);
  });

  it('rejects anything but a plain amount', () => {
    const unreadableTexts = [
      '',
      ' ',
      'abc',
      '1e309',
      '12.345',
      '2473.2965',
      '0.001',
      '1234567890123',
      '1,000.00',
      '1e2',
      '80.0 ',
      'NaN',
      'Infinity',
      '0x10',
      '1.',
      '.5',
      '--1',
      null,
      undefined,
    ];
    expect(unreadableTexts.map(parseCents)).toEqual(unreadableTexts.map(() => null));
  });

  it('accepts extra trailing zeros from an API, but not in a typed amount', () => {
    const paddedTexts = ['80.000', '80.0000000', '19.990', '-0.000'];
    expect(paddedTexts.map(parseCents)).toEqual([8000, 8000, 1999, 0]);
    expect(paddedTexts.map(typedCents)).toEqual([null, null, null, null]);
    expect(['1.000', '80.00', '80', '19.9', '-5.00', ''].map(typedCents)).toEqual([null, 8000, 8000, 1990, -500, null]);
  });

  it('keeps the sign, except for zero', () => {
    expect(parseCents('-12.30')).toBe(-1230);
    expect(Object.is(parseCents('-0.00'), 0)).toBe(true);
    expect(decimalFromCents(-5)).toBe('-0.05');
    expect(formatMoney(-7110, 'USD')).toBe('−$71.10');
  });

  it('formats another currency with its own symbol', () => {
    expect(formatMoney(118400, 'USD')).toBe('$1,184.00');
    expect(formatMoney(118400, 'EUR')).toBe('€1,184.00');
  });
});
