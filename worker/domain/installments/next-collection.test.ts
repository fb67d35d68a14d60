import { expect, it } from 'vitest';
import type { CollectionState } from '#worker/data/installments/collections';
import type { Merchant } from '#worker/domain/merchants/session';
import { collectionAfter } from './collection.ts';

const previousState = {
  accountId: 7,
  invoiceId: '1',
  n: 3,
  baseCents: 9_000,
  minCents: 1_000,
  depositCents: 2_000,
  maxParts: 5,
  paidBeforeCents: 400,
  paidCents: 2_500,
  taken: 2,
  nextN: 6,
  crmBalanceCents: 9_100,
  movedCents: 600,
  crmBilledCents: 9_900,
} as CollectionState;
const nextCollection = (overrides: Partial<CollectionState> = {}, changes = {}) =>
  collectionAfter({ ...previousState, ...overrides }, { userId: 4 } as Merchant, 77, changes);

it('the next collection takes over the remaining amount and the balance that the CRM must show now', () => {
  expect(nextCollection()).toEqual({
    accountId: 7,
    invoiceId: '1',
    n: 6,
    baseCents: 6_500,
    minCents: 1_000,
    depositCents: null,
    maxParts: 3,
    paidBeforeCents: 2_900,
    crmBalanceCents: 8_500,
    crmBilledCents: 9_900,
    openedBy: 4,
    openedAt: 77,
  });
});

it('the next collection has at least one installment, and none above the total', () => {
  expect(nextCollection({ taken: 4 }).maxParts).toBe(1);
  expect(nextCollection({ taken: 5 }).maxParts).toBe(1);
  expect(nextCollection({ paidCents: 8_500 })).toMatchObject({ baseCents: 500, minCents: 500 });
});

it('the next collection applies the given changes', () => {
  const changes = { baseCents: 700, minCents: 800, maxParts: 1, crmBalanceCents: 1, crmBilledCents: 2 };
  expect(nextCollection({}, changes)).toMatchObject({ ...changes, minCents: 700 });
});
