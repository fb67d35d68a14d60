export type StateRule<S extends string> = {
  exits: readonly S[];
  endedBy: string;
  limitMs: number | null;
  alert: string | null;
};
