/** "Mar 4, 2026, 10:42 AM" in the reader's own zone; what is no moment is shown as it came. */
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
