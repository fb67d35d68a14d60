import type { Choices } from '../engine/choices.ts';
import { EVERYTHING, everythingOf } from './everything.ts';
import { PROLOGUES } from './prologues.ts';
import type { Theme } from './theme.ts';

const [SECOND, MINUTE] = [1000, 60_000];

const UNCLEAR = {
  weights: {
    pay: 3,
    'gateway-mumbles': 1,
    'void-by-hand': 1.5,
    'refund-by-hand': 4,
    'sale-by-hand': 1.5,
    reconcile: 4,
    'clock-jumps': 3,
    'schedule-twice': 2,
    crash: 0.5,
    resolve: 0.5,
    reopen: 0.5,
  },
  gaps: [20 * SECOND, 2 * MINUTE, 6 * MINUTE, 12 * MINUTE],
  isCalmExceptSales: true,
};
const CARD_PAYMENT = { card: 'approves', bill: 0 };
/** Look-ups are unreadable for longer than the hold. */
const UNREADABLE_LOOKUPS = { do: 'gateway-mumbles', forMs: 50 * MINUTE };

/** A charge is in manual review while evidence for or against it appears. */
const IN_REVIEW: Theme = {
  ...UNCLEAR,
  faults: ['answer-lost', '500-after', 'bad-json-after', 'late'],
  opening: [CARD_PAYMENT, UNREADABLE_LOOKUPS],
};

/** The same, but the gateway charged wrongly and its answer was lost. */
const UNHEARD_GATEWAY_ERROR: Theme = {
  ...UNCLEAR,
  faults: ['charged-twice', 'wrong-amount-charged'],
  opening: [CARD_PAYMENT, { do: 'crash', afterMs: 1_200 }, UNREADABLE_LOOKUPS],
};

/** A charge is in manual review long after the hold, and the gateway's look-ups about it are unreadable. */
const LONG_REVIEW = {
  faults: ['answer-lost'],
  isCalmAtFirst: true,
  isFast: true,
  bills: [0, 0, 2],
  gaps: [20 * SECOND, MINUTE, 3 * MINUTE],
};
const CHARGED_WITHOUT_ANSWER = { do: 'pay', ...CARD_PAYMENT, token: 10, form: 10, meets: 'answer-lost', afterMs: 0 };
/** The same, but the lists of the nightly run are readable. */
const UNREADABLE_LOOKUPS_OF_ONE = { ...UNREADABLE_LOOKUPS, readsLists: true, afterMs: 200 };

/** Meanwhile people reverse the charge at the provider, and the nightly run sees that. */
const REVERSED_IN_REVIEW: Theme = {
  ...LONG_REVIEW,
  weights: {
    'void-by-hand': 2,
    'close-by-hand': 2,
    'refund-by-hand': 4,
    reconcile: 4,
    'schedule-twice': 1,
    open: 1,
    'clock-jumps': 0.5,
  },
  opening: [CHARGED_WITHOUT_ANSWER, UNREADABLE_LOOKUPS_OF_ONE, { do: 'open', afterMs: 16 * MINUTE }],
};

/** Meanwhile a bank debit is made under the same key, since another invoice has the same number and amount. */
const PAID_BOTH_WAYS: Theme = {
  ...LONG_REVIEW,
  weights: { pay: 2, reconcile: 2, 'schedule-twice': 1, open: 1, 'return-debit': 1, 'sale-by-hand': 1 },
  opening: [
    CHARGED_WITHOUT_ANSWER,
    UNREADABLE_LOOKUPS_OF_ONE,
    { do: 'pay', card: 'ach', bill: 2, token: 10, form: 10, afterMs: 16 * MINUTE },
  ],
};

/** External faults and acts in addition to a theme's own deeds. */
const EXTERNAL_DEEDS = {
  crash: 2,
  'object-resets': 1.5,
  'clock-jumps': 1,
  'gateway-silent': 1,
  'gateway-mumbles': 1,
  'crm-down': 1,
  'mail-down': 1,
  'forged-webhook': 1,
  'edit-balance': 1,
  'sale-by-hand': 1,
  'close-by-hand': 1,
  'void-by-hand': 1,
  'refund-by-hand': 1,
  'schedule-twice': 1,
  reconcile: 2,
  'return-debit': 0.5,
};
const SHORT_GAPS = [0, 200, 2 * SECOND, 20 * SECOND, MINUTE];

