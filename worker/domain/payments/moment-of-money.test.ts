import { expect, it } from 'vitest';
import { momentOfMoney } from './moment-of-money.ts';

const [MADE, LEARNED] = [1_000_000, 2_000_000];
const APART = 5 * 60_000;

it.each([
  ['as the gateway tells it', 1_500_000, 1_500_000],
  ['up to the moment when we learned of it', LEARNED, LEARNED],
  ['from five minutes before the attempt on, by clocks that are apart', MADE - APART, MADE - APART],
  ['when we learned of it, if it is told for a time before that', MADE - APART - 1, LEARNED],
  ['when we learned of it, if it is told for later', LEARNED + 1, LEARNED],
  ['when we learned of it, if nothing is told', null, LEARNED],
])('money moved %s', (_when, told, at) => {
  expect(momentOfMoney({ createdAt: MADE }, told, LEARNED)).toBe(at);
});

it('money of an attempt without a known creation time moved as the gateway tells it', () => {
  expect([-APART, -APART - 1].map((told) => momentOfMoney({}, told, LEARNED))).toEqual([-APART, LEARNED]);
});
