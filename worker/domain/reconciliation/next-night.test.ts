import { expect, it } from 'vitest';
import { nextNight } from './next-night.ts';

const next = (from: string, zone: string) => new Date(nextNight(Date.parse(from), zone)).toISOString();

it.each([
  ['the same day', '2026-03-04T01:30:00Z', 'UTC', '2026-03-04T02:00:00.000Z'],
  ['the next day, at the very hour', '2026-03-04T02:00:00Z', 'UTC', '2026-03-05T02:00:00.000Z'],
  ['by the clock of the zone', '2026-01-04T12:00:00Z', 'America/New_York', '2026-01-05T07:00:00.000Z'],
  [
    'a day later where clocks leave two o’clock out',
    '2026-03-08T06:30:00Z',
    'America/New_York',
    '2026-03-09T06:00:00.000Z',
  ],
  ['in UTC where the zone is not known', '2026-03-04T01:00:00Z', 'Nowhere/Land', '2026-03-04T02:00:00.000Z'],
])('the next night is %s', (_when, from, zone, at) => {
  expect(next(from, zone)).toBe(at);
});
