import type { Random } from '#tests/support/seeded-random';
import { areExclusive, FEATURES, type FeatureName } from '../features.ts';
import type { Theme } from './theme.ts';

/** The acts that bring about any two money features at one invoice, one after the other. */

export type Act = Theme['opening'][number];

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const pay = { do: 'pay', card: 'approves' };
const debit = { do: 'pay', card: 'ach' };
const reconcile = { do: 'reconcile', afterMs: 5 * SECOND };
const reopen = { do: 'reopen', afterMs: 20 * SECOND };
/** Closes the batch early; otherwise the provider would close it at night. */
const closeOnline = { do: 'close-by-hand', tap: 'tap', afterMs: 25 * SECOND };
const ALL_CENTS = 25_000;
export const AFTER_THE_HOLD = 16 * MINUTE;
const UNTIL_A_DEBIT_ENDS = 12 * MINUTE;
/** Time until a person decides about a debit without further notices. */
const UNTIL_REVIEW = 30 * HOUR;
/** Time in which a released charge may still show up. */
const AFTER_RELEASE = 25 * HOUR;

/**
 * `bring`: acts that bring the feature about. `free`: acts that make the invoice payable again. Of two features, the
 * one with the lower rank comes first.
 */
type Recipe = { bring: Act[]; free?: Act[]; rank: number };

/** Two voids, since the gateway's lists may lag behind its latest charges. */
const voidTwice: Act[] = [
  { do: 'void', afterMs: 40 * SECOND },
  { do: 'void', afterMs: 9 * MINUTE },
];
const refundTwice: Act[] = [
  { do: 'refund', cents: ALL_CENTS, afterMs: 40 * SECOND },
  { do: 'approve', isNamed: true, afterMs: 20 * SECOND },
  { do: 'refund', cents: ALL_CENTS, afterMs: 9 * MINUTE },
  { do: 'approve', isNamed: true, afterMs: 20 * SECOND },
];
/** Refunds the rest of a payment that was refunded in part. */
const refundRest: Act[] = [{ do: 'refund-by-hand', cents: ALL_CENTS, afterMs: 40 * SECOND }, reconcile, reopen];
const REVERSE_AND_REOPEN: Act[] = [...voidTwice, closeOnline, ...refundTwice, reopen];
const closeDesk = { ...closeOnline, tap: 'none' };
const decideManually: Act[] = [
  { do: 'resolve', verdict: 'not-charged', afterMs: UNTIL_REVIEW },
  { do: 'reopen', afterMs: AFTER_RELEASE },
];
/** The day of the run brings the feature about. */
const byDay: Recipe = { bring: [], rank: 1 };
const singleAct = (act: Act): Recipe => ({ bring: [act], rank: 1 });

