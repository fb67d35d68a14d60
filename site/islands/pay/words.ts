import { createContext, useContext } from 'react';
import { missingLead } from '#shared/contracts/payment';
import { fill } from '#shared/words/bilingual';
import { dayIn, listIn, momentIn, timeIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-words';

/** The React context with the page's texts. */
export const PayWords = createContext({} as PayPageWords);

/** Returns the texts of the page in its language. */
export const usePayWords = (): PayPageWords => useContext(PayWords);

/** Formats a time in the business's time zone, as on its receipts. Includes the date unless it is today. */
export function businessTimeIn(language: Language, iso: string, timeZone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const isToday = dayIn(language, time, timeZone) === dayIn(language, Date.now(), timeZone);
  return isToday ? timeIn(language, time, timeZone) : momentIn(language, time, timeZone);
}

/** A refusal by the card provider, with its own message. */
export type Failure = { message: string; resultCode: string };

/** Returns the labels of the fields. Unknown names are returned unchanged. */
export const labelsOf = ({ fields }: PayPageWords, names: readonly string[]): string[] =>
  names.map((name) => (fields as Record<string, string>)[name] ?? name);

/**
 * Returns the reason for a refusal: the provider's message on an English page, otherwise the text for its code. For an
 * unknown code, it returns `fallback`, by default a general refusal.
 */
export const reasonIn = (
  { answers }: PayPageWords,
  { message, resultCode }: Failure,
  fallback = answers?.refused,
): string => answers?.declines[resultCode] ?? fallback ?? message;

type Refusal = { code: string; message: string; fields: string[] };

/** Translates the error reply of our server from English into the page's language. */
export function refusalIn(words: PayPageWords, { code, message, fields }: Refusal): string {
  if (!words.answers) return message;
  if (fields.length === 0) return words.answers.byCode[code] ?? message;
  const list = listIn(words.language, labelsOf(words, fields));
  return message.startsWith(missingLead) ? `${words.outcome.missing} ${list}` : fill(words.card.invalid, { list });
}
