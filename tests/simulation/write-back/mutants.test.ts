import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT, replaceOnce } from '#tests/money/cluster/edits';
import * as completeOnly from '#tests/support/complete-only';
import { mutants, productWithout } from './mutants.ts';
import { runPayments } from './runs.ts';

it('the source text of each guard occurs exactly once in its file', () => {
  for (const { edit } of mutants)
    expect(() => replaceOnce(readFileSync(`${ROOT}${edit.file}`, 'utf8'), edit), edit.file).not.toThrow();
});

completeOnly.it.each(mutants)('a rule breaks without the guard: $name', { timeout: 300_000 }, async (mutant) => {
  const { violations, states } = await runPayments(mutant.run, await productWithout(mutant.edit));
  console.log(
    `without ${mutant.name}: ${violations
      .map((sentence) => sentence.slice(0, 40))
      .slice(0, 2)
      .join('; ')}, ${JSON.stringify(states)}`,
  );
  expect(violations).not.toEqual([]);
});
