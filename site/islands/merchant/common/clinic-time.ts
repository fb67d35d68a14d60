import { formatCount } from '#shared/text/format-count';
import { formatInZone } from '#site/islands/ui/format-moment.ts';

export const CLINIC_TIME_ID = 'clinic-time';

const MINUTE_MS = 60_000;

/** Returns the wall-clock time at an instant as if it were in UTC (ms). The Swedish locale formats ISO dates. */
const wallClock = (date: Date, timeZone?: string): number =>
  Date.parse(`${date.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`);

/**
 * Returns for example "Times are in the clinic’s time zone, 3 hours behind yours." Null if both clocks show the same
 * time, or if the browser does not know one of the zones.
 */
export function describeClinicTime(clinicZone: string, date = new Date(), readerZone?: string): string | null {
  try {
    const minutes = Math.round((wallClock(date, clinicZone) - wallClock(date, readerZone)) / MINUTE_MS);
    if (minutes === 0) return null;
    const distance = Math.abs(minutes);
    const parts = [
      Math.floor(distance / 60) && formatCount(Math.floor(distance / 60), 'hour'),
      distance % 60 && formatCount(distance % 60, 'minute'),
    ];
    return `Times are in the clinic’s time zone, ${parts.filter(Boolean).join(' ')} ${minutes < 0 ? 'behind' : 'ahead of'} yours.`;
  } catch {
    return null;
  }
}

/** Shows a notice below every screen if the clinic's time differs from the reader's. */
export function showClinicTime(clinicZone: string): void {
  const text = describeClinicTime(clinicZone);
  const line = document.getElementById(CLINIC_TIME_ID);
  if (!line || !text) return;
  line.textContent = text;
  line.hidden = false;
}

/** Returns the name of the clinic's zone, for example "Eastern Time". */
export const clinicZone = (): string =>
  formatInZone(new Date(), { timeZoneName: 'longGeneric' }).split(', ').at(-1) ?? '';
