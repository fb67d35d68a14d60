import type { Choices, Json } from '../engine/choices.ts';

/** A run that dwells on a few deeds and faults, so that those meet which hardly would among all others. */
export type Theme = {
  /** How often each deed is drawn; the others are not. */
  weights: Record<string, number>;
  faults: string[];
  /** What the first moves are, as far as chance does not decide it. */
  opening: Record<string, Json>[];
  /** Between two moves, in ms. */
  gaps: number[];
};

const [SECOND, MINUTE] = [1000, 60_000];

/** The share of runs that have a theme. */
const SHARE = 0.3;

/** A charge is put before a person, and meanwhile something speaks against it, or for it. */
const BEFORE_A_PERSON: Theme = {
  weights: {
    ...{ pay: 3, 'gateway-mumbles': 1, 'void-by-hand': 2, 'refund-by-hand': 3, 'sale-by-hand': 2, reconcile: 3 },
    ...{ 'clock-jumps': 3, 'schedule-twice': 2, crash: 0.5, resolve: 0.5, reopen: 0.5 },
  },
  faults: ['answer-lost', '500-after', 'bad-json-after', 'charged-twice', 'wrong-amount-charged', 'late'],
  // It stays unclear for longer than the hold.
  opening: [
    { card: 'approves', bill: 0 },
    { do: 'gateway-mumbles', forMs: 40 * MINUTE },
  ],
  gaps: [2 * SECOND, 20 * SECOND, MINUTE, 4 * MINUTE, 12 * MINUTE],
};

export function themeOf(choices: Choices): Theme | null {
  return choices.noise('theme') < SHARE ? BEFORE_A_PERSON : null;
}
