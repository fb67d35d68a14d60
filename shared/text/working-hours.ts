import { addDays, type Day, localDay, localHour, startOfDay } from './local-day.ts';

/**
 * When a business may write to its payers by itself: on working days between 8:00 and 21:00 of its own place, and by
 * plan at 9:00. All by the calendar and clock of the place, whatever an hour of a clock change is worth.
 */
const SEND_AT = 9;
const FROM = 8;
const TO = 21;
const HOUR_MS = 3_600_000;

export function isWorkingDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday > 0 && weekday < 6;
}

/** When the clock of a place shows a full hour (0 to 23) on a day (UTC ms). */
export function clockTime(day: Day, hour: number, timeZone: string): number {
  const at = startOfDay(day, timeZone) + hour * HOUR_MS;
  // A day on which the clock changed before that time.
  return at + (hour - localHour(at, timeZone)) * HOUR_MS;
}

/** When the clock of a place shows the time of sending on a day (UTC ms). */
export const sendingTime = (day: Day, timeZone: string): number => clockTime(day, SEND_AT, timeZone);

export const mayWriteAt = (at: number, timeZone: string): boolean => {
  const hour = localHour(at, timeZone);
  return isWorkingDay(localDay(at, timeZone)) && hour >= FROM && hour < TO;
};

export function workingDayFrom(day: Day): Day {
  let next = day;
  while (!isWorkingDay(next)) next = addDays(next, 1);
  return next;
}

/** The first time of sending after an instant (UTC ms). */
export function nextSendingTime(after: number, timeZone: string): number {
  const day = workingDayFrom(localDay(after, timeZone));
  const at = sendingTime(day, timeZone);
  return at > after ? at : sendingTime(workingDayFrom(addDays(day, 1)), timeZone);
}

/** The last working day whose time of sending has come. */
export function lastSendingDay(now: number, timeZone: string): Day {
  let day = localDay(now, timeZone);
  while (!isWorkingDay(day) || sendingTime(day, timeZone) > now) day = addDays(day, -1);
  return day;
}
