/**
 * Calendar days of a place, as YYYY-MM-DD. A day may have 23 or 25 hours there, so days are counted on the calendar and
 * never by adding hours to an instant.
 */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();
const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const;

/** The day that an instant (UTC ms) falls on in an IANA time zone; an unknown zone counts as UTC. */
export const localDay = (at: number, timeZone: string): Day => written(at, timeZone).slice(0, 10);

/** The same of a moment that may stand for a date alone, as its midnight in UTC: the CRM writes both. */
export const dayOfDate = (at: number, timeZone: string): Day => localDay(at, at % 86_400_000 === 0 ? 'UTC' : timeZone);

/** The hour of that day, 0 to 23. */
export const localHour = (at: number, timeZone: string): number => Number(written(at, timeZone).slice(-2));

/** "2026-03-04, 17" */
function written(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = formatFor(timeZone);
    formats.set(timeZone, format);
  }
  return format.format(at);
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  // en-CA writes dates the ISO way.
  try {
    return new Intl.DateTimeFormat('en-CA', { ...PARTS, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-CA', { ...PARTS, timeZone: 'UTC' });
  }
}

/** The day `days` later (earlier when negative). */
export function addDays(day: Day, days: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first instant (UTC ms) of a day in an IANA time zone; where a clock change skips midnight, the first that there is. */
export function startOfDay(day: Day, timeZone: string): number {
  // No place is further than 15 hours from UTC, and days only rise: halve what is left.
  let before = Date.parse(day) - 15 * 3_600_000;
  let from = Date.parse(day) + 15 * 3_600_000;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDay(middle, timeZone) < day) before = middle;
    else from = middle;
  }
  return from;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What clocks show at an instant in an IANA time zone, read as if it were UTC (ms, whole seconds). */
function wallClock(at: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = clockFor(timeZone);
    clocks.set(timeZone, clock);
  }
  // Swedish dates are written the ISO way.
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
 * The instant at which clocks of a time zone show what they show at `at`, `days` later (earlier when negative); where a
 * clock change skips that time, the one that it became.
 */
export function sameClock(at: number, days: number, timeZone: string): number {
  const wanted = wallClock(at, timeZone) + days * 86_400_000;
  const near = at + days * 86_400_000;
  return near + wanted - wallClock(near, timeZone);
}
