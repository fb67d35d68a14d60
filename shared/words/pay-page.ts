import { answersIn } from './answer-words.ts';
import { billWords } from './bill-words.ts';
import { wordsIn } from './both.ts';
import type { Language } from './language.ts';
import { outcomeWords } from './outcome-words.ts';
import { partWords } from './part-words.ts';
import { cardWords, emptyWords, fieldWords, formWords } from './pay-words.ts';
import { padWords, signWords } from './sign-words.ts';

/** All that the pay page says in one language. Its shell carries these, so that the page's script carries no language. */
export const payPageWords = (language: Language) => ({
  language,
  bill: wordsIn(billWords, language),
  form: wordsIn(formWords, language),
  part: wordsIn(partWords, language),
  fields: wordsIn(fieldWords, language),
  empty: wordsIn(emptyWords, language),
  card: wordsIn(cardWords, language),
  pad: wordsIn(padWords, language),
  sign: wordsIn(signWords, language),
  outcome: wordsIn(outcomeWords, language),
  answers: answersIn(language),
});

export type PayPageWords = ReturnType<typeof payPageWords>;
