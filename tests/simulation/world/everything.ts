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
const debit = { do: 'pay', card: 'ach' };
/** For as long as the night may take: the provider's own close would end the batch. */
const settled = { do: 'close-by-hand', tap: 'tap' };
const UNTIL_A_DEBIT_ENDS = 12 * MINUTE;

/** Short stories, each of one feature. A run tells some of them of the same invoice, one after the other. */
const SCENES: Record<string, Act[]> = {
  installments: [{ do: 'open-parts' }, pay, pay],
  'installments and their end': [{ do: 'open-parts' }, pay, { do: 'close-parts' }, pay],
  'the end of installments': [{ do: 'close-parts', afterMs: AFTER_THE_HOLD }, pay],
  void: [pay, { do: 'void' }],
  refund: [pay, settled, { do: 'refund', cents: 25_000 }],
  'refund in part': [pay, settled, { do: 'refund', cents: 500 }],
  'void by hand': [pay, { do: 'void-by-hand' }, { do: 'reconcile' }],
  'refund by hand': [pay, { do: 'refund-by-hand', cents: 25_000 }, { do: 'reconcile' }],
  'refund in part by hand': [pay, { do: 'refund-by-hand', cents: 500 }, { do: 'reconcile' }],
  'refund in part, then void': [
    ...[pay, { do: 'refund-by-hand', cents: 500 }, { do: 'void-refund-by-hand' }, { do: 'void-by-hand' }],
    { do: 'reconcile' },
  ],
  'refund voided later': [
    ...[pay, { do: 'refund-by-hand', cents: 900 }, { do: 'reconcile' }, { do: 'void-refund-by-hand' }],
    { do: 'reconcile' },
  ],
  'late charge': [{ ...pay, meets: 'late' }, { do: 'open', afterMs: AFTER_THE_HOLD }, pay],
  'late charge, paid again and voided': [
    ...[{ ...pay, meets: 'late' }, { do: 'open', afterMs: AFTER_THE_HOLD }, pay, { do: 'void' }, { do: 'reopen' }, pay],
  ],
  reopening: [pay, { do: 'void' }, { do: 'reopen', afterMs: AFTER_THE_HOLD }, pay],
  'second person': [pay, settled, { do: 'refund', cents: 5_000 }, { do: 'approve', isNamed: true }],
  'bank debit': [debit],
  'debit that comes back': [{ ...debit, meets: 'returned' }, { do: 'reopen', afterMs: UNTIL_A_DEBIT_ENDS }, pay],
  'settled debit that comes back': [
    ...[{ ...debit, meets: 'returned-after-settled' }, { do: 'reopen', afterMs: 2 * UNTIL_A_DEBIT_ENDS }, pay],
  ],
  'debit that is cancelled': [{ ...debit, meets: 'debit-cancelled' }],
  'debit that vanishes': [{ ...debit, meets: 'debit-unlisted' }],
  'debit on hold': [{ ...debit, meets: 'debit-on-hold' }],
  'an unheard answer': [
    { ...pay, meets: 'answer-lost' },
    { do: 'open', afterMs: AFTER_THE_HOLD },
  ],
  'at the desk': [{ do: 'sell', tap: 'tap' }],
  'zone change': [pay, { do: 'change-zone' }],
  'edit in the CRM': [{ do: 'edit-balance' }],
  'merge in the CRM': [{ do: 'crm-merge' }],
  'deleted in the CRM': [
    { do: 'crm-delete', isNamed: true },
    { do: 'crm-delete', isNamed: false },
  ],
  'another number in the CRM': [{ do: 'crm-renumber' }, pay],
  'records put back': [
    ...[
      { do: 'keep-backup' },
      pay,
      { do: 'restore', afterMs: 30 * SECOND },
      { do: 'reconcile', afterMs: 6 * MINUTE },
      pay,
    ],
  ],
  'records put back from before a reopening': [
    ...[pay, { do: 'void' }, { do: 'keep-backup' }, { do: 'reopen', afterMs: MINUTE }, pay],
    ...[{ do: 'restore', afterMs: 30 * SECOND }, { do: 'reopen', afterMs: 6 * MINUTE }, pay],
  ],
  'terminal closed': [{ do: 'close-terminal' }, pay, { do: 'replace-terminal' }, pay],
  'terminal replaced': [{ do: 'replace-terminal' }, pay, { do: 'close-terminal' }, pay],
  crash: [pay, { do: 'crash', afterMs: 2 * SECOND }],
};

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
  ...{ pay: 4, open: 1, void: 1, refund: 1, 'void-by-hand': 1, 'refund-by-hand': 1, reopen: 2, sell: 1, approve: 1 },
  ...{ resolve: 0.5, 'resolve-reversal': 0.5, 'edit-balance': 0.5, 'clock-jumps': 0.3, crash: 1, 'object-resets': 0.5 },
  ...{ 'open-parts': 1, 'close-parts': 1, reconcile: 0.5, 'schedule-twice': 0.5, 'change-zone': 0.3 },
};

/** An act, and when it comes (ms after the first one). */
type Timed = { at: number; act: Act };

/** What a seed makes of it: two pairs of features at an invoice each, then at times other stories. */
export function everythingOf(choices: Choices): Everything {
  const random = randomFrom(Math.floor(choices.noise('everything') * 0xffffffff));
  const pairs = drawPairs(random, random.chance(0.5) ? 2 : 3);
  const places = random.pick([
    [6, 4],
    [4, 6],
    [6, 0],
    [0, 4],
    [2, 6],
  ]);
  const names = Object.keys(SCENES);
  const scenes = Array.from({ length: random.below(3) }, () => random.pick(names));
  let form = 20;
  const toldAt = (bill: number, at: number, acts: Act[]): Timed[] => {
    let time = at;
    return acts.map((act) => {
      form += 1;
      time += act.afterMs ?? Math.floor(random.pick([3 * SECOND, 20 * SECOND, MINUTE]) * (0.5 + random.next()));
      return { at: time, act: { bill, token: form, form, tap: 'tap', ...act } };
    });
  };
  const [bill = 0] = places;
  const told = pairs.flatMap((pair, n) => toldAt(places[n] ?? bill, 0, meetingOf(random, pair)));
  const after = Math.max(...told.map(({ at }) => at));
  told.push(
    ...toldAt(
      random.chance(0.85) ? bill : 1,
      after,
      scenes.flatMap((name) => SCENES[name] ?? []),
    ),
  );
  told.sort((a, b) => a.at - b.at);
  const opening = told.map(({ at, act }, n): Act => ({ ...act, afterMs: at - (told[n - 1]?.at ?? 0) }));
  const features = new Set<string>([...pairs.flat(), ...scenes]);
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
