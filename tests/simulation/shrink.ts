import type { Decision } from './engine/choices.ts';
import { type Outcome, type RunOptions, runSeed } from './run.ts';
import type { Simulator } from './simulator.ts';

/** The rule that a violation breaks, such as `I1`. */
export const ruleOf = ([violation = '']: string[]): string => violation.split(':')[0] ?? '';

/**
 * The fewest decisions of a failing run that still break the same rule: first without half of them, then without
 * quarters, down to each alone (delta debugging). Every kept one is needed: without it the run holds.
 */
export async function shrink(
  simulator: Simulator,
  failing: Outcome,
  options: RunOptions = {},
  progress: (left: number) => void = () => undefined,
): Promise<Outcome> {
  const rule = ruleOf(failing.violations);
  let best = failing;
  const fails = async (decisions: Decision[]): Promise<boolean> => {
    const outcome = await runSeed(simulator, failing.seed, { ...options, decisions });
    if (ruleOf(outcome.violations) !== rule) return false;
    // Some of those that were kept are never asked for any more.
    best = outcome;
    return true;
  };
  // What came after the violation is not in the recorded run; what is in it may not have been needed for it.
  if (!(await fails(failing.decisions))) throw new Error(`seed ${failing.seed} does not repeat itself`);
  let size = Math.ceil(best.decisions.length / 2);
  while (size >= 1) {
    let isSmaller = false;
    for (let from = 0; from < best.decisions.length; ) {
      const without = best.decisions.toSpliced(from, size);
      if (await fails(without)) isSmaller = true;
      else from += size;
    }
    progress(best.decisions.length);
    if (size === 1 && !isSmaller) break;
    size = size === 1 ? 1 : Math.floor(size / 2);
  }
  return best;
}
