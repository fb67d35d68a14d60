/** The IANA zone in which times are shown. If undefined, the reader's zone applies. */
let zone: string | undefined;

/** Sets the IANA zone for all times. '' selects the reader's zone. */
export const setTimeZone = (timeZone: string) => {
  zone = timeZone || undefined;
};

/** Formats a moment in the current zone. */
export const formatInZone = (moment: Date, options: Intl.DateTimeFormatOptions): string =>
  // The typeface lacks the narrow no-break space.
  new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(moment).replaceAll('\u202f', '\u00a0');

/** Formats a calendar day (YYYY-MM-DD), which is the same in every zone. */
export const formatDayWith = (day: string, options: Intl.DateTimeFormatOptions): string =>
  formatInZone(new Date(`${day}T12:00:00Z`), { ...options, timeZone: 'UTC' });

/** Returns for example "Mar 4, 2026, 10:42 AM". Invalid text is returned unchanged. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : formatInZone(moment, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Returns for example "10:42 AM", with seconds if `timeStyle` is medium. */
export const formatTime = (moment: Date, timeStyle: 'short' | 'medium' = 'short'): string =>
  formatInZone(moment, { timeStyle });

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Returns for example "Mar 4, 2026", or N/A for null. A day without a time is the same in every zone. */
export function formatDay(text: string | null): string {
  if (!text) return 'N/A';
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return DAY_PATTERN.test(text)
    ? formatDayWith(text, { dateStyle: 'medium' })
    : formatInZone(moment, { dateStyle: 'medium' });
}

/** Returns today's date in the current zone as YYYY-MM-DD. */
export const todayLocal = (): string => localDayOf();
/** Returns the date of a moment, by default now, in the current zone as YYYY-MM-DD. */
export const localDayOf = (iso?: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(iso ? new Date(iso) : undefined);

const isToday = (iso: string) => formatDay(iso) === formatDay(todayLocal());

/** Returns the time for a moment today, for example "10:42 AM", and the day for any other. */
export const formatWhen = (iso: string | null): string =>
  iso && isToday(iso) ? formatTime(new Date(iso)) : formatDay(iso);

/** Returns the time for a moment today, for example "10:42 AM", and the day and time for any other. */
export const formatSince = (iso: string): string => (isToday(iso) ? formatTime(new Date(iso)) : formatMoment(iso));
