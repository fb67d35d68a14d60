import { localHour } from '#shared/text/local-day';

const HOUR = 3_600_000;
const NIGHT_HOUR = 2;

/**
 * The next full hour at which it is 2 a.m. in an IANA time zone, or 3 a.m. if clocks skip that hour. There is one such
 * hour each night.
 */
export function nextNight(now: number, timeZone: string): number {
  const nextFullHour = Math.floor(now / HOUR) * HOUR + HOUR;
  for (let at = nextFullHour; at < nextFullHour + 50 * HOUR; at += HOUR)
    if (isNight(localHour(at, timeZone)) && localHour(at - HOUR, timeZone) < NIGHT_HOUR) return at;
  return now + 24 * HOUR;
}

const isNight = (hour: number): boolean => hour === NIGHT_HOUR || hour === NIGHT_HOUR + 1;
