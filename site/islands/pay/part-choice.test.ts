import { describe, expect, it } from 'vitest';
import type { PayParts, PayView } from '#shared/contracts/payment';
import { firstChoice, partPaid, typedPart } from './Part.tsx';

const parts: PayParts = {
  base: '184.00',
  paid: '0.00',
  taken: [],
  deposit: null,
  only: null,
  range: { least: '20.00', most: '164.00' },
};
const view = (changes: Partial<PayParts> = {}) =>
  ({ invoice: { amountDue: '184.00' }, parts: { ...parts, ...changes } }) as PayView;
const paid = (amount: string) => ({ amount }) as Parameters<typeof partPaid>[1];

describe('typed amount of an installment', () => {
  it.each(['46', '46.0', ' $46.00'])('is parsed as money: %s', (text) => {
    expect(typedPart(text, parts)).toEqual({ cents: 4_600, part: { amount: '46.00' } });
  });
  it('is accepted from the smallest to the largest installment', () => {
    expect(typedPart('20.00', parts)?.cents).toBe(2_000);
    expect(typedPart('164.00', parts)?.cents).toBe(16_400);
    for (const text of ['19.99', '164.01', '184.00', '-46', '46.001', 'much', ''])
      expect(typedPart(text, parts)).toBeNull();
  });
});

describe('initial amount of the form', () => {
  it('is the full balance, or the only amount that is allowed after a failed attempt', () => {
    expect(firstChoice(view())).toEqual({ cents: 18_400 });
    expect(firstChoice(view({ only: '50.00' }))).toEqual({ cents: 5_000, part: { amount: '50.00' } });
    expect(firstChoice(view({ only: '184.00' }))).toEqual({ cents: 18_400 });
  });
});

describe('paidPartOf', () => {
  it('returns the paid and the remaining amount, or null for a full payment', () => {
    expect(partPaid(view(), paid('46.00'))).toEqual({ cents: 4_600, left: 13_800 });
    expect(partPaid(view(), paid('184.00'))).toBeNull();
    expect(partPaid({ invoice: { amountDue: '184.00' } } as PayView, paid('46.00'))).toBeNull();
  });
});
