import { expect, it } from 'vitest';
import { formatList } from './format-list.ts';

it.each([
  [[], ''],
  [['INV-1'], 'INV-1'],
  [['INV-1', 'INV-2'], 'INV-1 and INV-2'],
  [[3, 7, 14], '3, 7 and 14'],
])('formats %j as %j', (items, text) => {
  expect(formatList(items)).toBe(text);
});
