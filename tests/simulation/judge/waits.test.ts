import { expect, it } from 'vitest';
import { lengthWithout } from './waits.ts';

const out = (from: number, until: number) => ({ what: 'silence', from, until });

it.each([
  ['nothing between', [], 90],
  ['one in the middle', [out(20, 30)], 80],
  ['one that began before and one that ends after', [out(0, 20), out(95, 300)], 75],
  ['two at once, and one inside the other', [out(20, 50), out(40, 60), out(22, 24)], 50],
  ['all of it', [out(0, 300)], 0],
  ['another time', [out(200, 300)], 90],
])('a wait leaves outages out: %s', (_what, outages, ms) => {
  expect(lengthWithout(outages, 10, 100)).toBe(ms);
});
