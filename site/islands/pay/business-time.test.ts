import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { businessTimeIn } from './words.ts';

// The current time is half past midnight for the payer, and 10:30 PM at the clinic.
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 5, 5, 30) });
  vi.stubEnv('TZ', 'America/New_York');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test.each([
  ['today', '2026-03-05T05:03:00.000Z', '10:03 PM', '10:03 p. m.'],
  ['on another day', '2026-03-04T04:05:00.000Z', 'Mar 3, 2026, 9:05 PM', '3 mar 2026, 9:05 p. m.'],
])('shows a time in the clinic’s zone, without the date if it is today there: %s', (_title, iso, en, es) => {
  const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ').replace('p.m.', 'p. m.');
  expect(withPlainSpaces(businessTimeIn('en', iso, 'America/Denver'))).toBe(en);
  expect(withPlainSpaces(businessTimeIn('es', iso, 'America/Denver'))).toBe(es);
});

test('does not change a time that cannot be parsed', () => {
  expect(businessTimeIn('es', 'odd', 'America/Denver')).toBe('odd');
});
