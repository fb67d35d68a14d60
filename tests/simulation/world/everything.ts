import { randomFrom } from '#tests/support/seeded-random';
import type { Choices } from '../engine/choices.ts';
import type { FeatureName } from '../features.ts';
import { type Act, AFTER_THE_HOLD, drawPairs, meetingOf } from './meetings.ts';
import { START } from './setting.ts';
import type { Theme } from './theme.ts';

/** The theme that draws every feature of money together: each run has any of them, and they meet at few invoices. */
export const EVERYTHING = 'everything';

const [SECOND, MINUTE] = [1000, 60_000];

const pay = { do: 'pay', card: 'approves' };

/** Stories that no pair of features tells. */
const STORIES: Act[][] = [
  // Installments are ended, and the rest is paid.
  [{ do: 'open-parts' }, pay, { do: 'close-parts' }, pay],
  // An installment was paid in the CRM as well, and staff say that nothing is owed.
  [
    ...[{ do: 'open-parts' }, pay, { do: 'edit-balance', balance: '0', status: 'open' }],
    ...[pay, { do: 'reopen', verdict: 'charged' }],
  ],
  // A payment is given back in part, then whole.
  [
    ...[pay, { do: 'refund-by-hand', cents: 500 }, { do: 'void-refund-by-hand' }, { do: 'void-by-hand' }],
    { do: 'reconcile' },
  ],
  // A charge comes late, after another one was made and voided.
  [
    ...[{ ...pay, meets: 'late' }, { do: 'open', afterMs: AFTER_THE_HOLD }, pay],
    ...[{ do: 'void' }, { do: 'reopen' }, pay],
  ],
  // An answer is lost.
  [
    { ...pay, meets: 'answer-lost' },
    { do: 'open', afterMs: AFTER_THE_HOLD },
  ],
  // Records are put back to before a reopening.
  [
    ...[pay, { do: 'void' }, { do: 'keep-backup' }, { do: 'reopen', afterMs: MINUTE }, pay],
    ...[{ do: 'restore', afterMs: 30 * SECOND }, { do: 'reopen', afterMs: 6 * MINUTE }, pay],
  ],
  // The only terminal of the web is closed before another one is there.
  [{ do: 'close-terminal' }, pay, { do: 'replace-terminal' }, pay],
  [pay, { do: 'crash', afterMs: 2 * SECOND }],
];

/** Local clock of the account in the runs of this theme, until its zone is changed. */
export const ZONE = 'America/New_York';

const MARCH = START;
const LEAP_YEAR = Date.UTC(2028, 1, 28, 15);
const FALL = Date.UTC(2026, 9, 31, 15);
type Day = { name: string; start: number; firstAt: number };
/** Moments before which the first move comes, in that zone: the end of a day, of February, and the changes of the clock. */
const CALENDAR: Day[] = [
  { name: 'midnight', start: MARCH, firstAt: Date.UTC(2026, 2, 5, 4, 40) },
  { name: 'Feb 29', start: LEAP_YEAR, firstAt: Date.UTC(2028, 1, 29, 4, 40) },
  { name: 'Feb 29', start: LEAP_YEAR, firstAt: Date.UTC(2028, 2, 1, 4, 40) },
  { name: 'an hour is left out', start: MARCH, firstAt: Date.UTC(2026, 2, 8, 6, 40) },
  { name: 'an hour comes twice', start: FALL, firstAt: Date.UTC(2026, 10, 1, 5, 40) },
];

export type Everything = {
  theme: Theme;
  /** Of features that are to meet, each pair at an invoice of its own. */
  pairs: [FeatureName, FeatureName][];
  /** A second person approves large refunds. */
  hasSecondPerson: boolean;
  /** Its payments are recorded in the CRM. */
  recordsInCrm: boolean;
  /** When its first move comes, by its place in the calendar; null: on the day on which every run begins. */
  day: number | null;
};

/** Besides the scenes. */
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

/** An act, and when it comes (ms after the first one). */
type Timed = { at: number; act: Act };

/** Where in the list of invoices up to three pairs meet, each at one of its own. */
const PLACES = [
  [6, 4, 0],
  [4, 6, 2],
  [0, 4, 6],
  [2, 6, 4],
];

/** A seed's run: two or three pairs of features, each at an invoice of its own, then at times other stories. */
export function everythingOf(choices: Choices): Everything {
  const random = randomFrom(Math.floor(choices.noise('everything') * 0xffffffff));
  const pairs = drawPairs(random, random.chance(0.5) ? 2 : 3);
  const [bill = 0, ...others] = random.pick(PLACES);
  const stories = Array.from({ length: random.below(3) }, () => random.pick(STORIES));
  let form = 20;
  const toldAt = (bill: number, at: number, acts: Act[]): Timed[] => {
    let time = at;
    return acts.map((act) => {
      form += 1;
      time += act.afterMs ?? Math.floor(random.pick([3 * SECOND, 20 * SECOND, MINUTE]) * (0.5 + random.next()));
      return { at: time, act: { bill, token: form, form, tap: 'tap', ...act } };
    });
  };
  const told = pairs.flatMap((pair, n) => toldAt([bill, ...others][n] ?? bill, 0, meetingOf(random, pair)));
  const after = Math.max(...told.map(({ at }) => at));
  told.push(...toldAt(random.chance(0.85) ? bill : 1, after, stories.flat()));
  told.sort((a, b) => a.at - b.at);
  const opening = told.map(({ at, act }, n): Act => ({ ...act, afterMs: at - (told[n - 1]?.at ?? 0) }));
  const features = new Set<string>(pairs.flat());
  const days = CALENDAR.flatMap(({ name }, at) => (features.has(name) ? [at] : []));
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
      isTold: true,
      trouble: random.pick([0, 0, 0, 0.01, 0.02, 0.03, 0.08]),
    },
  };
}

/** The unusual day of a run; undefined: it has none. */
export function dayOf(choices: Choices): Day | undefined {
  if (choices.theme !== EVERYTHING) return undefined;
  const at = choices.choose<number | null>('the first move comes before', null, () => everythingOf(choices).day);
  return at === null ? undefined : CALENDAR[at];
}
