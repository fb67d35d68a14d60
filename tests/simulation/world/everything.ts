import { randomFrom } from '#tests/support/seeded-random';
import type { Choices } from '../engine/choices.ts';
import type { FeatureName } from '../features.ts';
import { type Act, AFTER_THE_HOLD, drawPairs, meetingOf } from './meetings.ts';
import { START } from './setting.ts';
import type { Theme } from './theme.ts';

/** The theme that combines all money features: each run draws some of them for the same few invoices. */
export const EVERYTHING = 'everything';

const [SECOND, MINUTE] = [1000, 60_000];

const pay = { do: 'pay', card: 'approves' };

/** Stories that no pair of features covers. */
const STORIES: Act[][] = [
  // Installments are closed, and the rest is paid.
  [{ do: 'open-parts' }, pay, { do: 'close-parts' }, pay],
  // An installment is also paid in the CRM, and staff state that nothing is owed.
  [
    ...[{ do: 'open-parts' }, pay, { do: 'edit-balance', balance: '0', status: 'open' }],
    ...[pay, { do: 'reopen', verdict: 'charged' }],
  ],
  // A payment is refunded in part, then in full.
  [
    ...[pay, { do: 'refund-by-hand', cents: 500 }, { do: 'void-refund-by-hand' }, { do: 'void-by-hand' }],
    { do: 'reconcile' },
  ],
  // A charge arrives late, after another one was made and voided.
  [
    ...[{ ...pay, meets: 'late' }, { do: 'open', afterMs: AFTER_THE_HOLD }, pay],
    ...[{ do: 'void' }, { do: 'reopen' }, pay],
  ],
  // An answer is lost.
  [
    { ...pay, meets: 'answer-lost' },
    { do: 'open', afterMs: AFTER_THE_HOLD },
  ],
  // Records are restored to the state before a reopening.
  [
    ...[pay, { do: 'void' }, { do: 'keep-backup' }, { do: 'reopen', afterMs: MINUTE }, pay],
    ...[{ do: 'restore', afterMs: 30 * SECOND }, { do: 'reopen', afterMs: 6 * MINUTE }, pay],
  ],
  // The only web terminal is closed before its replacement exists.
  [{ do: 'close-terminal' }, pay, { do: 'replace-terminal' }, pay],
  [pay, { do: 'crash', afterMs: 2 * SECOND }],
];

/** Time zone of the account in runs of this theme, until it is changed. */
export const ZONE = 'America/New_York';

const MARCH = START;
const LEAP_YEAR = Date.UTC(2028, 1, 28, 15);
const FALL = Date.UTC(2026, 9, 31, 15);
type Day = { name: string; start: number; firstAt: number };
/** Moments shortly before the first move, in that zone: the end of a day, of February, and the clock changes. */
const CALENDAR: Day[] = [
  { name: 'midnight', start: MARCH, firstAt: Date.UTC(2026, 2, 5, 4, 40) },
  { name: 'Feb 29', start: LEAP_YEAR, firstAt: Date.UTC(2028, 1, 29, 4, 40) },
  { name: 'Feb 29', start: LEAP_YEAR, firstAt: Date.UTC(2028, 2, 1, 4, 40) },
  { name: 'an hour is left out', start: MARCH, firstAt: Date.UTC(2026, 2, 8, 6, 40) },
  { name: 'an hour comes twice', start: FALL, firstAt: Date.UTC(2026, 10, 1, 5, 40) },
];

export type Everything = {
  theme: Theme;
  /** Pairs of features to combine, each at its own invoice. */
  pairs: [FeatureName, FeatureName][];
  /** A second person approves large refunds. */
  hasSecondPerson: boolean;
  /** Payments are recorded in the CRM. */
  recordsInCrm: boolean;
  /** Index in CALENDAR of the first move's moment; null: the usual start. */
  day: number | null;
};

/** Weights of the random deeds after the opening. */
const WEIGHTS = {
  pay: 4,
  open: 1,
  void: 1,
  refund: 1,
  'void-by-hand': 1,
  'refund-by-hand': 1,
  reopen: 2,
  sell: 1,
  approve: 1,
  resolve: 0.5,
  'resolve-reversal': 0.5,
  'edit-balance': 0.5,
  'clock-jumps': 0.3,
  crash: 1,
  'object-resets': 0.5,
  'open-parts': 1,
  'close-parts': 1,
  reconcile: 0.5,
  'schedule-twice': 0.5,
  'change-zone': 0.3,
};

/** An act with its time (ms after the first one). */
type TimedAct = { at: number; act: Act };

/** Indexes of the invoices for up to three pairs. */
const BILL_INDEXES = [
  [6, 4, 0],
  [4, 6, 2],
  [0, 4, 6],
  [2, 6, 4],
];

/** A seed's run: two or three pairs of features, each at its own invoice, sometimes followed by other stories. */
export function everythingOf(choices: Choices): Everything {
  const random = randomFrom(Math.floor(choices.noise('everything') * 0xffffffff));
  const pairs = drawPairs(random, random.chance(0.5) ? 2 : 3);
  const [bill = 0, ...otherBills] = random.pick(BILL_INDEXES);
  const stories = Array.from({ length: random.below(3) }, () => random.pick(STORIES));
  let nextForm = 20;
  const scheduleActs = (bill: number, at: number, acts: Act[]): TimedAct[] => {
    let time = at;
    return acts.map((act) => {
      nextForm += 1;
      time += act.afterMs ?? Math.floor(random.pick([3 * SECOND, 20 * SECOND, MINUTE]) * (0.5 + random.next()));
      return { at: time, act: { bill, token: nextForm, form: nextForm, tap: 'tap', ...act } };
    });
  };
  const timedActs = pairs.flatMap((pair, n) =>
    scheduleActs([bill, ...otherBills][n] ?? bill, 0, meetingOf(random, pair)),
  );
  const endOfPairs = Math.max(...timedActs.map(({ at }) => at));
  timedActs.push(...scheduleActs(random.chance(0.85) ? bill : 1, endOfPairs, stories.flat()));
  timedActs.sort((a, b) => a.at - b.at);
  const opening = timedActs.map(({ at, act }, n): Act => ({ ...act, afterMs: at - (timedActs[n - 1]?.at ?? 0) }));
  const features = new Set<string>(pairs.flat());
  const days = CALENDAR.flatMap(({ name }, index) => (features.has(name) ? [index] : []));
  return {
    pairs,
    hasSecondPerson: features.has('second person'),
    recordsInCrm: features.has('recorded in the CRM') || features.has('record without an answer') || random.chance(0.2),
    day: days.length > 0 ? random.pick(days) : random.chance(0.2) ? random.below(CALENDAR.length) : null,
    theme: {
      weights: WEIGHTS,
      meets: {},
      faults: ['answer-lost'],
      opening,
      gaps: [2 * SECOND, 20 * SECOND, MINUTE, 4 * MINUTE],
      bills: [bill],
      isFast: random.chance(0.8),
      hasFullOpening: true,
      trouble: random.pick([0, 0, 0, 0.01, 0.02, 0.03, 0.08]),
    },
  };
}

/** The unusual day of a run; undefined if it has none. */
export function dayOf(choices: Choices): Day | undefined {
  if (choices.theme !== EVERYTHING) return undefined;
  const index = choices.choose<number | null>('the first move comes before', null, () => everythingOf(choices).day);
  return index === null ? undefined : CALENDAR[index];
}
