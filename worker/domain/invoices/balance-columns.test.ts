import { describe, expect, it } from 'vitest';
import {
  acceptsMorePayments,
  type BalanceFacts,
  balanceColumns,
  type CollectionFacts,
  invoiceBalance,
  type PaymentFacts,
  payableState,
} from './invoice-balance.ts';

const facts = (overrides: Partial<BalanceFacts> = {}): BalanceFacts => ({
  localStatus: 'none',
  status: 'open',
  currency: 'USD',
  balanceCents: 500,
  ...overrides,
});

describe('the balance of an invoice', () => {
  it.each<[string, Partial<BalanceFacts>, ReturnType<typeof invoiceBalance>]>([
    ['open', {}, balance('open', 500)],
    ['paid in the CRM', { status: 'paid', balanceCents: 0 }, balance('paid', 0)],
    ['with an amount that cannot be read', { balanceCents: null }, balance('open', null)],
    ['paid here', { localStatus: 'paid' }, balance('paid', 0, { isSettledHere: true })],
    ['being paid by bank debit', { localStatus: 'submitted' }, balance('submitted', 500, { isSettledHere: true })],
    ...(['refunded', 'voided', 'returned'] as const).map(
      (localStatus) =>
        [localStatus, { localStatus }, balance(localStatus, 500, { isSettledHere: true, isReopenable: true })] as [
          string,
          Partial<BalanceFacts>,
          ReturnType<typeof invoiceBalance>,
        ],
    ),
    ['in installments', inParts(300), balance('open', 700, { installments: { baseCents: 1_000, paidCents: 300 } })],
    [
      'in installments, none paid',
      inParts(),
      balance('open', 1_000, { installments: { baseCents: 1_000, paidCents: 0 } }),
    ],
    ['in installments, paid in the CRM', { ...inParts(300), status: 'paid' }, balance('paid', 500)],
    [
      'in installments, all refunded',
      { ...inParts(0), localStatus: 'refunded' },
      balance('refunded', 500, { isSettledHere: true, isReopenable: true }),
    ],
    ['paid in installments', { ...inParts(1_000), localStatus: 'paid' }, balance('paid', 0, { isSettledHere: true })],
    [
      'paid in installments, a cent refunded',
      { ...inParts(999), localStatus: 'paid' },
      balance('paid', 0, { isSettledHere: true, isReopenable: true }),
    ],
    [
      'paid in installments of a cent, refunded',
      { partBaseCents: 1, localStatus: 'paid' },
      balance('paid', 0, { isSettledHere: true, isReopenable: true }),
    ],
  ])('is computed for an invoice: %s', (_title, overrides, expected) => {
    expect(invoiceBalance(facts(overrides))).toEqual(expected);
  });

  function inParts(partPaidCents?: number): Partial<BalanceFacts> {
    return { partBaseCents: 1_000, ...(partPaidCents !== undefined && { partPaidCents }) };
  }

  function balance(
    status: string,
    owedCents: number | null,
    overrides: Partial<ReturnType<typeof invoiceBalance>> = {},
  ) {
    return { status, owedCents, installments: null, isSettledHere: false, isReopenable: false, ...overrides };
  }

  it.each([
    ['none', 1, true],
    ['none', null, false],
    ['paid', 1, false],
  ] as const)(
    'allows more payments with local status %s and a base of %s: %s',
    (localStatus, partBaseCents, expected) => {
      expect(acceptsMorePayments({ localStatus, partBaseCents })).toBe(expected);
    },
  );
});

describe('the payable state of an invoice', () => {
  it.each<[Partial<BalanceFacts>, ReturnType<typeof payableState>]>([
    [{}, 'payable'],
    [{ balanceCents: 1 }, 'payable'],
    [{ balanceCents: 0 }, 'nothing-to-pay'],
    [{ balanceCents: -1 }, 'nothing-to-pay'],
    [{ balanceCents: 900 }, 'payable'],
    [{ balanceCents: 901 }, 'not-payable-online'],
    [{ balanceCents: null }, 'amount-unreadable'],
    [{ status: 'paid' }, 'paid'],
    [{ status: 'draft' }, 'not-payable-online'],
    [{ currency: 'CAD' }, 'not-payable-online'],
    [{ localStatus: 'paid', status: 'draft' }, 'paid'],
    [{ localStatus: 'submitted', status: 'draft' }, 'submitted'],
    [{ localStatus: 'voided', status: 'paid' }, 'not-payable-online'],
    [{ localStatus: 'refunded' }, 'not-payable-online'],
    [{ partBaseCents: 900, partPaidCents: 899, balanceCents: 0 }, 'payable'],
  ])('is derived for %j: %s', (overrides, state) => {
    expect(payableState(facts(overrides), 900)).toBe(state);
  });
});

