/**
 * Rule of one state: which states may follow, what ends it, by when (ms; null: nothing waits for its end), and the alert if it
 * does not end.
 */
export type StateRule<S extends string> = {
  exits: readonly S[];
  endedBy: string;
  limitMs: number | null;
  alert: string | null;
};
