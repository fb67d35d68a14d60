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
  isCalmButForSales: true,
};
const PAYS = { card: 'approves', bill: 0 };
/** For longer than the hold. */
const MUMBLES = { do: 'gateway-mumbles', forMs: 50 * MINUTE };

/** A charge is put before a person, and meanwhile something speaks against it, or for it. */
const BEFORE_A_PERSON: Theme = {
  ...UNCLEAR,
  faults: ['answer-lost', '500-after', 'bad-json-after', 'late'],
  opening: [PAYS, MUMBLES],
};

/** The same, where the gateway did wrong and nobody heard its answer. */
const UNHEARD: Theme = {
  ...UNCLEAR,
  faults: ['charged-twice', 'wrong-amount-charged'],
  opening: [PAYS, { do: 'crash', afterMs: 1_200 }, MUMBLES],
};

/** Long after the hold, a charge stands before a person; nobody can read what the gateway says of it. */
const WAITS_FOR_A_PERSON = {
  faults: ['answer-lost'],
  isCalmAtFirst: true,
  isFast: true,
  bills: [0, 0, 2],
  gaps: [20 * SECOND, MINUTE, 3 * MINUTE],
};
const CHARGED_UNHEARD = { do: 'pay', ...PAYS, token: 10, form: 10, meets: 'answer-lost', afterMs: 0 };
/** While the lists of the nightly run can be read. */
const MUMBLES_OF_ONE = { ...MUMBLES, readsLists: true, afterMs: 200 };

/** Meanwhile people take it back at the provider, and the nightly run sees that. */
const TAKEN_BACK_MEANWHILE: Theme = {
  ...WAITS_FOR_A_PERSON,
  weights: {
    'void-by-hand': 2,
    'close-by-hand': 2,
    'refund-by-hand': 4,
    reconcile: 4,
    'schedule-twice': 1,
    open: 1,
    'clock-jumps': 0.5,
  },
  opening: [CHARGED_UNHEARD, MUMBLES_OF_ONE, { do: 'open', afterMs: 16 * MINUTE }],
};

/** Meanwhile a bank debit is made under its key: another invoice has its number and its amount. */
const PAID_BOTH_WAYS: Theme = {
  ...WAITS_FOR_A_PERSON,
  weights: { pay: 2, reconcile: 2, 'schedule-twice': 1, open: 1, 'return-debit': 1, 'sale-by-hand': 1 },
  opening: [
    CHARGED_UNHEARD,
    MUMBLES_OF_ONE,
    { do: 'pay', card: 'ach', bill: 2, token: 10, form: 10, afterMs: 16 * MINUTE },
  ],
};

/** Whatever can go wrong from outside, beside a theme's own deeds. */
const OUTSIDE = {
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
const QUICK = [0, 200, 2 * SECOND, 20 * SECOND, MINUTE];

/** Money goes back and is collected again. */
const GIVEN_BACK: Theme = {
  weights: { ...OUTSIDE, pay: 5, void: 4, refund: 4, close: 3, reopen: 4, open: 1, 'resolve-reversal': 1 },
  faults: ['answer-lost', 'late', 'unknown-result', '500-after', 'declined', 'nothing-open', 'close-pending', '500'],
  opening: [{ card: 'approves', bill: 0 }, { do: 'void', bill: 0 }, {}, { cents: 12_000 }],
  gaps: QUICK,
};

/** A bank debit settles or comes back. */
const DEBITS: Theme = {
  weights: { ...OUTSIDE, pay: 6, 'return-debit': 5, open: 1, reopen: 3, sell: 1 },
  faults: [
    ...['returned', 'returned-after-settled', 'debit-cancelled', 'debit-unlisted', 'debit-on-hold'],
    ...['answer-lost', 'unknown-words', 'webhook-lost', '500-after'],
  ],
  opening: [{ card: 'ach', bill: 0 }],
  gaps: [20 * SECOND, MINUTE, 4 * MINUTE, 20 * MINUTE],
  isFast: true,
};

/** A card reader on the counter, and the same invoice's payer at home. */
const AT_THE_DESK: Theme = {
  weights: { ...OUTSIDE, sell: 8, pay: 3, void: 1, refund: 1, close: 1, reopen: 1, resolve: 1 },
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
  gaps: [...QUICK, 4 * MINUTE],
};

/** Several need a new access token of the CRM at one moment. */
const RENEWAL: Theme = {
  weights: { pay: 6, open: 3, sell: 1 },
  faults: ['slow'],
  only: [],
  opening: [],
  gaps: [0, 0, 5, 20, 200],
  bills: [0, 1, 2, 3],
  isTokenOld: true,
};

/** The answer to a charge is lost, and then nothing is heard of the gateway until long after the hold. */
const SILENCE: Theme = {
  weights: { pay: 5, open: 2, 'schedule-twice': 2, crash: 1, resolve: 1 },
  faults: ['answer-lost', 'html-after'],
  only: ['sale'],
  opening: [
    { card: 'approves', bill: 0 },
    { do: 'gateway-silent', forMs: 50 * MINUTE },
    { do: 'open', bill: 0, afterMs: 16 * MINUTE },
  ],
  gaps: [SECOND, 2 * SECOND, MINUTE, 10 * MINUTE],
};

/** Two tabs with a card each, the desk, and the schedule want one invoice at the same moment. */
const AT_ONCE: Theme = {
  weights: { pay: 6, sell: 2, open: 1, 'schedule-twice': 2 },
  faults: ['arrives-late', 'answers-late', 'late'],
  opening: [
    { card: 'approves', bill: 0, token: 0, form: 0 },
    { do: 'pay', card: 'approves', bill: 0, token: 1, form: 1, afterMs: 3 },
  ],
  gaps: [0, 5, 20, 200],
};

/** Each with its share of all runs. */
const THEMES: [share: number, theme: Theme][] = [
  [0.1, BEFORE_A_PERSON],
  [0.04, PAID_BOTH_WAYS],
  [0.07, UNHEARD],
  [0.11, GIVEN_BACK],
  [0.08, DEBITS],
  [0.08, AT_THE_DESK],
  [0.05, RENEWAL],
  [0.05, SILENCE],
  [0.05, AT_ONCE],
  ...PROLOGUES,
  [0.05, TAKEN_BACK_MEANWHILE],
];

/** How long the calm at the beginning lasts, in ms. */
export const calmMsOf = (theme: Theme | null): number =>
  theme?.isCalmAtFirst ? theme.opening.reduce((sum, { afterMs = 0 }) => sum + afterMs, SECOND) : 0;

export function themeOf(choices: Choices): Theme | null {
  if (choices.theme === EVERYTHING) return everythingOf(choices).theme;
  let left = choices.noise('theme');
  for (const [share, theme] of THEMES) {
    if (left < share) return theme;
    left -= share;
  }
  return null;
}
