/**
 * Calendar days in a time zone, as YYYY-MM-DD. A local day may have 23 or 25 hours, so days are counted on the calendar
 * and never by adding hours to a time.
 */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();
const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const;

/** Returns the day of a time (UTC ms) in an IANA time zone; an unknown zone counts as UTC. */
export const localDay = (at: number, timeZone: string): Day => formatDayAndHour(at, timeZone).slice(0, 10);

/** Like `localDay`, for a time from the CRM, which sends plain dates as midnight UTC. */
export const dayOfDate = (at: number, timeZone: string): Day => localDay(at, at % 86_400_000 === 0 ? 'UTC' : timeZone);

/** Returns the local hour, 0 to 23. */
export const localHour = (at: number, timeZone: string): number => Number(formatDayAndHour(at, timeZone).slice(-2));

/** "2026-03-04, 17" */
function formatDayAndHour(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = formatFor(timeZone);
    formats.set(timeZone, format);
  }
  return format.format(at);
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  // en-CA formats dates like ISO.
  try {
    return new Intl.DateTimeFormat('en-CA', { ...PARTS, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...PARTS, timeZone: 'UTC' });
  }
}

/** Returns the day `days` later (earlier if negative). */
export function addDays(day: Day, days: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

/** Returns the day of the week, 0 for Sunday to 6. */
export const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Returns every day from the first to the last, inclusive. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the first time (UTC ms) of a day in an IANA time zone, even if a clock change skips midnight. */
export function startOfDay(day: Day, timeZone: string): number {
  // Binary search: no time zone is more than 15 hours from UTC, and local days only increase.
  let low = Date.parse(day) - 15 * 3_600_000;
  let high = Date.parse(day) + 15 * 3_600_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localDay(middle, timeZone) < day) low = middle;
    else high = middle;
  }
  return high;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the local clock time, "17:05". */
export const localTime = (at: number, timeZone: string): string =>
  new Date(wallClock(at, timeZone)).toISOString().slice(11, 16);

/** Returns the local day and clock time, "2026-03-04 17:05". */
export const localMoment = (at: number, timeZone: string): string =>
  `${localDay(at, timeZone)} ${localTime(at, timeZone)}`;

/** Returns the local clock time in an IANA time zone, encoded as if it were UTC (ms, whole seconds). */
function wallClock(at: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = clockFor(timeZone);
    clocks.set(timeZone, clock);
  }
  // Swedish dates are formatted like ISO.
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`);
}

function clockFor(timeZone: string): Intl.DateTimeFormat {
  const parts = { dateStyle: 'short', timeStyle: 'medium' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: 'UTC' });
  }
}

/**
 * Returns the time with the same local clock time as `at`, `days` later (earlier if negative). If a clock change skips
 * that clock time, returns the shifted time.
 */
export function addLocalDays(at: number, days: number, timeZone: string): number {
  const target = wallClock(at, timeZone) + days * 86_400_000;
  const estimate = at + days * 86_400_000;
  return estimate + target - wallClock(estimate, timeZone);
}
