import { describe, expect, it } from 'vitest';
import type { PayParts, PayView } from '#shared/contracts/payment';
import { initialAmount, paidPartOf, parsePart } from './Part.tsx';

const parts: PayParts = {
  base: '184.00',
  paid: '0.00',
  taken: [],
  deposit: null,
  only: null,
  range: { least: '20.00', most: '164.00' },
};
const viewWith = (changes: Partial<PayParts> = {}) =>
  ({ invoice: { amountDue: '184.00' }, parts: { ...parts, ...changes } }) as PayView;
const transactionOf = (amount: string) => ({ amount }) as Parameters<typeof paidPartOf>[1];

describe('typed amount of an installment', () => {
  it.each(['46', '46.0', ' $46.00'])('is parsed as money: %s', (text) => {
    expect(parsePart(text, parts)).toEqual({ cents: 4_600, part: { amount: '46.00' } });
  });
  it('is accepted from the smallest to the largest installment', () => {
    expect(parsePart('20.00', parts)?.cents).toBe(2_000);
    expect(parsePart('164.00', parts)?.cents).toBe(16_400);
    for (const text of ['19.99', '164.01', '184.00', '-46', '46.001', 'much', ''])
      expect(parsePart(text, parts)).toBeNull();
  });
});

describe('initial amount of the form', () => {
  it('is the full balance, or the only amount that is allowed after a failed attempt', () => {
    expect(initialAmount(viewWith())).toEqual({ cents: 18_400 });
    expect(initialAmount(viewWith({ only: '50.00' }))).toEqual({ cents: 5_000, part: { amount: '50.00' } });
    expect(initialAmount(viewWith({ only: '184.00' }))).toEqual({ cents: 18_400 });
  });
});

describe('paidPartOf', () => {
  it('returns the paid and the remaining amount, or null for a full payment', () => {
    expect(paidPartOf(viewWith(), transactionOf('46.00'))).toEqual({ cents: 4_600, left: 13_800 });
    expect(paidPartOf(viewWith(), transactionOf('184.00'))).toBeNull();
    expect(paidPartOf({ invoice: { amountDue: '184.00' } } as PayView, transactionOf('46.00'))).toBeNull();
  });
});
