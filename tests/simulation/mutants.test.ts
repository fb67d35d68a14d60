import { expect, it } from 'vitest';
import { mutations } from '#tests/money/guards';
import * as completeOnly from '#tests/support/complete-only';
import { type MutantRow, medianOf, mutantTable, searchFor, shownElsewhere, shownHere } from './mutants.ts';
import { ENOUGH, putBack } from './put-back.ts';
import { EVERYTHING } from './world/everything.ts';

const START = 1;
/** Each search ends by then, whatever it has found. */
const PATIENCE_MS = 240_000;

it('assigns only existing guards to other experiments', () => {
  const names = mutations.map(({ name }) => name);
  expect(Object.keys(shownElsewhere).filter((name) => !names.includes(name))).toEqual([]);
  expect(shownHere.length + Object.keys(shownElsewhere).length).toBe(mutations.length);
});

it('shows the median number of seeds that the searches took', () => {
  const [mutation] = shownHere;
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

// Thousands of runs: a guard that is missed at once needs few, another one hundreds.
completeOnly.it.each(shownHere)(
  'misses a guard that is taken away: $name',
  { timeout: 2 * PATIENCE_MS },
  async (mutation) => {
    const end = performance.now() + PATIENCE_MS;
    const row = await searchFor(mutation, [START], { mayGoOn: () => performance.now() < end });
    console.log(mutantTable([row]).split('\n')[2]);
    expect(row.searches[0]?.seeds).not.toBeNull();
  },
);

completeOnly.it.each(putBack)(
  'finds a defect again that is put back: $name',
  { timeout: 2 * PATIENCE_MS },
  async (defect) => {
    const end = performance.now() + PATIENCE_MS;
    const mayGoOn = () => performance.now() < end;
    const row = await searchFor(defect, [START], { mostSeeds: ENOUGH, theme: EVERYTHING, mayGoOn });
    console.log(mutantTable([row]).split('\n')[2]);
    expect(row.searches[0]?.seeds).not.toBeNull();
  },
);
