import { afterAll, describe, expect, it } from 'vitest';
import { guards } from '#tests/money/guards';
import { tableOf } from './cli/table.ts';
import { timeLine } from './cli/time-line.ts';
import type { Share } from './cli/worker.ts';
import { choicesFrom, choicesOf } from './engine/choices.ts';
import { addReached, nothingReached } from './judge/reached.ts';
import { type Outcome, runSeed } from './run.ts';
import { shrink } from './shrink.ts';
import { createSimulator } from './simulator.ts';
import { EVERYTHING } from './world/everything.ts';
import { leastPartOf } from './world/in-parts.ts';

const SEEDS = 45;
const SEEDS_OF_EVERYTHING = 15;
/** A planted fault is found within these, else it takes too many. */
const MOST_SEEDS = 300;
const PATIENCE_MS = 900_000;

const product = await createSimulator();

describe('the simulated product', () => {
  const sum: Share = { seeds: 0, steps: 0, reached: nothingReached(), waits: [], features: [], failures: [] };
  afterAll(() => console.log(`${tableOf(sum)}\n${sum.seeds} seeds, ${sum.failures.length} violations`));

  it(
    `breaks no rule in any step of ${SEEDS} seeds, nor of ${SEEDS_OF_EVERYTHING} with all money features`,
    async () => {
      const themes = [...Array(SEEDS).fill(null), ...Array(SEEDS_OF_EVERYTHING).fill(EVERYTHING)];
      for (const [at, theme] of themes.entries()) {
        const seed = at + 1;
        const { violations, reached, steps, waits } = await runSeed(product, seed, { theme });
        sum.seeds += 1;
        sum.steps += steps;
        sum.waits.push(...waits);
        addReached(sum.reached, reached);
        if (violations.length > 0) sum.failures.push({ seed, violations });
      }
      expect(sum.failures).toEqual([]);
      for (const state of ['approved', 'unknown', 'needs_human', 'not_charged', 'voided', 'refunded', 'returned'])
        expect(sum.reached.states[state], state).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  it('replays a seed event by event, whatever ran before', async () => {
    const lived = async (seed: number) => timeLine(await runSeed(product, seed, { isTraced: true }));
    for (const seed of [3, 13, 21]) {
      const first = await lived(seed);
      await runSeed(product, seed + 1);
      expect(await lived(seed)).toBe(first);
    }
  });

  it('replays a seed from its decisions alone', async () => {
    const { trace, decisions } = await runSeed(product, 13, { isTraced: true });
    expect(decisions.length).toBeGreaterThan(10);
    expect((await runSeed(product, 13, { decisions, isTraced: true })).trace).toEqual(trace);
  });
});

describe('a planted fault that takes a charge appearing between two look-ups for a foreign one', () => {
  it(
    'is found and reduced to at most twelve decisions',
    async () => {
      const broken = await createSimulator([guards.ownIsNotForeign, guards.bothLookUps]);
      let found: Outcome | undefined;
      for (let seed = 1; seed <= 2_000 && !found; seed++) {
        const outcome = await runSeed(broken, seed);
        if (outcome.violations.some((violation) => violation.startsWith('L:'))) found = outcome;
      }
      if (!found) throw new Error('not found within 2,000 seeds');
      const least = await shrink(broken, found);
      expect(least.violations).toEqual(found.violations);
      expect(least.decisions.length).toBeLessThanOrEqual(12);
      const repeated = await runSeed(product, found.seed, { decisions: least.decisions });
      expect(repeated.violations).toEqual([]);
    },
    PATIENCE_MS,
  );
});

describe('a planted fault that lets through an installment above the amount left', () => {
  it(
    `is found within ${MOST_SEEDS} seeds`,
    async () => {
      const broken = await createSimulator([guards.restInClaim, guards.restInPrice]);
      let found: Outcome | undefined;
      for (let seed = 1; seed <= MOST_SEEDS && !found; seed++) {
        if (leastPartOf(choicesOf(seed)) === 0) continue;
        const outcome = await runSeed(broken, seed);
        if (outcome.violations.length > 0) found = outcome;
      }
      expect(found?.violations[0]).toMatch(/^I[18]: /);
      expect((await runSeed(product, found?.seed ?? 0)).violations).toEqual([]);
    },
    PATIENCE_MS,
  );
});

describe('a simulated choice', () => {
  const draw = (choices: ReturnType<typeof choicesOf>, keys: string[]) =>
    keys.map((key) => choices.choose(key, 0, (random) => random.below(1_000_000)));

  it('does not depend on other choices', () => {
    const [a, b, c] = draw(choicesOf(5), ['a', 'b', 'c']);
    expect(draw(choicesOf(5), ['c', 'a'])).toEqual([c, a]);
    expect(draw(choicesOf(6), ['a', 'b', 'c'])).not.toEqual([a, b, c]);
  });

  it('takes its default when it is left out', () => {
    const choices = choicesOf(5);
    const [a] = draw(choices, ['a', 'b']);
    const kept = choices.decisions().filter(({ key }) => key === 'a');
    expect(draw(choicesFrom(5, kept), ['a', 'b'])).toEqual([a, 0]);
  });
});
