import { afterAll, describe, expect, it } from 'vitest';
import { guards } from '#tests/money/guards';
import { tableOf } from './cli/table.ts';
import { timeLine } from './cli/time-line.ts';
import type { Share } from './cli/worker.ts';
import { choicesFrom, choicesOf } from './engine/choices.ts';
import { addCoverage, emptyCoverage } from './judge/reached.ts';
import { type Outcome, runSeed } from './run.ts';
import { shrink } from './shrink.ts';
import { createSimulator } from './simulator.ts';
import { EVERYTHING } from './world/everything.ts';
import { minPartCents } from './world/in-parts.ts';

const SEEDS = 45;
const SEEDS_OF_EVERYTHING = 15;
/** Number of seeds within which a planted fault must be found. */
const MAX_SEEDS = 300;
const TIMEOUT_MS = 900_000;

const intactSimulator = await createSimulator();

describe('the simulated product', () => {
  const sum: Share = { seeds: 0, steps: 0, reached: emptyCoverage(), waits: [], features: [], failures: [] };
  afterAll(() => console.log(`${tableOf(sum)}\n${sum.seeds} seeds, ${sum.failures.length} violations`));

  it(
    `breaks no rule in any step of ${SEEDS} seeds, nor of ${SEEDS_OF_EVERYTHING} with all money features`,
    async () => {
      const themes = [...Array(SEEDS).fill(null), ...Array(SEEDS_OF_EVERYTHING).fill(EVERYTHING)];
      for (const [index, theme] of themes.entries()) {
        const seed = index + 1;
        const { violations, reached, steps, waits } = await runSeed(intactSimulator, seed, { theme });
        sum.seeds += 1;
        sum.steps += steps;
        sum.waits.push(...waits);
        addCoverage(sum.reached, reached);
        if (violations.length > 0) sum.failures.push({ seed, violations });
      }
      expect(sum.failures).toEqual([]);
      for (const state of ['approved', 'unknown', 'needs_human', 'not_charged', 'voided', 'refunded', 'returned'])
        expect(sum.reached.states[state], state).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it('replays a seed event by event regardless of earlier runs', async () => {
    const timeLineOf = async (seed: number) => timeLine(await runSeed(intactSimulator, seed, { isTraced: true }));
    for (const seed of [3, 13, 21]) {
      const first = await timeLineOf(seed);
      await runSeed(intactSimulator, seed + 1);
      expect(await timeLineOf(seed)).toBe(first);
    }
  });

  it('replays a seed from its decisions alone', async () => {
    const { trace, decisions } = await runSeed(intactSimulator, 13, { isTraced: true });
    expect(decisions.length).toBeGreaterThan(10);
    expect((await runSeed(intactSimulator, 13, { decisions, isTraced: true })).trace).toEqual(trace);
  });
});

describe('a planted fault that treats a charge found between two look-ups as foreign', () => {
  it(
    'is found and reduced to at most twelve decisions',
    async () => {
      const brokenSimulator = await createSimulator([guards.ownIsNotForeign, guards.bothLookUps]);
      let failingOutcome: Outcome | undefined;
      for (let seed = 1; seed <= 2_000 && !failingOutcome; seed++) {
        const outcome = await runSeed(brokenSimulator, seed);
        if (outcome.violations.some((violation) => violation.startsWith('L:'))) failingOutcome = outcome;
      }
      if (!failingOutcome) throw new Error('not found within 2,000 seeds');
      const shortest = await shrink(brokenSimulator, failingOutcome);
      expect(shortest.violations).toEqual(failingOutcome.violations);
      expect(shortest.decisions.length).toBeLessThanOrEqual(12);
      const repeated = await runSeed(intactSimulator, failingOutcome.seed, { decisions: shortest.decisions });
      expect(repeated.violations).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('a planted fault that accepts an installment above the remaining amount', () => {
  it(
    `is found within ${MAX_SEEDS} seeds`,
    async () => {
      const brokenSimulator = await createSimulator([guards.restInClaim, guards.restInPrice]);
      let failingOutcome: Outcome | undefined;
      for (let seed = 1; seed <= MAX_SEEDS && !failingOutcome; seed++) {
        if (minPartCents(choicesOf(seed)) === 0) continue;
        const outcome = await runSeed(brokenSimulator, seed);
        if (outcome.violations.length > 0) failingOutcome = outcome;
      }
      expect(failingOutcome?.violations[0]).toMatch(/^I[18]: /);
      expect((await runSeed(intactSimulator, failingOutcome?.seed ?? 0)).violations).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('a simulated choice', () => {
  const draw = (choices: ReturnType<typeof choicesOf>, keys: string[]) =>
    keys.map((key) => choices.choose(key, 0, (random) => random.below(1_000_000)));

  it('is independent of other choices', () => {
    const [a, b, c] = draw(choicesOf(5), ['a', 'b', 'c']);
    expect(draw(choicesOf(5), ['c', 'a'])).toEqual([c, a]);
    expect(draw(choicesOf(6), ['a', 'b', 'c'])).not.toEqual([a, b, c]);
  });

  it('falls back to its default when its decision is removed', () => {
    const choices = choicesOf(5);
    const [a] = draw(choices, ['a', 'b']);
    const firstDecision = choices.decisions().filter(({ key }) => key === 'a');
    expect(draw(choicesFrom(5, firstDecision), ['a', 'b'])).toEqual([a, 0]);
  });
});
