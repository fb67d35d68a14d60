import { expect, it } from 'vitest';
import { askAgainAt } from './effect.ts';

const WEEK = 7 * 24 * 3_600_000;

it.each([
  [1, WEEK],
  [4, WEEK],
  [5, null],
])('what the CRM refused %s times is asked for again in %s ms', (tries, after) => {
  expect(askAgainAt({ tries }, 0)).toBe(after);
});
