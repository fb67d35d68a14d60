import { type Mutation, mutations } from '#tests/money/guards';
import { runSeed } from './run.ts';
import { createSimulator } from './simulator.ts';

/** The first seeds of the three searches for each mutant. */
export const STARTS = [1, 100_001, 200_001];
/** A guard whose absence is not found within so many seeds counts as missed. */
export const MOST_SEEDS = 2_000;

/**
 * Guards whose absence one process cannot show, with the experiment of tests/money that does: what they are against
 * happens outside of a run, or between processes.
 */
export const shownElsewhere: Record<string, string> = {
  'payments wait after a restore': 'E13',
  'a lost charge is found again': 'E13',
};

/** How many seeds one search took; null where all of them passed. */
export type Search = { start: number; seeds: number | null; violation: string };
export type MutantRow = { mutation: Mutation; searches: Search[] };

/** The product without the guard and without its second layer, run seed by seed until a rule is violated. */
export async function searchFor(
  { edit, secondLayer }: Mutation,
  starts: number[],
  mostSeeds: number,
  tell: (seed: number) => void = () => undefined,
): Promise<Search[]> {
  const simulator = await createSimulator([edit, ...(secondLayer?.edit ? [secondLayer.edit] : [])]);
  const searches: Search[] = [];
  for (const start of starts) {
    let found: Search = { start, seeds: null, violation: '' };
    for (let seed = start; seed < start + mostSeeds && found.seeds === null; seed++) {
      tell(seed);
      const [violation] = (await runSeed(simulator, seed)).violations;
      if (violation) found = { start, seeds: seed - start + 1, violation };
    }
    searches.push(found);
  }
  return searches;
}

export const inSimulation = mutations.filter(({ name }) => !(name in shownElsewhere));

export const median = (searches: Search[]): number | null => {
  const counts = searches.map(({ seeds }) => seeds ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const middle = counts[Math.floor(counts.length / 2)] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(middle) ? middle : null;
};
