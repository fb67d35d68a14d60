import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Edit, ROOT, replaceOnce } from '#tests/money/cluster/edits';
import * as completeOnly from '#tests/support/complete-only';
import { loadEdited } from '../bundled.ts';
import { judge } from './judge.ts';
import { runMonth } from './month.ts';
import { mutants } from './mutants.ts';
import type * as product from './product.ts';

const PRODUCT = new URL('./product.ts', import.meta.url);

it('the source text of each rule occurs exactly once in its file', () => {
  for (const edit of mutants.flatMap(({ edits }) => edits))
    expect(() => replaceOnce(readFileSync(`${ROOT}${edit.file}`, 'utf8'), edit), edit.file).not.toThrow();
});

const violationsOf = async (edits: Edit[]) =>
  judge(await runMonth(500, 7, await loadEdited<typeof product>(PRODUCT, edits)));

completeOnly.it('the unchanged product breaks no rule of reminders', { timeout: 300_000 }, async () => {
  expect(await violationsOf([])).toEqual([]);
});

// Each mutant runs a month of 500 invoices.
completeOnly.it.each(mutants)(
  'the judge notices the removed rule: $name',
  { timeout: 300_000 },
  async ({ edits, name, brokenRule }) => {
    const violations = await violationsOf(edits);
    console.log(`without ${name}: ${violations.length}, such as ${violations[0]}`);
    expect(violations.map((sentence) => sentence.slice(0, 2))).toContain(brokenRule);
  },
);
