import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleWorker, ROOT, replaceOnce } from './cluster/bundle.ts';
import { type Mutant, mutants } from './mutants.ts';
import { runInOwnWorld } from './own-world.ts';
import { type Figures, isFull, table, verdict } from './report.ts';

const timeout = 300_000;

type Row = { killedBy: string; guardAlone: string };
const rows = new Map<string, Row>();
const rowOf = (mutant: Mutant): Row => {
  const row = rows.get(mutant.name) ?? { killedBy: '-', guardAlone: '-' };
  rows.set(mutant.name, row);
  return row;
};

const run = ({ experiment, settings = {} }: Mutant, edits: Mutant['edit'][]) =>
  runInOwnWorld(experiment, { edits, settings });

const secondLayerEdits = ({ secondLayer }: Mutant) => (secondLayer?.edit ? [secondLayer.edit] : []);

afterAll(() => {
  if (!isFull) return;
  const lines = mutants
    .filter(({ name }) => rows.has(name))
    .map((mutant) => [
      mutant.name,
      mutant.secondLayer?.name ?? 'none',
      rowOf(mutant).killedBy,
      rowOf(mutant).guardAlone,
    ]);
  console.log(`\n${table(['removed guard', 'second layer, also removed', 'killed by', 'guard alone'], lines)}\n`);
});

// Each mutant runs its own experiment, so only the complete run has the time.
describe.skipIf(!isFull).each(mutants)('$name', (mutant) => {
  it('causes a failure when the guard is removed', { timeout }, async () => {
    const figures = await run(mutant, [mutant.edit, ...secondLayerEdits(mutant)]);
    rowOf(mutant).killedBy = verdict(figures) === 'FAIL' ? describeFailure(figures) : 'SURVIVED';
    expect(verdict(figures)).toBe('FAIL');
  });

  // Without a removable second layer, the guard alone is the unchanged product, which the other files test.
  if (secondLayerEdits(mutant).length === 0) return;
  it('holds without its second layer', { timeout }, async () => {
    const figures = await run(mutant, secondLayerEdits(mutant));
    rowOf(mutant).guardAlone = verdict(figures) === 'pass' ? 'holds' : 'FAILS';
    expect(figures.violations).toEqual([]);
    expect(verdict(figures)).toBe('pass');
  });
});

/** "E1: I1, 27 extra charges" */
function describeFailure({ experiment, violations, extraCharges }: Figures): string {
  const rules = [...new Set(violations.flatMap((sentence) => /^I\d/.exec(sentence) ?? []))];
  const extra = extraCharges > 0 ? `, ${extraCharges} extra charges` : '';
  return `${experiment.split(' ')[0]}: ${rules.join(' ') || violations[0]}${extra}`;
}

it('finds the text of each guard exactly once in its file', () => {
  const edits = mutants.flatMap(({ edit, secondLayer }) => [edit, ...(secondLayer?.edit ? [secondLayer.edit] : [])]);
  for (const edit of edits)
    expect(() => replaceOnce(readFileSync(`${ROOT}${edit.file}`, 'utf8'), edit), edit.file).not.toThrow();
});

it('fails the build when a guard’s text is no longer in the product', async () => {
  const edit = { file: 'worker/data/payments/attempts.ts', from: 'a line that is nowhere', to: '' };
  await expect(bundleWorker([edit])).rejects.toThrow('stands 0 times');
  await expect(bundleWorker([{ ...edit, file: 'worker/data/nowhere.ts' }])).rejects.toThrow('not part of the Worker');
});
