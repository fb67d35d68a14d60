import { expect, it } from 'vitest';
import { negate } from './amount.ts';

it.each([
  ['38.40', '-38.40'],
  ['-38.40', '-38.40'],
  ['0.00', '0.00'],
  ['N/A', 'N/A'],
])('negates the returned amount %s as %s', (amount, text) => {
  expect(negate(amount)).toBe(text);
});
