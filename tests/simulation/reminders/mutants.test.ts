import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Edit, ROOT, replaceOnce } from '#tests/money/cluster/edits';
import * as completeOnly from '#tests/support/complete-only';
import { bundled } from '../bundled.ts';
import { judge } from './judge.ts';
import { live } from './month.ts';
import { mutants } from './mutants.ts';
import type * as product from './product.ts';

const PRODUCT = new URL('./product.ts', import.meta.url);

it('finds the text of each rule exactly once in its file', () => {
  for (const edit of mutants.flatMap(({ edits }) => edits))
    expect(() => replaceOnce(readFileSync(`${ROOT}${edit.file}`, 'utf8'), edit), edit.file).not.toThrow();
});

const brokenBy = async (edits: Edit[]) => judge(await live(500, 7, await bundled<typeof product>(PRODUCT, edits)));

completeOnly.it('misses nothing in the product as it is', { timeout: 300_000 }, async () => {
  expect(await brokenBy([])).toEqual([]);
});

// A month of some hundred invoices each.
completeOnly.it.each(mutants)(
  'misses a rule that is taken away: $name',
  { timeout: 300_000 },
  async ({ edits, name, heard }) => {
    const broken = await brokenBy(edits);
    console.log(`without ${name}: ${broken.length}, such as ${broken[0]}`);
    expect(broken.map((sentence) => sentence.slice(0, 2))).toContain(heard);
  },
);
