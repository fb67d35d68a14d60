import type { Theme } from './theme.ts';

/** Themes with a calm opening that puts attempts into the rarer states; then the faults begin. */

const [SECOND, MINUTE] = [1000, 60_000];

/** All deeds and faults. */
const ALL: Record<string, number> = {
  pay: 5,
  open: 1,
  refund: 2,
  void: 2,
  close: 3,
  sell: 3,
  reopen: 3,
  resolve: 0.5,
  'resolve-reversal': 0.5,
  reconcile: 2,
  'void-by-hand': 1.5,
  'refund-by-hand': 3,
  'close-by-hand': 1.5,
  'sale-by-hand': 1,
  'return-debit': 4,
  'edit-balance': 1.5,
  crash: 1.5,
  'clock-jumps': 1,
  'gateway-silent': 0.7,
  'gateway-mumbles': 0.7,
  'crm-down': 1,
  'mail-down': 1,
  'forged-webhook': 1,
  'schedule-twice': 1,
  'object-resets': 1,
  deploy: 0.4,
};

const AT_A_READER = ['reader-cancelled', 'reader-timed-out', 'reader-busy', 'reader-offline', 'reader-slow'];
const AT_A_CLOSE = ['nothing-open', 'close-pending', 'close-failed', 'closed-by-night'];

/** Repeated entries are drawn more often: `late` has to occur in every state. */
const CHARGED = [
  ...['declined', 'issuer-silent', 'late', 'late', 'late', 'late', 'unknown-result', 'no-transaction-answered'],
  'charged-twice',
  ...['wrong-amount-answered', 'wrong-amount-charged', 'other-order-answered', 'duplicate-error', 'no-id-answered'],
  ...['no-amount-answered', 'webhook-first', 'webhook-late', 'webhook-repeated', 'webhook-garbled', 'webhook-lost'],
  ...['500-after', 'html-after', 'answer-late', 'answer-lost'],
];
/** Few payers have a bank account. */
const OFTEN_RETURNED = Array<string>(4).fill('returned-after-settled');
const REVERSED = ['declined', 'late', 'unknown-result', 'no-transaction-answered', '500-after', 'answer-lost'];

/** Faults of each deed's own gateway call, drawn for some of the moves. */
const MEETS = {
  pay: [...CHARGED, 'token-refused', 'token-expired', 'token-used', ...OFTEN_RETURNED],
  sell: [...CHARGED, ...AT_A_READER, ...AT_A_READER, ...AT_A_READER],
  close: [...AT_A_CLOSE, ...AT_A_CLOSE, 'late', 'late', 'answer-lost', '500-after'],
  void: REVERSED,
  refund: REVERSED,
};

const WIDE = {
  weights: ALL,
  faults: [],
  meets: MEETS,
  gaps: [0, 200, 2 * SECOND, 20 * SECOND, MINUTE, 3 * MINUTE],
  bills: [0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7],
  isCalmAtFirst: true,
  isFast: true,
};

/** Tokens and forms that no later random move uses, so that no such move counts as a retry. */
const firstForm = { token: 10, form: 10 };
const secondForm = { token: 11, form: 11 };
const thirdForm = { token: 12, form: 12 };

/** Reversed payments: voided, refunded after the day's close, returned by the bank. */
const REVERSED_PAYMENTS: Theme['opening'] = [
  { do: 'pay', bill: 0, card: 'approves', ...firstForm, afterMs: 0 },
  { do: 'pay', bill: 1, card: 'declines', ...firstForm, afterMs: SECOND },
  { do: 'pay', bill: 3, card: 'ach', ...firstForm, afterMs: SECOND },
  { do: 'pay', bill: 1, card: 'approves', ...secondForm, afterMs: 20 * SECOND },
  { do: 'void', bill: 0, form: 10, afterMs: 20 * SECOND },
  { do: 'return-debit', bill: 3, afterMs: 20 * SECOND },
  { do: 'close-by-hand', tap: 'tap', afterMs: 5 * SECOND },
  { do: 'refund', bill: 1, cents: 12_000, form: 10, afterMs: 2 * MINUTE },
  { do: 'reopen', bill: 0, afterMs: MINUTE },
];

/** Sales that ended at the card reader, and a charge that the gateway never made. */
const AT_THE_READER: Theme['opening'] = [
  { do: 'pay', bill: 2, card: 'fails', ...firstForm, afterMs: 0 },
  { do: 'sell', bill: 0, tap: 'cancel', form: 10, afterMs: 2 * SECOND },
  { do: 'sell', bill: 1, tap: 'none', form: 10, afterMs: MINUTE },
  { do: 'sell', bill: 3, tap: 'unplugged', form: 10, afterMs: 4 * MINUTE },
  { do: 'sell', bill: 0, tap: 'tap', form: 11, afterMs: MINUTE },
  { do: 'open', bill: 2, afterMs: 16 * MINUTE },
];

