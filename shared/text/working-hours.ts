import { addDays, type Day, localDay, localHour, startOfDay, weekdayOf } from './local-day.ts';

/**
 * Times for automatic emails to payers: on working days between 8:00 and 21:00 local time of the business, scheduled
 * for 9:00. All times follow the local calendar and clock, also on days with a clock change.
 */
const SEND_HOUR = 9;
const FIRST_HOUR = 8;
const END_HOUR = 21;
const HOUR_MS = 3_600_000;

export function isWorkingDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday > 0 && weekday < 6;
}

/** Returns the time (UTC ms) of a full local hour (0 to 23) on a day. */
export function clockTime(day: Day, hour: number, timeZone: string): number {
  const at = startOfDay(day, timeZone) + hour * HOUR_MS;
  // Corrects for a clock change earlier on that day.
  return at + (hour - localHour(at, timeZone)) * HOUR_MS;
}

/** Returns the sending time on a day (UTC ms). */
export const sendingTime = (day: Day, timeZone: string): number => clockTime(day, SEND_HOUR, timeZone);

export const mayEmailAt = (at: number, timeZone: string): boolean => {
  const hour = localHour(at, timeZone);
  return isWorkingDay(localDay(at, timeZone)) && hour >= FIRST_HOUR && hour < END_HOUR;
};

export function workingDayFrom(day: Day): Day {
  let next = day;
  while (!isWorkingDay(next)) next = addDays(next, 1);
  return next;
}

/** Returns the first sending time after a time (UTC ms). */
export function nextSendingTime(after: number, timeZone: string): number {
  const day = workingDayFrom(localDay(after, timeZone));
  const at = sendingTime(day, timeZone);
  return at > after ? at : sendingTime(workingDayFrom(addDays(day, 1)), timeZone);
}

/** Returns the last working day whose sending time has passed. */
export function lastSendingDay(now: number, timeZone: string): Day {
  let day = localDay(now, timeZone);
  while (!isWorkingDay(day) || sendingTime(day, timeZone) > now) day = addDays(day, -1);
  return day;
}