const RECIPES: Record<FeatureName, Recipe> = {
  'paid online': { bring: [pay], free: REVERSE_AND_REOPEN, rank: 1 },
  'paid at the desk': {
    bring: [{ do: 'sell', tap: 'tap' }],
    free: [{ do: 'open', afterMs: MINUTE }, ...voidTwice, closeDesk, ...refundTwice, reopen],
    rank: 1,
  },
  'installments opened': { bring: [{ do: 'open-parts' }], free: [{ do: 'close-parts' }], rank: 1 },
  'installment paid': { bring: [{ do: 'open-parts' }, pay], free: [], rank: 3 },
  'installments closed': { bring: [{ do: 'open-parts' }, { do: 'close-parts' }], rank: 1 },
  void: { bring: [pay, ...voidTwice], free: [reopen], rank: 1 },
  'void by hand': { bring: [pay, { do: 'void-by-hand', afterMs: 8 * SECOND }, reconcile], free: [reopen], rank: 1 },
  refund: {
    bring: [pay, closeOnline, ...refundTwice],
    free: [reopen],
    rank: 1,
  },
  'refund in part': {
    bring: [pay, closeOnline, ...[40 * SECOND, 9 * MINUTE].map((afterMs) => ({ do: 'refund', cents: 500, afterMs }))],
    free: refundRest,
    rank: 1,
  },
  'refund by hand': {
    bring: [pay, closeOnline, { do: 'refund-by-hand', cents: ALL_CENTS }, reconcile],
    free: [reopen],
    rank: 1,
  },
  'refund in part by hand': {
    bring: [pay, closeOnline, { do: 'refund-by-hand', cents: 500 }, reconcile],
    free: refundRest,
    rank: 1,
  },
  'refund voided': {
    bring: [
      ...[pay, closeOnline, { do: 'refund-by-hand', cents: 900 }, reconcile, { do: 'void-refund-by-hand' }, reconcile],
      // Once more, since the gateway's lists may lag behind its notice.
      { ...reconcile, afterMs: 30 * SECOND },
    ],
    free: REVERSE_AND_REOPEN,
    rank: 1,
  },
  'late charge': {
    bring: [
      { ...pay, meets: 'late' },
      { do: 'open', afterMs: AFTER_THE_HOLD },
    ],
    free: decideManually,
    rank: 4,
  },
  reopening: { bring: [pay, ...voidTwice, reopen], rank: 1 },
  'second person': {
    bring: [pay, closeOnline, ...refundTwice],
    free: [reopen],
    rank: 1,
  },
  'recorded in the CRM': { bring: [pay], free: [{ do: 'open', afterMs: MINUTE }, ...REVERSE_AND_REOPEN], rank: 1 },
  'record without an answer': {
    bring: [{ do: 'record-unheard' }, pay],
    free: [{ do: 'open', afterMs: 2 * MINUTE }, ...REVERSE_AND_REOPEN],
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
  'debit vanished': { bring: [{ ...debit, meets: 'debit-unlisted' }], free: decideManually, rank: 2 },
  'debit on hold': { bring: [{ ...debit, meets: 'debit-on-hold' }], free: decideManually, rank: 2 },
  'zone change': singleAct({ do: 'change-zone' }),
  midnight: byDay,
  'Feb 29': byDay,
  'an hour is left out': byDay,
  'an hour comes twice': byDay,
  restore: {
    bring: [
      { do: 'restore', afterMs: 30 * SECOND },
      { do: 'reconcile', afterMs: 6 * MINUTE },
    ],
    rank: 9,
  },
  'terminal closed': { bring: [{ do: 'close-terminal' }], rank: 6 },
  'terminal replaced': singleAct({ do: 'replace-terminal' }),
  // The payer finds the invoice frozen, and staff state the amount owed.
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
  'CRM number change': singleAct({ do: 'crm-renumber' }),
};

/** Draw weights of features; those that often fail to come about have a higher weight. */
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

/** Every pair of features that one run can have, repeated by its weight. */
const PAIRS = FEATURES.flatMap((a, index) => FEATURES.slice(index + 1).map((b): Pair => [a, b]))
  .filter(([a, b]) => !areExclusive(a, b))
  .flatMap((pair) => Array.from({ length: weightOf(pair) }, () => pair));

/** Draws `count` pairs that fit into one run, which has at most one unusual day. */
export function drawPairs(random: Random, count: number): Pair[] {
  const drawnPairs: Pair[] = [];
  while (drawnPairs.length < count) {
    const pair = random.pick(PAIRS);
    const drawnNames = drawnPairs.flat();
    if (drawnNames.every((drawnName) => pair.every((name) => !areExclusive(drawnName, name)))) drawnPairs.push(pair);
  }
  return drawnPairs;
}

/** The acts that bring both features about, sometimes followed by another payment. */
export function meetingOf(random: Random, pair: [FeatureName, FeatureName]): Act[] {
  const [a, b] = random.chance(0.5) ? pair : pair.toReversed();
  const [first, second] = [a, b].map((name) => RECIPES[name as FeatureName]).sort((x, y) => x.rank - y.rank);
  if (!first || !second) throw new Error(`no such pair: ${pair.join(', ')}`);
  const needsPayable = second.bring.some((act) => ['pay', 'sell', 'open-parts'].includes(String(act.do)));
  const acts = [...first.bring, ...(needsPayable || random.chance(0.5) ? (first.free ?? []) : []), ...second.bring];
  return [
    ...(pair.includes('restore') ? [{ do: 'keep-backup' }] : []),
    ...acts,
    ...(random.chance(0.3) ? [...(second.free ?? []), pay] : []),
  ];
}