/** A payment awaiting a person, one with an unknown result, and a pending debit. */
const NOT_DECIDED: Theme['opening'] = [
  { do: 'pay', bill: 0, card: 'approves', ...firstForm, meets: 'wrong-amount-charged', afterMs: 0 },
  { do: 'pay', bill: 3, card: 'ach', ...firstForm, afterMs: SECOND },
  { do: 'sell', bill: 1, tap: 'decline', form: 10, afterMs: 2 * SECOND },
  { do: 'reconcile', afterMs: 16 * MINUTE },
  { do: 'pay', bill: 2, card: 'fails', ...firstForm, afterMs: MINUTE },
];

/** All prologues one after the other on the same invoices, so that all states occur together. */
const EVERY_STATE: Theme['opening'] = [
  ...REVERSED_PAYMENTS,
  { do: 'pay', bill: 2, card: 'approves', ...firstForm, meets: 'wrong-amount-charged', afterMs: 0 },
  { do: 'sell', bill: 0, tap: 'cancel', form: 10, afterMs: SECOND },
  { do: 'reopen', bill: 1, afterMs: 30 * SECOND },
  { do: 'reopen', bill: 3, afterMs: SECOND },
  { do: 'sell', bill: 1, tap: 'none', form: 10, afterMs: 30 * SECOND },
  { do: 'sell', bill: 3, tap: 'unplugged', form: 10, afterMs: 4 * MINUTE },
  { do: 'pay', bill: 0, card: 'fails', ...thirdForm, afterMs: MINUTE },
  { do: 'pay', bill: 3, card: 'ach', ...thirdForm, afterMs: 17 * MINUTE },
  { do: 'pay', bill: 1, card: 'fails', ...thirdForm, afterMs: SECOND },
];

/** No payment by the product yet, but sales in the provider's own pages. */
const NO_PAYMENTS: Theme = {
  ...WIDE,
  weights: { ...ALL, pay: 0, sell: 0, reconcile: 6, 'sale-by-hand': 3, 'schedule-twice': 3, close: 6 },
  opening: [{ do: 'sale-by-hand', bill: 0, afterMs: 0 }],
  isCalmAtFirst: false,
  isWithoutPayers: true,
};

/** Charges that people reverse at the provider while the card reader waits for a card. */
const WHILE_A_READER_WAITS: Theme = {
  ...WIDE,
  weights: { ...ALL, pay: 2, 'void-by-hand': 8, 'refund-by-hand': 10, close: 5 },
  gaps: [2 * SECOND, 10 * SECOND, 20 * SECOND],
  bills: [4, 5, 6],
  opening: [
    { do: 'sell', bill: 1, tap: 'none', form: 15, afterMs: 0 },
    { do: 'pay', bill: 0, card: 'approves', ...firstForm, afterMs: 2 * SECOND },
    { do: 'pay', bill: 4, card: 'approves', ...firstForm, afterMs: SECOND },
    { do: 'pay', bill: 5, card: 'approves', ...firstForm, afterMs: SECOND },
    { do: 'pay', bill: 6, card: 'approves', ...firstForm, afterMs: SECOND },
    { do: 'void', bill: 0, form: 10, afterMs: 30 * SECOND },
    { do: 'refund', bill: 5, cents: 12_000, form: 10, afterMs: 30 * SECOND },
    { do: 'sell', bill: 3, tap: 'none', form: 15, afterMs: 3 * MINUTE },
  ],
};

/** The object is reset repeatedly, its storage and its line fail, and two versions of the code call it. */
const AT_THE_OBJECT: Theme = {
  ...WIDE,
  weights: { ...ALL, pay: 8, 'object-resets': 8, deploy: 4, crash: 3, 'schedule-twice': 3 },
  opening: EVERY_STATE,
  hasObjectFaults: true,
};

/** Themes with their share of all runs. */
export const PROLOGUES: [share: number, theme: Theme][] = [
  [0.02, { ...WIDE, opening: REVERSED_PAYMENTS }],
  [0.03, { ...WIDE, weights: { ...ALL, sell: 9 }, opening: AT_THE_READER }],
  [0.02, { ...WIDE, opening: NOT_DECIDED }],
  [0.05, { ...WIDE, weights: { ...ALL, sell: 6, pay: 7 }, opening: EVERY_STATE }],
  [0.04, AT_THE_OBJECT],
  [0.02, NO_PAYMENTS],
  [0.01, WHILE_A_READER_WAITS],
];
