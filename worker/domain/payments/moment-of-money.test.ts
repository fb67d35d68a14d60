import { expect, it } from 'vitest';
import { momentOfMoney } from './moment-of-money.ts';

const [MADE_AT, LEARNED_AT] = [1_000_000, 2_000_000];
const MAX_SKEW = 5 * 60_000;

it.each([
  ['at the time that the gateway reports', 1_500_000, 1_500_000],
  ['at the reported time if we learned of it at that time', LEARNED_AT, LEARNED_AT],
  [
    'at the reported time if it is at most five minutes before the attempt, since clocks may differ',
    MADE_AT - MAX_SKEW,
    MADE_AT - MAX_SKEW,
  ],
  ['when we learned of it if the reported time is even earlier', MADE_AT - MAX_SKEW - 1, LEARNED_AT],
  ['when we learned of it, if the reported time is later', LEARNED_AT + 1, LEARNED_AT],
  ['when we learned of it, if no time is reported', null, LEARNED_AT],
])('money moved %s', (_title, reportedAt, at) => {
  expect(momentOfMoney({ createdAt: MADE_AT }, reportedAt, LEARNED_AT)).toBe(at);
});

it('money moved at the time that the gateway reports if the creation time of its attempt is unknown', () => {
  expect([-MAX_SKEW, -MAX_SKEW - 1].map((reportedAt) => momentOfMoney({}, reportedAt, LEARNED_AT))).toEqual([
    -MAX_SKEW,
    LEARNED_AT,
  ]);
});
