import { formatMoney } from '../money.ts';
import { type Language, locales } from './language.ts';

const dates: Record<string, Intl.DateTimeFormat> = {};

/** Made once for each language and time zone, since making one takes longer than the rest of a receipt. */
const dateFormat = (language: Language, timeZone: string, timeStyle?: 'short'): Intl.DateTimeFormat =>
  (dates[`${language} ${timeZone} ${timeStyle}`] ??= new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'medium',
    timeStyle,
    timeZone,
  }));

/** The day of an instant (UTC ms) in a time zone: "Mar 4, 2026", "4 mar 2026". */
export const dayIn = (language: Language, at: number, timeZone: string): string =>
  dateFormat(language, timeZone).format(at);

/** Day and time of an instant (UTC ms) in a time zone: "Mar 4, 2026, 10:30 PM", "4 mar 2026, 10:30 p.m.". */
export const momentIn = (language: Language, at: number, timeZone: string): string =>
  dateFormat(language, timeZone, 'short')
    .format(at)
    // Intl puts narrow and no-break spaces before "PM", which plain mails and copied texts do well without.
    .replace(/[\u00a0\u202f]/g, ' ');

/** A plain date (YYYY-MM-DD), independent of the reader's zone. */
export const dateIn = (language: Language, date: string): string =>
  dayIn(language, Date.parse(`${date}T00:00:00Z`), 'UTC');

const lists: Partial<Record<Language, Intl.ListFormat>> = {};

type Part = { isName: boolean; text: string };

/** Names in a row as parts, so that each name may be an element of its own. */
export function partsOfList(language: Language, names: string[]): Part[] {
  if (language === 'en')
    return names.flatMap((text, at) => [...(at > 0 ? [{ isName: false, text: ', ' }] : []), { isName: true, text }]);
  lists[language] ??= new Intl.ListFormat(locales[language], { type: 'conjunction' });
  return lists[language].formatToParts(names).map(({ type, value }) => ({ isName: type === 'element', text: value }));
}

/** Names in a row: "City, State" in English, as the labels of a form always were, and "Ciudad y Firma". */
export function listIn(language: Language, names: string[]): string {
  return partsOfList(language, names)
    .map(({ text }) => text)
    .join('');
}

/** Cents as a payer reads them: "$12,184.50" in both. */
export const moneyIn = (language: Language, cents: number, currency: string): string =>
  formatMoney(cents, currency, locales[language]);
