import { expect, it, vi } from 'vitest';
import { fromField, toField, zoneAt, zoneOf } from './panels/ScheduleFields.tsx';

it('a time survives the round trip through the field to the minute', () => {
  for (const iso of ['2026-11-30T09:00:00.000Z', '2026-07-01T23:59:00.000Z']) expect(fromField(toField(iso))).toBe(iso);
  expect(toField('2026-11-30T09:00:00.000Z')).toMatch(/^2026-(11-30|12-01|11-29)T\d\d:\d\d$/);
});

it('an empty field or an incomplete date has no time', () => {
  expect([toField(null), fromField(''), fromField('2026-11'), fromField('2026-13-45T10:00')]).toEqual([
    '',
    null,
    null,
    null,
  ]);
});

it('the time zone of a field is that of its date, not of today', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect([zoneOf('2026-07-04T16:00:00.000Z'), zoneOf('2026-12-04T16:00:00.000Z')]).toEqual(['EDT', 'EST']);
  vi.unstubAllEnvs();
});

it('the time zone has a name', () => {
  expect(zoneAt(new Date())).not.toBe('');
});
