import type { Random } from '#tests/support/seeded-random';
import { cannotMeet, FEATURES, type FeatureName } from '../features.ts';
import type { Theme } from './theme.ts';

/** How any two features of money come about at one invoice, one after the other. */

export type Act = Theme['opening'][number];

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const pay = { do: 'pay', card: 'approves' };
const debit = { do: 'pay', card: 'ach' };
const reconcile = { do: 'reconcile', afterMs: 5 * SECOND };
const reopen = { do: 'reopen', afterMs: 20 * SECOND };
/** The provider's own close would end the batch at night. */
const settled = { do: 'close-by-hand', tap: 'tap', afterMs: 25 * SECOND };
const all = 25_000;
export const AFTER_THE_HOLD = 16 * MINUTE;
const UNTIL_A_DEBIT_ENDS = 12 * MINUTE;
/** Of a debit that nothing more is heard of: so long until a person decides. */
const UNTIL_A_PERSON = 30 * HOUR;
/** After that, what was released may still show up. */
const A_DAY = 25 * HOUR;

/** `free`: what makes the invoice payable again. Of two features, that of the lower rank comes first. */
type Way = { bring: Act[]; free?: Act[]; rank: number };

/** Twice, since the gateway's lists may lag behind what it has just charged. */
const voided: Act[] = [
  { do: 'void', afterMs: 40 * SECOND },
  { do: 'void', afterMs: 9 * MINUTE },
];
const refunded: Act[] = [
  { do: 'refund', cents: all, afterMs: 40 * SECOND },
  { do: 'approve', isNamed: true, afterMs: 20 * SECOND },
  { do: 'refund', cents: all, afterMs: 9 * MINUTE },
  { do: 'approve', isNamed: true, afterMs: 20 * SECOND },
];
/** The rest of a payment that was given back in part. */
const restGivenBack: Act[] = [{ do: 'refund-by-hand', cents: all, afterMs: 40 * SECOND }, reconcile, reopen];
const GIVEN_BACK: Act[] = [...voided, settled, ...refunded, reopen];
const atTheDesk = { ...settled, tap: 'none' };
const byPerson: Act[] = [
  { do: 'resolve', verdict: 'not-charged', afterMs: UNTIL_A_PERSON },
  { do: 'reopen', afterMs: A_DAY },
];
/** The day of the run brings it. */
const byItself: Way = { bring: [], rank: 1 };
const atOnce = (act: Act): Way => ({ bring: [act], rank: 1 });

const WAYS: Record<FeatureName, Way> = {
  'paid online': { bring: [pay], free: GIVEN_BACK, rank: 1 },
  'paid at the desk': {
    bring: [{ do: 'sell', tap: 'tap' }],
    free: [{ do: 'open', afterMs: MINUTE }, ...voided, atTheDesk, ...refunded, reopen],
    rank: 1,
  },
  'installments opened': { bring: [{ do: 'open-parts' }], free: [{ do: 'close-parts' }], rank: 1 },
  'installment paid': { bring: [{ do: 'open-parts' }, pay], free: [], rank: 3 },
  'installments closed': { bring: [{ do: 'open-parts' }, { do: 'close-parts' }], rank: 1 },
  void: { bring: [pay, ...voided], free: [reopen], rank: 1 },
  'void by hand': { bring: [pay, { do: 'void-by-hand', afterMs: 8 * SECOND }, reconcile], free: [reopen], rank: 1 },
  refund: {
    bring: [pay, settled, ...refunded],
    free: [reopen],
    rank: 1,
  },
  'refund in part': {
    bring: [pay, settled, ...[40 * SECOND, 9 * MINUTE].map((afterMs) => ({ do: 'refund', cents: 500, afterMs }))],
    free: restGivenBack,
    rank: 1,
  },
  'refund by hand': { bring: [pay, settled, { do: 'refund-by-hand', cents: all }, reconcile], free: [reopen], rank: 1 },
  'refund in part by hand': {
    bring: [pay, settled, { do: 'refund-by-hand', cents: 500 }, reconcile],
    free: restGivenBack,
    rank: 1,
  },
  'refund voided': {
    bring: [
      ...[pay, settled, { do: 'refund-by-hand', cents: 900 }, reconcile, { do: 'void-refund-by-hand' }, reconcile],
      // Once more: the gateway's lists may lag behind what its message has shown.
      { ...reconcile, afterMs: 30 * SECOND },
    ],
    free: GIVEN_BACK,
    rank: 1,
  },
  'late charge': {
    bring: [
      { ...pay, meets: 'late' },
      { do: 'open', afterMs: AFTER_THE_HOLD },
    ],
    free: byPerson,
    rank: 4,
  },
  reopening: { bring: [pay, ...voided, reopen], rank: 1 },
  'second person': {
    bring: [pay, settled, ...refunded],
    free: [reopen],
    rank: 1,
  },
  'recorded in the CRM': { bring: [pay], free: [{ do: 'open', afterMs: MINUTE }, ...GIVEN_BACK], rank: 1 },
  'record without an answer': {
    bring: [{ do: 'record-unheard' }, pay],
    free: [{ do: 'open', afterMs: 2 * MINUTE }, ...GIVEN_BACK],
    rank: 1,
  },
  'bank debit': {
    bring: [debit],
    free: [{ do: 'return-debit', afterMs: UNTIL_A_DEBIT_ENDS }, reconcile, reopen],
    rank: 0,
  },
  'debit returned': {
    bring: [{ ...debit, meets: 'returned' }],
    free: [{ do: 'reconcile', afterMs: UNTIL_A_DEBIT_ENDS }, reopen],
    rank: 0,
  },
  'settled debit returned': {
    bring: [{ ...debit, meets: 'returned-after-settled' }],
    free: [{ do: 'reconcile', afterMs: 3 * UNTIL_A_DEBIT_ENDS }, reopen],
    rank: 0,
  },
  'debit cancelled': {
    bring: [{ ...debit, meets: 'debit-cancelled' }],
    free: [{ do: 'reconcile', afterMs: UNTIL_A_DEBIT_ENDS }, reopen],
    rank: 0,
  },
  'debit vanished': { bring: [{ ...debit, meets: 'debit-unlisted' }], free: byPerson, rank: 2 },
  'debit on hold': { bring: [{ ...debit, meets: 'debit-on-hold' }], free: byPerson, rank: 2 },
  'zone change': atOnce({ do: 'change-zone' }),
  midnight: byItself,
  'Feb 29': byItself,
  'an hour is left out': byItself,
  'an hour comes twice': byItself,
  restore: {
    bring: [
      { do: 'restore', afterMs: 30 * SECOND },
      { do: 'reconcile', afterMs: 6 * MINUTE },
    ],
    rank: 9,
  },
  'terminal closed': { bring: [{ do: 'close-terminal' }], rank: 6 },
  'terminal replaced': atOnce({ do: 'replace-terminal' }),
  // Its payer finds it frozen, and staff say what is owed.
  'CRM edit': {
    bring: [{ do: 'edit-balance' }, { ...pay, afterMs: 20 * SECOND }, { do: 'reopen', afterMs: 30 * SECOND }],
    rank: 8,
  },
  'CRM merge': { bring: [{ do: 'crm-merge' }], rank: 7 },
  'CRM delete': {
    bring: [{ do: 'crm-delete', isNamed: true }],
    free: [{ do: 'crm-delete', isNamed: false }],
    rank: 7,
  },
  'CRM number change': atOnce({ do: 'crm-renumber' }),
};

