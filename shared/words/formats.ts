import { formatMoney } from '../money.ts';
import { type Language, locales } from './language.ts';

const dateFormats: Record<string, Intl.DateTimeFormat> = {};

/** Cached by language and time zone, because creating a format takes longer than the rest of a receipt. */
const dateFormat = (language: Language, timeZone: string, timeStyle?: 'short'): Intl.DateTimeFormat =>
  (dateFormats[`${language} ${timeZone} ${timeStyle}`] ??= new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'medium',
    timeStyle,
    timeZone,
  }));

/** Formats the day of a time (UTC ms) in a time zone: "Mar 4, 2026", "4 mar 2026". */
export const dayIn = (language: Language, at: number, timeZone: string): string =>
  dateFormat(language, timeZone).format(at);

/** Formats day and time (UTC ms) in a time zone: "Mar 4, 2026, 10:30 PM", "4 mar 2026, 10:30 p.m.". */
export const momentIn = (language: Language, at: number, timeZone: string): string =>
  dateFormat(language, timeZone, 'short')
    .format(at)
    // Intl puts narrow and no-break spaces before "PM"; plain-text emails and copied texts need ordinary ones.
    .replace(/[\u00a0\u202f]/g, ' ');

/** Formats the clock time (UTC ms) in a time zone, on one line: "10:30 PM", "10:30 p.m.". */
export const timeIn = (language: Language, at: number, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', timeZone })
    .format(at)
    .replaceAll('\u202f', '\u00a0');

/** Formats a plain date (YYYY-MM-DD), independent of the reader's time zone. */
export const dateIn = (language: Language, date: string): string =>
  dayIn(language, Date.parse(`${date}T00:00:00Z`), 'UTC');

const listFormats: Partial<Record<Language, Intl.ListFormat>> = {};

type Part = { isName: boolean; text: string };

/** Splits a list of names into parts, so that each name can be its own element. */
export function partsOfList(language: Language, names: string[]): Part[] {
  if (language === 'en')
    return names.flatMap((text, index) => [
      ...(index > 0 ? [{ isName: false, text: ', ' }] : []),
      { isName: true, text },
    ]);
  listFormats[language] ??= new Intl.ListFormat(locales[language], { type: 'conjunction' });
  return listFormats[language]
    .formatToParts(names)
    .map(({ type, value }) => ({ isName: type === 'element', text: value }));
}

/** Joins names: "City, State" in English, with commas only, and "Ciudad y Firma" in Spanish. */
export function listIn(language: Language, names: string[]): string {
  return partsOfList(language, names)
    .map(({ text }) => text)
    .join('');
}

/** Formats cents for a payer: "$12,184.50" in both languages. */
export const moneyIn = (language: Language, cents: number, currency: string): string =>
  formatMoney(cents, currency, locales[language]);
