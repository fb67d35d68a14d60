/** "Mar 4, 2026, 10:42 AM" in the reader's zone; an invalid time is shown unchanged. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  // The typeface has no narrow space.
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
    .format(moment)
    .replaceAll('\u202f', '\u00a0');
}

/** "10:42 AM" */
export const formatTime = (moment: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }).format(moment).replaceAll('\u202f', '\u00a0');

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** "Mar 4, 2026": a day without a time is the same in every zone; N/A for none. */
export function formatDay(text: string | null): string {
  if (!text) return 'N/A';
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    ...(DAY.test(text) ? { timeZone: 'UTC' } : {}),
  }).format(moment);
}

const isToday = (moment: Date, now = new Date()) => moment.toDateString() === now.toDateString();

/** "10:42 AM" for today, else the day. */
export function formatWhen(iso: string | null): string {
  const moment = new Date(iso ?? '');
  return isToday(moment) ? formatTime(moment) : formatDay(iso);
}

/** "10:42 AM" for today, else day and time. */
export function formatSince(iso: string): string {
  const moment = new Date(iso);
  return isToday(moment) ? formatTime(moment) : formatMoment(iso);
}
