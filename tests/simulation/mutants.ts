import { type Mutation, mutations } from '#tests/money/guards';
import { table } from '#tests/money/report';
import { runSeed } from './run.ts';
import { createSimulator, type Simulator } from './simulator.ts';

/** The first seeds of the searches for each mutant. */
export const STARTS = [1, 100_001, 200_001];
/** A guard whose absence is not found within so many seeds counts as missed. */
export const MOST_SEEDS = 2_000;

/** Guards whose absence a run cannot show, with the experiment of tests/money that does, and why. */
export const shownElsewhere: Record<string, { experiment: string; why: string }> = {
  'before a person: it was never released': {
    experiment: 'E18',
    why: 'a released one is charged here only by a rare jump of the clock',
  },
  'token hash': { experiment: 'E1b', why: 'a run without the index fails with it as well' },
  'before a person: no other attempt is refunded': { experiment: 'E18', why: 'the claim lets no other one begin' },
  'before a person: no other attempt is live': { experiment: 'E18', why: 'the claim lets no other one begin' },
  'before a person: no foreign charge': { experiment: 'E18', why: 'no two invoices of a run share a key' },
  'before a person: no foreign charge by the other way of paying': {
    experiment: 'E18',
    why: 'no two invoices of a run share a key',
  },
  'before a person: no person has decided': { experiment: 'E18', why: 'a decided one comes back as released' },
  "the ledger's key": { experiment: 'E3i', why: 'no gateway of a run answers with another transaction' },
  'claim of a mail': { experiment: 'E6c', why: 'the judge tells mails by the key that is off' },
  'one part under way (unique index)': {
    experiment: 'E22',
    why: 'taken away as one live attempt is, with both indexes',
  },
  'a part is live once (unique index)': {
    experiment: 'E22',
    why: 'taken away as one live attempt is, with both indexes',
  },
  'a part has a key of its own': { experiment: 'E22b', why: 'without it an equal part waits, and no charge is wrong' },
  'a released part takes the same amount alone': {
    experiment: 'E22d',
    why: 'a charge after its hold and its release is judged by no rule here',
  },
  'the index knows the part': {
    experiment: 'E22b',
    why: 'without it a second part is refused, and no charge is wrong',
  },
  'payments wait after a restore': { experiment: 'E13', why: 'a run does not restore its database' },
  'a lost charge is found again': { experiment: 'E13', why: 'a run does not restore its database' },
};

export const shownHere = mutations.filter(({ name }) => !(name in shownElsewhere));

/** How many seeds a search took; null where all that it may try passed, or its time was over. */
export type Search = { start: number; seeds: number | null; tried: number; violation: string };
export type MutantRow = { mutation: Mutation; searches: Search[] };

/** The product without the guard and without its second layer, run seed by seed until a rule is violated. */
export async function searchFor(
  mutation: Mutation,
  starts: number[],
  {
    mostSeeds = MOST_SEEDS,
    mayGoOn = () => true,
    theme = null,
  }: { mostSeeds?: number; mayGoOn?: () => boolean; theme?: string | null } = {},
): Promise<MutantRow> {
  const { edit, secondLayer } = mutation;
  const layer = secondLayer?.edit ? [secondLayer.edit] : [];
  const simulator = await createSimulator([edit, ...layer]);
  let guardAlone: Simulator | undefined;
  const searches: Search[] = [];
  for (const start of starts) {
    const search: Search = { start, seeds: null, tried: 0, violation: '' };
    while (search.seeds === null && search.tried < mostSeeds && mayGoOn()) {
      const seed = start + search.tried;
      const [violation] = (await runSeed(simulator, seed, { theme })).violations;
      search.tried += 1;
      if (!violation) continue;
      guardAlone ??= await createSimulator(layer);
      // A seed that the product fails with the guard as well says nothing of the guard.
      if ((await runSeed(guardAlone, seed, { theme })).violations.length === 0)
        Object.assign(search, { seeds: search.tried, violation });
    }
    searches.push(search);
  }
  return { mutation, searches };
}

/** Seeds until it was found, in the middle of the searches: "13", or "> 2000" where that search found nothing. */
export function medianOf({ searches }: MutantRow): string {
  const sorted = searches.toSorted(
    (a, b) => (a.seeds ?? Number.POSITIVE_INFINITY) - (b.seeds ?? Number.POSITIVE_INFINITY),
  );
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle?.seeds ? String(middle.seeds) : `> ${middle?.tried ?? 0}`;
}

const rulesOf = ({ searches }: MutantRow): string =>
  [...new Set(searches.flatMap(({ violation }) => violation.split(':')[0] || []))].sort().join(' ') || '-';

/** One line for each guard: those found here, and those that an experiment shows. */
export const mutantTable = (rows: MutantRow[]): string =>
  table(
    ['guard taken away', 'second layer, off too', 'seeds until found', 'median', 'rules broken'],
    [
      ...rows.map((row) => [
        row.mutation.name,
        row.mutation.secondLayer?.name ?? 'none',
        row.searches.map(({ seeds, tried }) => (seeds === null ? `> ${tried}` : String(seeds))).join(', '),
        medianOf(row),
        rulesOf(row),
      ]),
      ...mutations.flatMap(({ name, secondLayer }) => {
        const elsewhere = shownElsewhere[name];
        return elsewhere ? [[name, secondLayer?.name ?? 'none', elsewhere.why, elsewhere.experiment, '-']] : [];
      }),
    ],
  );
