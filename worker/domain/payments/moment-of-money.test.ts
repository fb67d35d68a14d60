import { expect, it } from 'vitest';
import { momentOfMoney } from './moment-of-money.ts';

const [MADE, LEARNED] = [1_000_000, 2_000_000];
const MAX_SKEW = 5 * 60_000;

it.each([
  ['at the time that the gateway reports', 1_500_000, 1_500_000],
  ['at the reported time if we learned of it at that time', LEARNED, LEARNED],
  [
    'at the reported time if it is at most five minutes before the attempt, since clocks may differ',
    MADE - MAX_SKEW,
    MADE - MAX_SKEW,
  ],
  ['when we learned of it if the reported time is even earlier', MADE - MAX_SKEW - 1, LEARNED],
  ['when we learned of it, if the reported time is later', LEARNED + 1, LEARNED],
  ['when we learned of it, if no time is reported', null, LEARNED],
])('money moved %s', (_title, reportedAt, at) => {
  expect(momentOfMoney({ createdAt: MADE }, reportedAt, LEARNED)).toBe(at);
});

it('money moved at the time that the gateway reports if the creation time of its attempt is unknown', () => {
  expect([-MAX_SKEW, -MAX_SKEW - 1].map((reportedAt) => momentOfMoney({}, reportedAt, LEARNED))).toEqual([
    -MAX_SKEW,
    LEARNED,
  ]);
});
