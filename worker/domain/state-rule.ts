/** The rule of one state: its exits, what ends it, its time limit (ms; null: none), and the alert when that passes. */
export type StateRule<S extends string> = {
  exits: readonly S[];
  endedBy: string;
  limitMs: number | null;
  alert: string | null;
};
