import { expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

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
