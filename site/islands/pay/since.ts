import { type Language, locales } from '#shared/words/language';

/** "10:42 AM" for today, else day and time, in the reader's own zone. */
export function sinceIn(language: Language, iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const isToday = moment.toDateString() === new Date().toDateString();
  return (
    new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) })
      .format(moment)
      // The typeface has no narrow space.
      .replaceAll('\u202f', '\u00a0')
  );
}
