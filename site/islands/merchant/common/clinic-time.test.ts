import { describe, expect, it } from 'vitest';
import { describeClinicTime } from './clinic-time.ts';

const MARCH_4 = new Date('2026-03-04T15:42:00Z');
const CLINIC_ZONE = 'America/Indiana/Indianapolis';

describe('clinic time notice', () => {
  it.each([
    ['three hours west', 'America/Los_Angeles', 'Times are in the clinic’s time zone, 3 hours ahead of yours.'],
    ['an hour west', 'America/Chicago', 'Times are in the clinic’s time zone, 1 hour ahead of yours.'],
    ['overseas', 'Europe/Berlin', 'Times are in the clinic’s time zone, 6 hours behind yours.'],
    [
      'half an hour off, on another day',
      'Asia/Kolkata',
      'Times are in the clinic’s time zone, 10 hours 30 minutes behind yours.',
    ],
  ])('states the offset for a reader %s', (_title, readerZone, text) => {
    expect(describeClinicTime(CLINIC_ZONE, MARCH_4, readerZone)).toBe(text);
  });

  it.each([
    ['in the same zone', CLINIC_ZONE, CLINIC_ZONE],
    ['in another zone with the same time', CLINIC_ZONE, 'America/New_York'],
    ['if the clinic’s zone is unknown', 'Mars/Olympus', 'Europe/Berlin'],
  ])('is hidden for a reader %s', (_title, clinic, readerZone) => {
    expect(describeClinicTime(clinic, MARCH_4, readerZone)).toBeNull();
  });

  it('follows daylight saving changes', () => {
    const [before, after] = [new Date('2026-03-07T12:00:00Z'), new Date('2026-03-09T12:00:00Z')];
    expect(describeClinicTime('America/New_York', before, 'Europe/Berlin')).toContain('6 hours');
    expect(describeClinicTime('America/New_York', after, 'Europe/Berlin')).toContain('5 hours');
  });
});
