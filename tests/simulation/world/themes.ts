import type { Choices, Json } from '../engine/choices.ts';

/** A run that dwells on a few deeds and faults, so that those meet which hardly would among all others. */
export type Theme = {
  /** How often each deed is drawn; the others are not. */
  weights: Record<string, number>;
  /** What a sale meets most of the time. */
  faults: string[];
  /** What the first moves are, as far as chance does not decide it. `afterMs`: since the move before. */
  opening: (Record<string, Json> & { afterMs?: number })[];
  /** Between two moves, in ms. */
  gaps: number[];
};

const [SECOND, MINUTE] = [1000, 60_000];

const weights = {
  ...{ pay: 3, 'gateway-mumbles': 1, 'void-by-hand': 1.5, 'refund-by-hand': 4, 'sale-by-hand': 1.5, reconcile: 4 },
  ...{ 'clock-jumps': 3, 'schedule-twice': 2, crash: 0.5, resolve: 0.5, reopen: 0.5 },
};
const gaps = [20 * SECOND, 2 * MINUTE, 6 * MINUTE, 12 * MINUTE];
const pays = { card: 'approves', bill: 0 };
/** For longer than the hold. */
const mumbles = { do: 'gateway-mumbles', forMs: 50 * MINUTE };

/** A charge is put before a person, and meanwhile something speaks against it, or for it. */
const BEFORE_A_PERSON: Theme = {
  weights,
  gaps,
  faults: ['answer-lost', '500-after', 'bad-json-after', 'late'],
  opening: [pays, mumbles],
};

/** The same, where the gateway did wrong and nobody heard its answer. */
const UNHEARD: Theme = {
  weights,
  gaps,
  faults: ['charged-twice', 'wrong-amount-charged'],
  opening: [pays, { do: 'crash', afterMs: 1_200 }, mumbles],
};

export function themeOf(choices: Choices): Theme | null {
  const noise = choices.noise('theme');
  if (noise < 0.2) return BEFORE_A_PERSON;
  return noise < 0.3 ? UNHEARD : null;
}
