import { describe, expect, it } from 'vitest';
import type { Edit } from '#tests/money/cluster/bundle';
import type { Decision } from './engine/choices.ts';
import { runSeed } from './run.ts';
import { ruleOf } from './shrink.ts';
import { createSimulator, type Simulator } from './simulator.ts';

type Told = {
  seed: number;
  /** Of a seed that was run under a theme by its name. */
  theme?: string | null;
  decisions: Decision[];
  /** Takes the mend away: the rule must then be broken as on the day when the story was found. */
  without?: Edit;
  /** Of a story that the judge once told wrongly: a move, as the table names it, that it must come to. */
  reaches?: string;
};

let made: Promise<Simulator> | undefined;

/**
 * A story that once broke a rule, told by its decisions alone; the product must hold in it. It must still be that story:
 * every decision is asked for, and without the mend it ends as it did.
 */
export function holds(story: string, { seed, theme = null, decisions, without, reaches }: Told): void {
  const stored = decisions.map(({ key }) => key);
  describe(`${story} (seed ${seed})`, () => {
    it('does not happen any more', async () => {
      made ??= createSimulator();
      const { violations, decisions: asked, reached } = await runSeed(await made, seed, { theme, decisions });
      expect(violations).toEqual([]);
      expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(stored));
      if (reaches) expect(reached.moves).toHaveProperty([reaches]);
    });

    if (without)
      it('happens without its mend', async () => {
        const { violations } = await runSeed(await createSimulator([without]), seed, { theme, decisions });
        expect(violations.map((violation) => ruleOf([violation]))).toContain(ruleOf([story]));
      });
  });
}
