/** The rule of a state: the next states, the event that ends it, its time limit (ms) and the alert after that time. */
export type StateRule<S extends string> = {
  exits: readonly S[];
  endedBy: string;
  limitMs: number | null;
  alert: string | null;
};