const payment = (overrides: Partial<PaymentFacts> = {}): PaymentFacts => ({
  collection: 2,
  state: 'approved',
  amountCents: 1_000,
  refundedCents: 0,
  needsHumanFrom: '',
  isBooked: true,
  owedAgainCents: 0,
  ...overrides,
});

describe('the columns of an invoice due in one payment', () => {
  it.each<[string, Partial<PaymentFacts>[], string, number]>([
    ['no payment', [], 'none', 0],
    ['a payment', [{}], 'paid', 0],
    ['a payment of an earlier collection', [{ collection: 1 }], 'paid', 0],
    ['a payment that was refunded except for a cent', [{ refundedCents: 999 }], 'paid', 999],
    ['a payment that was refunded in full by partial refunds', [{ refundedCents: 1_000 }], 'none', 1_000],
    ['a bank debit that was accepted', [{ state: 'pending' }], 'submitted', 0],
    ['an accepted bank debit of an earlier collection', [{ state: 'pending', collection: 1 }], 'submitted', 0],
    ['an accepted bank debit in manual review', [{ state: 'needs_human', needsHumanFrom: 'pending' }], 'submitted', 0],
    ['an unknown payment in manual review', [{ state: 'needs_human', needsHumanFrom: 'unknown' }], 'none', 0],
    ['an accepted bank debit that was released', [{ state: 'not_charged', needsHumanFrom: 'pending' }], 'none', 0],
    ['a refund', [{ state: 'refunded', refundedCents: 1_000 }], 'refunded', 1_000],
    ['a void', [{ state: 'voided' }], 'voided', 0],
    [
      'a return after a refund',
      [{ state: 'refunded', refundedCents: 1_000 }, { state: 'returned' }],
      'returned',
      1_000,
    ],
    ['a return that was never booked', [{ state: 'returned', isBooked: false }], 'none', 0],
    ['a decline that was booked', [{ state: 'declined' }], 'none', 0],
    ['a refund of an earlier collection', [{ state: 'refunded', refundedCents: 1_000, collection: 1 }], 'none', 0],
  ])('are derived after %s', (_title, payments, localStatus, givenBackCents) => {
    expect(balanceColumns(2, null, payments.map(payment))).toEqual({
      localStatus,
      givenBackCents,
      partBaseCents: null,
      partPaidCents: 0,
    });
  });
});

describe('the columns of an invoice in installments', () => {
  const terms: CollectionFacts = { baseCents: 3_000, paidBeforeCents: 500, takenBeforeCents: 700 };
  const earlierPayment = (overrides: Partial<PaymentFacts> = {}) =>
    payment({ collection: 1, amountCents: 700, refundedCents: 200, ...overrides });

  it.each<[string, PaymentFacts[], string, number, number]>([
    ['nothing', [], 'none', 0, 0],
    ['a part', [earlierPayment(), payment()], 'none', 1_500, 0],
    ['all of it', [earlierPayment(), payment({ amountCents: 3_000 })], 'paid', 3_500, 0],
    ['all but a cent', [earlierPayment(), payment({ amountCents: 2_999 })], 'none', 3_499, 0],
    [
      'all of it, a cent refunded',
      [earlierPayment(), payment({ amountCents: 3_000, refundedCents: 1 })],
      'paid',
      3_499,
      1,
    ],
    [
      'all of it, all refunded by partial refunds',
      [earlierPayment(), payment({ amountCents: 3_000, refundedCents: 3_000 })],
      'none',
      500,
      3_000,
    ],
    [
      'all of it, one part refunded',
      [earlierPayment(), payment({ amountCents: 2_000 }), payment({ state: 'refunded', refundedCents: 1_000 })],
      'paid',
      ...[2_500, 1_000],
    ],
    [
      'all of it, all refunded',
      [earlierPayment(), payment({ amountCents: 3_000, state: 'refunded', refundedCents: 3_000 })],
      'refunded',
      ...[500, 3_000],
    ],
    [
      'all of it, one part voided',
      [earlierPayment(), payment({ amountCents: 2_000 }), payment({ state: 'voided' })],
      'none',
      ...[2_500, 0],
    ],
    [
      'only an earlier collection, since refunded',
      [earlierPayment({ amountCents: 3_700, refundedCents: 3_700, state: 'refunded' })],
      'none',
      ...[0, 0],
    ],
    [
      'only an earlier collection, since partly refunded',
      [earlierPayment({ amountCents: 3_700, refundedCents: 400 })],
      'none',
      3_300,
      0,
    ],
  ] as [string, PaymentFacts[], string, number, number][])(
    'are derived when the patient has paid %s',
    (_title, payments, localStatus, partPaidCents, givenBackCents) => {
      expect(balanceColumns(2, terms, payments)).toEqual({
        localStatus,
        givenBackCents,
        partBaseCents: 3_500,
        partPaidCents,
      });
    },
  );
});
