import type { Choices } from '../engine/choices.ts';

/** A run that dwells on a few deeds and faults, so that those meet which hardly would among all others. */
export type Theme = {
  /** How often each deed is drawn; the others are not. */
  weights: Record<string, number>;
  faults: string[];
};

/** The share of runs that have a theme. */
const SHARE = 0.3;

/** A charge is put before a person, and meanwhile something speaks against it, or for it. */
const BEFORE_A_PERSON: Theme = {
  weights: {
    ...{ pay: 3, 'gateway-mumbles': 5, 'void-by-hand': 2, 'refund-by-hand': 3, 'sale-by-hand': 2, reconcile: 3 },
    ...{ 'clock-jumps': 3, 'schedule-twice': 2, crash: 0.5, resolve: 0.5, reopen: 0.5 },
  },
  faults: ['answer-lost', '500-after', 'bad-json-after', 'charged-twice', 'wrong-amount-charged', 'late'],
};

export function themeOf(choices: Choices): Theme | null {
  return choices.noise('theme') < SHARE ? BEFORE_A_PERSON : null;
}
