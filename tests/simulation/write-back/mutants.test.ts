import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT, replaceOnce } from '#tests/money/cluster/edits';
import * as completeOnly from '#tests/support/complete-only';
import { mutants, productWithout } from './mutants.ts';
import { live } from './runs.ts';

it('finds the text of each guard exactly once in its file', () => {
  for (const { edit } of mutants)
    expect(() => replaceOnce(readFileSync(`${ROOT}${edit.file}`, 'utf8'), edit), edit.file).not.toThrow();
});

completeOnly.it.each(mutants)('misses a guard that is taken away: $name', { timeout: 300_000 }, async (mutant) => {
  const { broken, states } = await live(mutant.run, await productWithout(mutant.edit));
  console.log(
    `without ${mutant.name}: ${broken
      .map((sentence) => sentence.slice(0, 40))
      .slice(0, 2)
      .join('; ')}, ${JSON.stringify(states)}`,
  );
  expect(broken).not.toEqual([]);
});
