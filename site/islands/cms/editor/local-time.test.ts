import { expect, it, vi } from 'vitest';
import { parseFieldValue, toFieldValue, zoneAt, zoneOf } from './panels/ScheduleFields.tsx';

it('a field preserves a time to the minute', () => {
  for (const iso of ['2026-11-30T09:00:00.000Z', '2026-07-01T23:59:00.000Z'])
    expect(parseFieldValue(toFieldValue(iso))).toBe(iso);
  expect(toFieldValue('2026-11-30T09:00:00.000Z')).toMatch(/^2026-(11-30|12-01|11-29)T\d\d:\d\d$/);
});

it('an empty field or an incomplete date has no time', () => {
  expect([
    toFieldValue(null),
    parseFieldValue(''),
    parseFieldValue('2026-11'),
    parseFieldValue('2026-13-45T10:00'),
  ]).toEqual(['', null, null, null]);
});

it('the time zone of a field depends on its date, not on today', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect([zoneOf('2026-07-04T16:00:00.000Z'), zoneOf('2026-12-04T16:00:00.000Z')]).toEqual(['EDT', 'EST']);
  vi.unstubAllEnvs();
});

it('the time zone has a name', () => {
  expect(zoneAt(new Date())).not.toBe('');
});

it.each([
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-10-04'],
  ['America/Santiago', '2026-04-05', '2026-09-06'],
  ['Asia/Kolkata', '2026-03-29', '2026-10-25'],
])('a field preserves times around the clock changes of %s, except in a repeated hour', (zone, ...days) => {
  vi.stubEnv('TZ', zone);
  const changedTimes = days.flatMap((day) =>
    // Each quarter of an hour from a day before to two days after.
    Array.from({ length: 4 * 24 * 4 }, (_, quarter) => Date.parse(day) - 86_400_000 + quarter * 900_000).filter(
      (at) => parseFieldValue(toFieldValue(new Date(at).toISOString())) !== new Date(at).toISOString(),
    ),
  );
  const repeatedTimes = changedTimes.filter((at) => {
    const parsed = parseFieldValue(toFieldValue(new Date(at).toISOString()));
    return parsed !== null && toFieldValue(parsed) === toFieldValue(new Date(at).toISOString());
  });
  vi.unstubAllEnvs();
  expect(changedTimes).toEqual(repeatedTimes);
  // Clocks are set back once a year, by an hour at most.
  expect(changedTimes.length).toBeLessThanOrEqual(4);
});
