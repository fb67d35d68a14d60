import { createContext, useContext } from 'react';
import { missingLead } from '#shared/contracts/payment';
import { fill } from '#shared/words/both';
import { listIn } from '#shared/words/formats';
import { type Language, locales } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-words';

/** Provided around the whole page. */
export const PayWords = createContext({} as PayPageWords);

/** The texts of the page, in its language. */
export const usePayWords = (): PayPageWords => useContext(PayWords);

/** "10:42 AM" for today, else day and time, in the reader's own zone. */
export function sinceIn(language: Language, iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const isToday = moment.toDateString() === new Date().toDateString();
  return (
    // biome-ignore lint/plugin: payers compare it with their own clock
    new Intl.DateTimeFormat(locales[language], { timeStyle: 'short', dateStyle: isToday ? undefined : 'medium' })
      .format(moment)
      // The typeface has no narrow space.
      .replaceAll('\u202f', '\u00a0')
  );
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
