import { describe, expect, it } from 'vitest';
import type { Edit } from '#tests/money/cluster/bundle';
import type { Decision } from './engine/choices.ts';
import { runSeed } from './run.ts';
import { ruleOf } from './shrink.ts';
import { createSimulator, type Simulator } from './simulator.ts';

type StoryOptions = {
  seed: number;
  /** Name of the theme under which the seed was run. */
  theme?: string | null;
  decisions: Decision[];
  /** Removes the fix: the rule must then be violated again as when the story was found. */
  without?: Edit;
  /** For a story that the judge once misjudged: a move, named as in the table, that the run must reach. */
  reaches?: string;
};

let sharedSimulator: Promise<Simulator> | undefined;

/**
 * Replays a story that once violated a rule from its decisions alone, and expects no violation. It must still be the
 * same story: the run requests every decision, and without the fix it ends as before.
 */
export function holds(story: string, { seed, theme = null, decisions, without, reaches }: StoryOptions): void {
  const storedKeys = decisions.map(({ key }) => key);
  describe(`the violation "${story}" (seed ${seed})`, () => {
    it('no longer occurs', async () => {
      sharedSimulator ??= createSimulator();
      const outcome = await runSeed(await sharedSimulator, seed, { theme, decisions });
      const { violations, decisions: requested, reached } = outcome;
      expect(violations).toEqual([]);
      expect(new Set(requested.map(({ key }) => key))).toEqual(new Set(storedKeys));
      if (reaches) expect(reached.moves).toHaveProperty([reaches]);
    });

    if (without)
      it('occurs again without its fix', async () => {
        const { violations } = await runSeed(await createSimulator([without]), seed, { theme, decisions });
        expect(violations.map((violation) => ruleOf([violation]))).toContain(ruleOf([story]));
      });
  });
}
