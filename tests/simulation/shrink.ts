import type { Decision } from './engine/choices.ts';
import { type Outcome, type RunOptions, runSeed } from './run.ts';
import type { Simulator } from './simulator.ts';

/** The rule that a violation breaks, such as `I1`. */
export const ruleOf = ([violation = '']: string[]): string => violation.split(':')[0] ?? '';

/**
 * Reduces a failing run to the fewest decisions that still break the same rule: removes halves, then quarters, down to
 * single decisions (delta debugging). Each remaining decision is needed: without it the run passes.
 */
export async function shrink(
  simulator: Simulator,
  failing: Outcome,
  options: RunOptions = {},
  progress: (left: number) => void = () => undefined,
): Promise<Outcome> {
  const rule = ruleOf(failing.violations);
  let shortest = failing;
  const fails = async (decisions: Decision[]): Promise<boolean> => {
    const outcome = await runSeed(simulator, failing.seed, { ...options, decisions });
    if (ruleOf(outcome.violations) !== rule) return false;
    // Some of the remaining decisions may no longer be requested.
    shortest = outcome;
    return true;
  };
  // Repeats the recorded run, which ends at the violation; not all of its decisions may be needed.
  if (!(await fails(failing.decisions))) throw new Error(`seed ${failing.seed} does not fail again when replayed`);
  let size = Math.ceil(shortest.decisions.length / 2);
  while (size >= 1) {
    let isSmaller = false;
    for (let from = 0; from < shortest.decisions.length; ) {
      const without = shortest.decisions.toSpliced(from, size);
      if (await fails(without)) isSmaller = true;
      else from += size;
    }
    progress(shortest.decisions.length);
    if (size === 1 && !isSmaller) break;
    size = size === 1 ? 1 : Math.floor(size / 2);
  }
  return shortest;
}
