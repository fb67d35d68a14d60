/** How often something was reached, by its name. */
export type Counts = Record<string, number>;
export type Reached = { states: Counts; moves: Counts; faults: Counts; pairs: Counts };

export const nothingReached = (): Reached => ({ states: {}, moves: {}, faults: {}, pairs: {} });

export const count = (counts: Counts, name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

export function addReached(sum: Reached, more: Reached): void {
  for (const kind of ['states', 'moves', 'faults', 'pairs'] as const)
    for (const [name, n] of Object.entries(more[kind])) count(sum[kind], name, n);
}
