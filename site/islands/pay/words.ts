import { createContext, useContext } from 'react';
import { missingLead } from '#shared/contracts/payment';
import { fill } from '#shared/words/both';
import { dayIn, listIn, momentIn, timeIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-words';

/** Provided around the whole page. */
export const PayWords = createContext({} as PayPageWords);

/** The texts of the page, in its language. */
export const usePayWords = (): PayPageWords => useContext(PayWords);

/** Formats a time at the business, as its receipts and staff see it: "10:42 AM" for today, else with its day. */
export function sinceIn(language: Language, iso: string, timeZone: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const isToday = dayIn(language, at, timeZone) === dayIn(language, Date.now(), timeZone);
  return isToday ? timeIn(language, at, timeZone) : momentIn(language, at, timeZone);
}

/** A refusal of the card provider, in its own words. */
export type Failure = { message: string; resultCode: string };

/** The labels of the named fields; unknown names stay unchanged. */
export const labelsOf = ({ fields }: PayPageWords, names: readonly string[]): string[] =>
  names.map((name) => (fields as Record<string, string>)[name] ?? name);

/**
 * The provider's reason: its own words on an English page, otherwise by its code. For an unknown code: `other`, by
 * default a general refusal, else its own words.
 */
export const reasonIn = (
  { answers }: PayPageWords,
  { message, resultCode }: Failure,
  other = answers?.refused,
): string => answers?.declines[resultCode] ?? other ?? message;

type Refusal = { code: string; message: string; fields: string[] };

/** Translates one of our error replies, which are English, into the page's language. */
export function refusalIn(words: PayPageWords, { code, message, fields }: Refusal): string {
  if (!words.answers) return message;
  if (fields.length === 0) return words.answers.byCode[code] ?? message;
  const list = listIn(words.language, labelsOf(words, fields));
  return message.startsWith(missingLead) ? `${words.outcome.missing} ${list}` : fill(words.card.invalid, { list });
}
