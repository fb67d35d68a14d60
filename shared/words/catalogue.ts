import { answerWords } from './answer-words.ts';
import { billWords } from './bill-words.ts';
import { frameWords } from './frame-words.ts';
import { mailWords } from './mail-words.ts';
import { outcomeWords } from './outcome-words.ts';
import { partWords } from './part-words.ts';
import { cardWords, emptyWords, fieldWords, formWords } from './pay-words.ts';
import { receiptPageWords, receiptWords } from './receipt-words.ts';
import { padWords, signWords } from './sign-words.ts';
import { stateWords } from './state-words.ts';

/**
 * All that payers read of us, in each language. A page, mail or island takes the room that it needs, so that it does not
 * carry the others.
 */
export const catalogue = {
  bill: billWords,
  frame: frameWords,
  form: formWords,
  part: partWords,
  fields: fieldWords,
  empty: emptyWords,
  card: cardWords,
  pad: padWords,
  sign: signWords,
  outcome: outcomeWords,
  answer: answerWords,
  state: stateWords,
  receiptPage: receiptPageWords,
  receipt: receiptWords,
  mail: mailWords,
};
