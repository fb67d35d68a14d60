/** The IANA zone in which times are shown; undefined: the reader's. */
let zone: string | undefined;

/** Sets the IANA zone for all times; '' keeps the reader's. */
export const setTimeZone = (timeZone: string) => {
  zone = timeZone || undefined;
};

/** Formats a moment in the current zone. */
export const formatInZone = (moment: Date, options: Intl.DateTimeFormatOptions): string =>
  // The typeface has no narrow space.
  new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(moment).replaceAll('\u202f', '\u00a0');

/** Formats a calendar day (YYYY-MM-DD), which is the same in every zone. */
export const formatDayWith = (day: string, options: Intl.DateTimeFormatOptions): string =>
  formatInZone(new Date(`${day}T12:00:00Z`), { ...options, timeZone: 'UTC' });

/** "Mar 4, 2026, 10:42 AM"; an invalid time is shown unchanged. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : formatInZone(moment, { dateStyle: 'medium', timeStyle: 'short' });
}

/** "10:42 AM"; with seconds if `timeStyle` is medium. */
export const formatTime = (moment: Date, timeStyle: 'short' | 'medium' = 'short'): string =>
  formatInZone(moment, { timeStyle });

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** "Mar 4, 2026": a day without a time is the same in every zone; N/A for null. */
export function formatDay(text: string | null): string {
  if (!text) return 'N/A';
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return DAY.test(text) ? formatDayWith(text, { dateStyle: 'medium' }) : formatInZone(moment, { dateStyle: 'medium' });
}

/** Today in the current zone, YYYY-MM-DD. */
export const dayNow = (): string => localDayOf();
/** The day of a moment in the current zone, YYYY-MM-DD; without a moment, today. */
export const localDayOf = (iso?: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(iso ? new Date(iso) : undefined);

const isToday = (iso: string) => formatDay(iso) === formatDay(dayNow());

/** "10:42 AM" for today, else the day. */
export const formatWhen = (iso: string | null): string =>
  iso && isToday(iso) ? formatTime(new Date(iso)) : formatDay(iso);

/** "10:42 AM" for today, else day and time. */
export const formatSince = (iso: string): string => (isToday(iso) ? formatTime(new Date(iso)) : formatMoment(iso));
