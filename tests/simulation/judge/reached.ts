/** How often each name was reached. */
export type Counts = Record<string, number>;
export type Coverage = { states: Counts; moves: Counts; faults: Counts; pairs: Counts };

export const emptyCoverage = (): Coverage => ({ states: {}, moves: {}, faults: {}, pairs: {} });

export const count = (counts: Counts, name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

export function addCoverage(sum: Coverage, addend: Coverage): void {
  for (const kind of ['states', 'moves', 'faults', 'pairs'] as const)
    for (const [name, n] of Object.entries(addend[kind])) count(sum[kind], name, n);
}
