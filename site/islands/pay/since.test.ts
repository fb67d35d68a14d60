import { expect, test } from 'vitest';
import { sinceIn } from './words.ts';

test('a time is shown with its day in the page language, or alone if it is today', () => {
  const old = new Date(2026, 2, 4, 15, 5).toISOString();
  expect(sinceIn('en', old)).toMatch(/^Mar 4, 2026, 3:05\sPM$/);
  expect(sinceIn('es', old)).toMatch(/^4 mar 2026, 3:05\sp\.\s?m\.$/);
  expect([sinceIn('en', new Date().toISOString()), sinceIn('es', 'odd')]).toEqual([
    expect.not.stringContaining(','),
    'odd',
  ]);
});
