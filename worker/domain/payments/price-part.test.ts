import { expect, it } from 'vitest';
import type { CollectionState } from '#worker/data/installments/collections';
import { rangeOf, remainingOf } from './price.ts';

/** 184.00 in at most three parts of at least 20.00. */
const collectionStateWith = (overrides: Partial<CollectionState> = {}) =>
  ({ baseCents: 18_400, minCents: 2_000, maxParts: 3, paidCents: 0, taken: 0, ...overrides }) as CollectionState;

it('the remaining amount is the base minus the amount paid', () => {
  expect(remainingOf(collectionStateWith({ paidCents: 400 }))).toBe(18_000);
});

it.each<[string, Partial<CollectionState>, ReturnType<typeof rangeOf>]>([
  ['leave another part', {}, { minCents: 2_000, maxCents: 16_400 }],
  ['leave the last part', { paidCents: 5_000, taken: 1 }, { minCents: 2_000, maxCents: 11_400 }],
  ['be all of the rest as the last part', { paidCents: 5_000, taken: 2 }, null],
  [
    'be half of the rest when exactly two minimum parts are left',
    { paidCents: 14_400, taken: 1 },
    { minCents: 2_000, maxCents: 2_000 },
  ],
  ['be all of the rest when less than two minimum parts are left', { paidCents: 14_401, taken: 1 }, null],
])('requires the next installment to %s', (_title, overrides, range) => {
  expect(rangeOf(collectionStateWith(overrides))).toEqual(range);
});
