import { frameWords } from './frame-words.ts';
import { mailWords } from './mail-words.ts';
import { receiptPageWords, receiptWords } from './receipt-words.ts';
import { stateWords } from './state-words.ts';

/**
 * All that payers read of us, in each language. A page, mail or island takes the room that it needs, so that it does not
 * carry the others.
 */
export const catalogue = {
  frame: frameWords,
  state: stateWords,
  receiptPage: receiptPageWords,
  receipt: receiptWords,
  mail: mailWords,
};
