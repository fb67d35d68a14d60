import { missingLead } from '#shared/contracts/payment';
import { fill } from '#shared/words/both';
import { listIn } from '#shared/words/formats';
import type { PayPageWords } from '#shared/words/pay-page';

/** A refusal of the card provider, in its own words. */
export type Failure = { message: string; resultCode: string };

/** The labels of fields by their names; a name that is not ours stays. */
export const labelsOf = ({ fields }: PayPageWords, names: readonly string[]): string[] =>
  names.map((name) => (fields as Record<string, string>)[name] ?? name);

/** Why the provider refused: in English as it says, else by its code; of an unknown code that it did, or `other`. */
export const reasonIn = (
  { answers }: PayPageWords,
  { message, resultCode }: Failure,
  other = answers?.refused,
): string => answers?.declines[resultCode] ?? other ?? message;

type Refusal = { code: string; message: string; fields: string[] };

/** What an answer of ours says in the language of the page: answers themselves are English. */
export function refusalIn(words: PayPageWords, { code, message, fields }: Refusal): string {
  if (!words.answers) return message;
  if (fields.length === 0) return words.answers.byCode[code] ?? message;
  const list = listIn(words.language, labelsOf(words, fields));
  return message.startsWith(missingLead) ? `${words.outcome.missing} ${list}` : fill(words.card.invalid, { list });
}
