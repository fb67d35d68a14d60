import { expect, it } from 'vitest';
import { mutations } from '#tests/money/guards';
import * as completeOnly from '#tests/support/complete-only';
import {
  guardsTestedElsewhere,
  guardsTestedHere,
  type MutantRow,
  medianOf,
  mutantTable,
  searchFor,
} from './mutants.ts';
import { MAX_DEFECT_SEEDS, reintroducedDefects } from './put-back.ts';
import { EVERYTHING } from './world/everything.ts';

const START = 1;
/** Time limit of each search. */
const SEARCH_MS = 240_000;

it('only existing guards are assigned to other experiments', () => {
  const names = mutations.map(({ name }) => name);
  expect(Object.keys(guardsTestedElsewhere).filter((name) => !names.includes(name))).toEqual([]);
  expect(guardsTestedHere.length + Object.keys(guardsTestedElsewhere).length).toBe(mutations.length);
});

it('the table shows the median number of seeds of the searches', () => {
  const [mutation] = guardsTestedHere;
  if (!mutation) throw new Error('no guard');
  const search = (seeds: number | null) => ({
    start: 1,
    seeds,
    tried: seeds ?? 2000,
    violation: seeds ? 'I1: twice' : '',
  });
  const row = (...counts: (number | null)[]): MutantRow => ({ mutation, searches: counts.map(search) });
  expect(medianOf(row(40, 7, 900))).toBe('40');
  expect(medianOf(row(null, 7, null))).toBe('> 2000');
  expect(mutantTable([row(40, null, 7)])).toContain('40, > 2000, 7');
});

// Thousands of runs in all: some guards are missed within a few seeds, others need hundreds.
completeOnly.it.each(guardsTestedHere)(
  'a rule is violated without the guard: $name',
  { timeout: 2 * SEARCH_MS },
  async (mutation) => {
    const end = performance.now() + SEARCH_MS;
    const row = await searchFor(mutation, [START], { canContinue: () => performance.now() < end });
    console.log(mutantTable([row]).split('\n')[2]);
    expect(row.searches[0]?.seeds).not.toBeNull();
  },
);

completeOnly.it.each(reintroducedDefects)(
  'the simulation finds the reintroduced defect: $name',
  { timeout: 2 * SEARCH_MS },
  async (defect) => {
    const end = performance.now() + SEARCH_MS;
    const canContinue = () => performance.now() < end;
    const row = await searchFor(defect, [START], { maxSeeds: MAX_DEFECT_SEEDS, theme: EVERYTHING, canContinue });
    console.log(mutantTable([row]).split('\n')[2]);
    expect(row.searches[0]?.seeds).not.toBeNull();
  },
);
