import { describe, expect, it } from 'vitest';
import { addDays, addLocalDays, dayOfDate, daysBetween, localDay, localHour, startOfDay } from './local-day.ts';

describe('a local day', () => {
  it('changes at local midnight, even when daylight saving time starts or ends', () => {
    expect(localDay(Date.UTC(2026, 2, 8, 4, 59), 'America/New_York')).toBe('2026-03-07');
    expect(localDay(Date.UTC(2026, 2, 8, 5, 0), 'America/New_York')).toBe('2026-03-08');
    expect(localDay(Date.UTC(2026, 2, 9, 3, 59), 'America/New_York')).toBe('2026-03-08');
    expect(localDay(Date.UTC(2026, 2, 9, 4, 0), 'America/New_York')).toBe('2026-03-09');
    expect(localDay(Date.UTC(2026, 10, 2, 4, 59), 'America/New_York')).toBe('2026-11-01');
  });

  it('skips or repeats one hour when the clocks change', () => {
    const hour = (at: number) => localHour(at, 'America/New_York');
    expect([0, 1, 2, 3].map((hoursLater) => hour(Date.UTC(2026, 2, 8, 5 + hoursLater)))).toEqual([0, 1, 3, 4]);
    expect([0, 1, 2, 3].map((hoursLater) => hour(Date.UTC(2026, 10, 1, 4 + hoursLater)))).toEqual([0, 1, 1, 2]);
    expect(localHour(Date.UTC(2026, 0, 1, 23, 59), 'Nowhere/Atall')).toBe(23);
  });

  it('is the same in every zone for a date stored as midnight UTC', () => {
    expect(dayOfDate(Date.UTC(2026, 2, 9), 'America/New_York')).toBe('2026-03-09');
    expect(dayOfDate(Date.UTC(2026, 2, 9, 0, 0, 1), 'America/New_York')).toBe('2026-03-08');
  });

  it('falls back to the UTC day for an unknown zone', () => {
    expect(localDay(Date.UTC(2026, 0, 1, 23, 59), 'Nowhere/Atall')).toBe('2026-01-01');
  });

  it('adds days across months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(daysBetween('2026-03-07', '2026-03-10')).toEqual(['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10']);
  });

  it('starts at the right time even if the clocks skip midnight', () => {
    const at = (day: string, zone: string) => new Date(startOfDay(day, zone)).toISOString();
    expect(at('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
    expect(at('2026-03-09', 'America/New_York')).toBe('2026-03-09T04:00:00.000Z');
    expect(at('2026-03-04', 'Pacific/Kiritimati')).toBe('2026-03-03T10:00:00.000Z');
    expect(at('2026-03-04', 'Etc/GMT+12')).toBe('2026-03-04T12:00:00.000Z');
    expect(at('2024-04-26', 'Africa/Cairo')).toBe('2024-04-25T22:00:00.000Z');
    expect(at('2026-03-04', 'Nowhere/Atall')).toBe('2026-03-04T00:00:00.000Z');
  });

  it('maps to the same clock time a week earlier, even across a clock change', () => {
    const weekBefore = (at: number, zone: string) => new Date(addLocalDays(at, -7, zone)).toISOString();
    expect(weekBefore(Date.UTC(2026, 10, 24, 19, 18), 'America/New_York')).toBe('2026-11-17T19:18:00.000Z');
    expect(weekBefore(Date.UTC(2026, 10, 3, 15), 'America/New_York')).toBe('2026-10-27T14:00:00.000Z');
    expect(weekBefore(Date.UTC(2026, 2, 10, 14), 'America/New_York')).toBe('2026-03-03T15:00:00.000Z');
    // On October 4, 2026, the clocks of Lord Howe Island go forward by half an hour.
    expect(weekBefore(Date.UTC(2026, 9, 6, 1), 'Australia/Lord_Howe')).toBe('2026-09-29T01:30:00.000Z');
    expect(weekBefore(Date.UTC(2026, 2, 10, 14), 'Nowhere/Atall')).toBe('2026-03-03T14:00:00.000Z');
  });
});
