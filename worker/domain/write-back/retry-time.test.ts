import { expect, it } from 'vitest';
import { retryTime } from './effect.ts';

const WEEK = 7 * 24 * 3_600_000;

it.each([
  [1, WEEK],
  [4, WEEK],
  [5, null],
])('a record refused %s times by the CRM is retried after %s ms', (tries, after) => {
  expect(retryTime({ tries }, 0)).toBe(after);
});
