import type { WordsOf } from '#shared/words/both';
import type { mailWords } from '#shared/words/mail-words';
import { type Fact, oneLine } from './letter.ts';
import type { Receipt } from './receipt.ts';

/** What was bought, as rows of a mail; none where the business does not show it. */
export const boughtRows = (bought: Receipt['lines'], words: WordsOf<typeof mailWords>): Fact[] =>
  bought
    ? [
        ...bought.lines.map(({ name, pieces, total }): Fact => [`${oneLine(name)} ${pieces}`.trim(), total]),
        ...(bought.total === null ? [] : [[words.total, bought.total] satisfies Fact]),
        ...(bought.paidBefore === null ? [] : [[words.paidBefore, bought.paidBefore] satisfies Fact]),
        ...(bought.more === null ? [] : [[words.invoice, bought.more] satisfies Fact]),
      ]
    : [];
