import { type Mutation, mutations } from '#tests/money/guards';
import { table } from '#tests/money/report';
import { runSeed } from './run.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** The first seeds of the searches for each mutant. */
export const STARTS = [1, 100_001, 200_001];
/** Number of seeds after which a guard counts as not found. */
export const MAX_SEEDS = 2_000;

/** Guards whose absence a run cannot show, with the reason and the experiment of tests/money that shows it. */
export const guardsTestedElsewhere: Record<string, { experiment: string; reason: string }> = {
  'before a person: it was never released': {
    experiment: 'E18',
    reason: 'a released payment is charged here only after a rare clock jump',
  },
  'token hash': { experiment: 'E1b', reason: 'without the index, a run fails with or without the guard' },
  'before a person: no other attempt is refunded': {
    experiment: 'E18',
    reason: 'the claim prevents any other attempt from starting',
  },
  'before a person: no other attempt is live': {
    experiment: 'E18',
    reason: 'the claim prevents any other attempt from starting',
  },
  'before a person: no foreign charge': { experiment: 'E18', reason: 'no two invoices of a run share a key' },
  'before a person: no foreign charge by the other way of paying': {
    experiment: 'E18',
    reason: 'no two invoices of a run share a key',
  },
  'before a person: no person has decided': {
    experiment: 'E18',
    reason: 'a payment that a person decided comes back as released',
  },
  "the ledger's key": { experiment: 'E3i', reason: 'no simulated gateway answers with another transaction' },
  'claim of a mail': { experiment: 'E6c', reason: 'the judge identifies mails by the key that is removed here' },
  'one part under way (unique index)': {
    experiment: 'E22',
    reason: 'removed together with both indexes, like "one live attempt"',
  },
  'a part is live once (unique index)': {
    experiment: 'E22',
    reason: 'removed together with both indexes, like "one live attempt"',
  },
  'a part has a key of its own': {
    experiment: 'E22b',
    reason: 'without it an equal installment waits, and no charge is wrong',
  },
  'a released part takes the same amount alone': {
    experiment: 'E22d',
    reason: 'no rule here judges a charge made after its hold and release',
  },
  'the index knows the part': {
    experiment: 'E22b',
    reason: 'without it a second installment is refused, and no charge is wrong',
  },
  'payments wait after a restore': { experiment: 'E13', reason: 'a run does not restore its database' },
  'a lost charge is found again': { experiment: 'E13', reason: 'a run does not restore its database' },
};

export const guardsTestedHere = mutations.filter(({ name }) => !(name in guardsTestedElsewhere));

/** `seeds`: the number of seeds that a search took; null if all seeds passed or its time was over. */
export type Search = { start: number; seeds: number | null; tried: number; violation: string };
export type MutantRow = { mutation: Mutation; searches: Search[] };

/** Runs the product without the guard and its second layer, seed by seed, until a rule is violated. */
export async function searchFor(
  mutation: Mutation,
  starts: number[],
  {
    maxSeeds = MAX_SEEDS,
    canContinue = () => true,
    theme = null,
  }: { maxSeeds?: number; canContinue?: () => boolean; theme?: string | null } = {},
): Promise<MutantRow> {
  const { edit, secondLayer } = mutation;
  const layer = secondLayer?.edit ? [secondLayer.edit] : [];
  const simulator = await createSimulator([edit, ...layer]);
  let guardedSimulator: Simulator | undefined;
  const searches: Search[] = [];
  for (const start of starts) {
    const search: Search = { start, seeds: null, tried: 0, violation: '' };
    while (search.seeds === null && search.tried < maxSeeds && canContinue()) {
      const seed = start + search.tried;
      const [violation] = (await runSeed(simulator, seed, { theme })).violations;
      search.tried += 1;
      if (!violation) continue;
      guardedSimulator ??= await createSimulator(layer);
      // A seed that also fails with the guard in place proves nothing about the guard.
      if ((await runSeed(guardedSimulator, seed, { theme })).violations.length === 0)
        Object.assign(search, { seeds: search.tried, violation });
    }
    searches.push(search);
  }
  return { mutation, searches };
}

/** Median number of seeds over the searches: "13", or "> 2000" if that search found nothing. */
export function medianOf({ searches }: MutantRow): string {
  const sorted = searches.toSorted(
    (a, b) => (a.seeds ?? Number.POSITIVE_INFINITY) - (b.seeds ?? Number.POSITIVE_INFINITY),
  );
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle?.seeds ? String(middle.seeds) : `> ${middle?.tried ?? 0}`;
}

const rulesOf = ({ searches }: MutantRow): string =>
  [...new Set(searches.flatMap(({ violation }) => violation.split(':')[0] || []))].sort().join(' ') || '-';

/** A table with one line per guard: first those searched here, then those that an experiment shows. */
export const mutantTable = (rows: MutantRow[]): string =>
  table(
    ['removed guard', 'second layer, also removed', 'seeds until found', 'median', 'rules broken'],
    [
      ...rows.map((row) => [
        row.mutation.name,
        row.mutation.secondLayer?.name ?? 'none',
        row.searches.map(({ seeds, tried }) => (seeds === null ? `> ${tried}` : String(seeds))).join(', '),
        medianOf(row),
        rulesOf(row),
      ]),
      ...mutations.flatMap(({ name, secondLayer }) => {
        const elsewhere = guardsTestedElsewhere[name];
        return elsewhere ? [[name, secondLayer?.name ?? 'none', elsewhere.reason, elsewhere.experiment, '-']] : [];
      }),
    ],
  );