/** Money is refunded and collected again. */
const REVERSALS: Theme = {
  weights: { ...EXTERNAL_DEEDS, pay: 5, void: 4, refund: 4, close: 3, reopen: 4, open: 1, 'resolve-reversal': 1 },
  faults: ['answer-lost', 'late', 'unknown-result', '500-after', 'declined', 'nothing-open', 'close-pending', '500'],
  opening: [{ card: 'approves', bill: 0 }, { do: 'void', bill: 0 }, {}, { cents: 12_000 }],
  gaps: SHORT_GAPS,
};

/** A bank debit settles or is returned. */
const DEBITS: Theme = {
  weights: { ...EXTERNAL_DEEDS, pay: 6, 'return-debit': 5, open: 1, reopen: 3, sell: 1 },
  faults: [
    ...['returned', 'returned-after-settled', 'debit-cancelled', 'debit-unlisted', 'debit-on-hold'],
    ...['answer-lost', 'unknown-words', 'webhook-lost', '500-after'],
  ],
  opening: [{ card: 'ach', bill: 0 }],
  gaps: [20 * SECOND, MINUTE, 4 * MINUTE, 20 * MINUTE],
  isFast: true,
};

/** A sale on the card reader while the payer of the same invoice is at home. */
const AT_THE_DESK: Theme = {
  weights: { ...EXTERNAL_DEEDS, sell: 8, pay: 3, void: 1, refund: 1, close: 1, reopen: 1, resolve: 1 },
  faults: [
    'reader-cancelled',
    'reader-timed-out',
    'reader-slow',
    'reader-busy',
    'reader-offline',
    'answer-lost',
    'late',
  ],
  opening: [{ do: 'sell', bill: 0 }],
  gaps: [...SHORT_GAPS, 4 * MINUTE],
};

/** Several requests need a new CRM access token at the same moment. */
const RENEWAL: Theme = {
  weights: { pay: 6, open: 3, sell: 1 },
  faults: ['slow'],
  faultyCalls: [],
  opening: [],
  gaps: [0, 0, 5, 20, 200],
  bills: [0, 1, 2, 3],
  isTokenOld: true,
};

/** The answer to a charge is lost, and then the gateway is silent until long after the hold. */
const SILENCE: Theme = {
  weights: { pay: 5, open: 2, 'schedule-twice': 2, crash: 1, resolve: 1 },
  faults: ['answer-lost', 'html-after'],
  faultyCalls: ['sale'],
  opening: [
    { card: 'approves', bill: 0 },
    { do: 'gateway-silent', forMs: 50 * MINUTE },
    { do: 'open', bill: 0, afterMs: 16 * MINUTE },
  ],
  gaps: [SECOND, 2 * SECOND, MINUTE, 10 * MINUTE],
};

/** Two tabs with one card each, the desk and the schedule access one invoice at the same moment. */
const SIMULTANEOUS: Theme = {
  weights: { pay: 6, sell: 2, open: 1, 'schedule-twice': 2 },
  faults: ['arrives-late', 'answers-late', 'late'],
  opening: [
    { card: 'approves', bill: 0, token: 0, form: 0 },
    { do: 'pay', card: 'approves', bill: 0, token: 1, form: 1, afterMs: 3 },
  ],
  gaps: [0, 5, 20, 200],
};

/** Themes with their share of all runs. */
const THEMES: [share: number, theme: Theme][] = [
  [0.1, IN_REVIEW],
  [0.04, PAID_BOTH_WAYS],
  [0.07, UNHEARD_GATEWAY_ERROR],
  [0.11, REVERSALS],
  [0.08, DEBITS],
  [0.08, AT_THE_DESK],
  [0.05, RENEWAL],
  [0.05, SILENCE],
  [0.05, SIMULTANEOUS],
  ...PROLOGUES,
  [0.05, REVERSED_IN_REVIEW],
];

/** Duration of the calm opening in ms; 0 if the theme has none. */
export const calmMsOf = (theme: Theme | null): number =>
  theme?.isCalmAtFirst ? theme.opening.reduce((sum, { afterMs = 0 }) => sum + afterMs, SECOND) : 0;

export function themeOf(choices: Choices): Theme | null {
  if (choices.theme === EVERYTHING) return everythingOf(choices).theme;
  let remaining = choices.noise('theme');
  for (const [share, theme] of THEMES) {
    if (remaining < share) return theme;
    remaining -= share;
  }
  return null;
}
