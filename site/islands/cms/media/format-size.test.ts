import { expect, it } from 'vitest';
import { formatSize } from './format-size.ts';

it.each([
  [0, '0.00 MB'],
  [4_999, '0.00 MB'],
  [5_000, '0.01 MB'],
  [1_240_000, '1.24 MB'],
  [25_000_000, '25.00 MB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});
