import type { WordSection } from '#shared/words/bilingual';
import * as billAndReceiptWords from '#shared/words/bill-and-receipt-words';
import * as outcomeWords from '#shared/words/outcome-words';
import * as payWords from '#shared/words/pay-words';
import * as signWords from '#shared/words/sign-words';

const isSection = (value: unknown): value is WordSection =>
  typeof value === 'object' && value !== null && Object.values(value).every((phrase) => 'en' in phrase);

/** All phrases for payers, with the name of each. */
export const payerPhrases = Object.entries({
  ...billAndReceiptWords,
  ...outcomeWords,
  ...payWords,
  ...signWords,
}).flatMap(([section, words]) =>
  isSection(words) ? Object.entries(words).map(([key, phrase]) => ({ name: `${section}.${key}`, ...phrase })) : [],
);
