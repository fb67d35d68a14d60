import { expect, it } from 'vitest';
import { formatBytes, formatMegabytes } from './format-bytes.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [99_960, '100 kB'],
  [999_400, '999 kB'],
  [999_600, '1 MB'],
  [24_960_000, '25 MB'],
  [1_940_000_000, '1.9 GB'],
  [5e15, '5000 TB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [0, '0.00 MB'],
  [4_999, '0.00 MB'],
  [5_000, '0.01 MB'],
  [1_936_000, '1.94 MB'],
  [25_000_000, '25.00 MB'],
])('formats %i bytes in MB to two decimals as %s', (bytes, text) => {
  expect(formatMegabytes(bytes)).toBe(text);
});
