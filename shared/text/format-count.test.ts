import { expect, it } from 'vitest';
import { formatCount } from './format-count.ts';

it('formats a count with its noun', () => {
  expect([0, 1, 1200].map((n) => formatCount(n, 'clinic'))).toEqual(['0 clinics', '1 clinic', '1,200 clinics']);
  expect([1, 2].map((n) => formatCount(n, 'batch', 'batches'))).toEqual(['1 batch', '2 batches']);
});
