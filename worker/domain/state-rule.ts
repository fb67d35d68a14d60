/** The rule of one state: the next states, the event that ends it, its time limit (ms), and the alert after it. */
export type StateRule<S extends string> = {
  exits: readonly S[];
  endedBy: string;
  limitMs: number | null;
  alert: string | null;
};