/** How often a feature is drawn: what chance or another feature often thwarts more often than what always comes about. */
const WEIGHTS: Partial<Record<FeatureName, number>> = {
  'paid at the desk': 3,
  'installment paid': 3,
  'late charge': 3,
  'second person': 4,
  'record without an answer': 3,
  'debit returned': 3,
  'settled debit returned': 3,
  'debit cancelled': 3,
  'debit vanished': 3,
  'debit on hold': 3,
  'CRM number change': 3,
  'installments closed': 2,
  void: 3,
  'void by hand': 2,
  'refund by hand': 2,
  'refund in part': 2,
  'refund in part by hand': 2,
  'refund voided': 2,
  'CRM merge': 2,
  'CRM delete': 2,
};
type Pair = [FeatureName, FeatureName];
const weightOf = (pair: Pair) => pair.reduce((product, name) => product * (WEIGHTS[name] ?? 1), 1);

/** Every two features that one run can meet, each as often as its weight. */
const PAIRS = FEATURES.flatMap((a, at) => FEATURES.slice(at + 1).map((b): Pair => [a, b]))
  .filter(([a, b]) => !cannotMeet(a, b))
  .flatMap((pair) => Array.from({ length: weightOf(pair) }, () => pair));

/** So many pairs that one run can meet together: a run has one unusual day at most. */
export function drawPairs(random: Random, count: number): Pair[] {
  const drawn: Pair[] = [];
  while (drawn.length < count) {
    const pair = random.pick(PAIRS);
    if (drawn.flat().every((known) => pair.every((name) => !cannotMeet(known, name)))) drawn.push(pair);
  }
  return drawn;
}

/** The acts that bring both about, and at times once more a payment after them. */
export function meetingOf(random: Random, pair: [FeatureName, FeatureName]): Act[] {
  const [a, b] = random.chance(0.5) ? pair : pair.toReversed();
  const [first, second] = [a, b].map((name) => WAYS[name as FeatureName]).sort((x, y) => x.rank - y.rank);
  if (!first || !second) throw new Error(`no such pair: ${pair.join(', ')}`);
  const isPaidFor = second.bring.some((act) => ['pay', 'sell', 'open-parts'].includes(String(act.do)));
  const acts = [...first.bring, ...(isPaidFor || random.chance(0.5) ? (first.free ?? []) : []), ...second.bring];
  return [
    ...(pair.includes('restore') ? [{ do: 'keep-backup' }] : []),
    ...acts,
    ...(random.chance(0.3) ? [...(second.free ?? []), pay] : []),
  ];
}
