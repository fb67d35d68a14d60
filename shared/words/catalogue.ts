import { answerWords } from './answer-words.ts';
import { billWords, receiptPageWords, receiptWords } from './bill-and-receipt-words.ts';
import { mailWords } from './mail-words.ts';
import { outcomeWords, stateWords } from './outcome-words.ts';
import { cardWords, emptyWords, fieldWords, formWords, frameWords, partWords } from './pay-words.ts';
import { resultWords } from './result-words.ts';
import { padWords, signWords } from './sign-words.ts';
import { walletWords } from './wallet-words.ts';

/**
 * All texts for payers, in each language. A page, email or island imports only its own section, so that it does not
 * load the others.
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
  wallet: walletWords,
  outcome: outcomeWords,
  result: resultWords,
  answer: answerWords,
  state: stateWords,
  receiptPage: receiptPageWords,
  receipt: receiptWords,
  mail: mailWords,
};
