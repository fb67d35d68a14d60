import { describe, expect, it } from 'vitest';
import {
  acceptsMorePayments,
  type BalanceFacts,
  balanceColumns,
  invoiceBalance,
  type PaymentFacts,
  payableState,
} from './invoice-balance.ts';

const MAX_CENTS = 100_000;
const invoice = (overrides: Partial<BalanceFacts> = {}): BalanceFacts => ({
  localStatus: 'none',
  status: 'open',
  currency: 'USD',
  balanceCents: 18_400,
  partBaseCents: null,
  partPaidCents: 0,
  ...overrides,
});
const installments = (overrides: Partial<BalanceFacts> = {}) =>
  invoice({ balanceCents: 13_400, partBaseCents: 18_400, partPaidCents: 5_000, ...overrides });

describe('the payable state of an invoice', () => {
  it.each<[string, Partial<BalanceFacts>, string]>([
    ['open', {}, 'payable'],
    ['of one cent', { balanceCents: 1 }, 'payable'],
    ['of the largest amount', { balanceCents: MAX_CENTS }, 'payable'],
    ['above the largest amount', { balanceCents: MAX_CENTS + 1 }, 'not-payable-online'],
    ['with nothing owed', { balanceCents: 0 }, 'nothing-to-pay'],
    ['with a credit', { balanceCents: -1 }, 'nothing-to-pay'],
    ['of an amount that cannot be read', { balanceCents: null }, 'amount-unreadable'],
    ['in another currency', { currency: 'EUR' }, 'not-payable-online'],
    ['that is a draft', { status: 'draft' }, 'not-payable-online'],
    ['that is paid in the CRM', { status: 'paid' }, 'paid'],
    ['that was paid here', { localStatus: 'paid' }, 'paid'],
    [
      'that was paid here, and is open in the CRM in another currency',
      { localStatus: 'paid', currency: 'EUR' },
      'paid',
    ],
    ['with a pending bank payment', { localStatus: 'submitted' }, 'submitted'],
    ['that was refunded', { localStatus: 'refunded' }, 'not-payable-online'],
    ['that was voided', { localStatus: 'voided' }, 'not-payable-online'],
    ['that was returned, and is paid in the CRM', { localStatus: 'returned', status: 'paid' }, 'not-payable-online'],
  ])('is derived for an invoice %s', (_title, facts, expected) => {
    expect(payableState(invoice(facts), MAX_CENTS)).toBe(expected);
  });

  it('follows the remainder of the base for installments, whatever the CRM’s balance is', () => {
    expect(payableState(installments(), MAX_CENTS)).toBe('payable');
    expect(payableState(installments({ balanceCents: null }), MAX_CENTS)).toBe('payable');
    expect(payableState(installments({ partPaidCents: 18_400 }), MAX_CENTS)).toBe('nothing-to-pay');
  });
});

describe('the balance of an invoice', () => {
  it.each<[string, Partial<BalanceFacts>, object]>([
    ['open', {}, { status: 'open', owedCents: 18_400, isSettledHere: false, isReopenable: false }],
    ['paid here', { localStatus: 'paid' }, { status: 'paid', owedCents: 0, isSettledHere: true, isReopenable: false }],
    [
      'paid only in the CRM',
      { status: 'paid', balanceCents: 0 },
      { status: 'paid', owedCents: 0, isSettledHere: false },
    ],
    [
      'with a pending bank payment here',
      { localStatus: 'submitted' },
      { status: 'submitted', isSettledHere: true, isReopenable: false },
    ],
    ['refunded', { localStatus: 'refunded' }, { status: 'refunded', owedCents: 18_400, isReopenable: true }],
    ['voided', { localStatus: 'voided' }, { status: 'voided', isReopenable: true }],
    ['returned', { localStatus: 'returned' }, { status: 'returned', isReopenable: true }],
  ])('is derived for an invoice %s', (_title, facts, expected) => {
    expect(invoiceBalance(invoice(facts))).toMatchObject({ installments: null, ...expected });
  });

  it.each<[string, Partial<BalanceFacts>, object]>([
    ['open', {}, { owedCents: 13_400, installments: { baseCents: 18_400, paidCents: 5_000 }, isReopenable: false }],
    ['closed in the CRM', { status: 'voided' }, { owedCents: 13_400, installments: null, isReopenable: false }],
    ['paid', { localStatus: 'paid', partPaidCents: 18_400 }, { owedCents: 0, installments: null, isReopenable: false }],
    ['paid, a cent refunded', { localStatus: 'paid', partPaidCents: 18_399 }, { isReopenable: true }],
    ['all refunded', { localStatus: 'refunded', partPaidCents: 0 }, { installments: null, isReopenable: true }],
  ])('is derived for an invoice in installments: %s', (_title, facts, expected) => {
    expect(invoiceBalance(installments(facts))).toMatchObject(expected);
  });

  it('allows another payment only while installments are open', () => {
    expect(acceptsMorePayments({ localStatus: 'none', partBaseCents: 18_400 })).toBe(true);
    expect(acceptsMorePayments({ localStatus: 'paid', partBaseCents: 18_400 })).toBe(false);
    expect(acceptsMorePayments({ localStatus: 'none', partBaseCents: null })).toBe(false);
  });
});

describe('the columns of an invoice in installments', () => {
  const payment = (overrides: object) => ({
    collection: 2,
    state: 'approved' as const,
    amountCents: 500,
    refundedCents: 0,
    needsHumanFrom: '',
    isBooked: true,
    owedAgainCents: 0,
    ...overrides,
  });
  const secondCollection = { baseCents: 500, paidBeforeCents: 11_500, takenBeforeCents: 11_500 };

  it('stay paid when an earlier collection is refunded after the last installment', () => {
    const earlier = payment({ collection: 1, amountCents: 12_000, refundedCents: 999 });
    expect(balanceColumns(2, secondCollection, [earlier, payment({})])).toEqual({
      localStatus: 'paid',
      givenBackCents: 0,
      partBaseCents: 12_000,
      partPaidCents: 11_501,
    });
  });

  it('are open again when a payment of an earlier collection was voided', () => {
    const earlier = [payment({ collection: 1, amountCents: 8_500 }), payment({ collection: 1, amountCents: 3_000 })];
    expect(balanceColumns(2, secondCollection, [...earlier, payment({})])).toMatchObject({ localStatus: 'paid' });
    const [remainingPart, voidedPart] = earlier;
    const voidedPayment = { ...voidedPart, state: 'voided' as const, refundedCents: 3_000 };
    expect(
      balanceColumns(2, secondCollection, [remainingPart, voidedPayment, payment({})] as PaymentFacts[]),
    ).toMatchObject({
      localStatus: 'none',
      partPaidCents: 9_000,
    });
  });

  it('are open when a late charge of an earlier collection was refunded', () => {
    const latePayment = payment({ collection: 1, amountCents: 12_000, state: 'refunded', refundedCents: 12_000 });
    const terms = { baseCents: 12_000, paidBeforeCents: 0, takenBeforeCents: 0 };
    expect(balanceColumns(2, terms, [latePayment])).toMatchObject({ localStatus: 'none', givenBackCents: 0 });
  });

  it('are refunded once the current collection is fully refunded, even if an earlier one is not', () => {
    const earlier = payment({ collection: 1, amountCents: 11_500 });
    const refundedPayment = payment({ state: 'refunded', refundedCents: 500 });
    expect(balanceColumns(2, secondCollection, [earlier, refundedPayment])).toMatchObject({
      localStatus: 'refunded',
      givenBackCents: 500,
    });
  });
});
