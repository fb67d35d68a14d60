import { describe, expect, it } from 'vitest';
import { nextNight } from './next-night.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

describe('the next night', () => {
  it.each([
    ['the same day', '2026-03-04T01:30Z', 'UTC', '2026-03-04T02:00Z'],
    ['the next day, at exactly that hour', '2026-03-04T02:00Z', 'UTC', '2026-03-05T02:00Z'],
    ['an ordinary night', '2026-03-04T18:00Z', 'America/New_York', '2026-03-05T07:00Z'],
    ['a night in which clocks skip 2 a.m.', '2026-03-07T18:00Z', 'America/New_York', '2026-03-08T07:00Z'],
    ['a night that has 1 a.m. twice', '2026-10-31T18:00Z', 'America/New_York', '2026-11-01T07:00Z'],
    ['a night that has 2 a.m. twice', '2026-10-24T18:00Z', 'Europe/Berlin', '2026-10-25T00:00Z'],
    ['an unknown zone', '2026-03-04T18:00Z', 'Nowhere/Else', '2026-03-05T02:00Z'],
  ])('begins at 2 a.m. local time: %s', (_title, now, timeZone, expected) => {
    expect(new Date(nextNight(at(now), timeZone)).toISOString()).toBe(new Date(expected).toISOString());
  });

  it('comes once a day through a year with clock changes', () => {
    const nights: number[] = [];
    for (let now = at('2026-01-01T18:00Z'); now < at('2026-12-31T18:00Z'); now = nights.at(-1) ?? now)
      nights.push(nextNight(now, 'America/New_York'));
    expect(nights).toHaveLength(365);
    const pauses = nights.slice(1).map((night, n) => (night - (nights[n] ?? 0)) / HOUR);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(25);
  });
});
