import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { EVERYTHING } from '../world/everything.ts';

export type Command =
  | { kind: 'many'; from: number; to: number; minutes: number; cores: number; theme: string | null; without: string[] }
  | { kind: 'mutants'; minutes: number; without: string[] }
  | { kind: 'one'; seed: number; theme: string | null; isTraced: boolean; isShrunk: boolean; without: string[] };

export const USAGE = `npm run simulate -- --seeds 1-5000 [--minutes 90]   runs these seeds, or as many as fit into the minutes
npm run simulate -- --seed 7 --trace                replays one seed and prints its time line
npm run simulate -- --seed 7 --shrink               shrinks it to the fewest decisions and writes it as a test
--theme everything                                  combines all money features in every seed
--cores 1                                           number of cores for a range of seeds
--mutants [--minutes 60]                            removes each guard and counts the seeds until a rule is violated
--without a,b                                       runs the product without these guards (tests/money/guards.ts)`;

/** Parses the command line. Throws an error with a readable message if it is invalid. */
export function readArguments(args: string[]): Command {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      without: { type: 'string' },
      theme: { type: 'string' },
      cores: { type: 'string' },
      trace: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
    },
  });
  const without = values.without?.split(',') ?? [];
  const { theme = null } = values;
  if (theme !== null && theme !== EVERYTHING) throw new Error(`the only named theme is ${EVERYTHING}`);
  if (values.seed !== undefined) {
    if (!/^\d{1,10}$/.test(values.seed)) throw new Error('--seed needs a number');
    return { kind: 'one', seed: Number(values.seed), theme, isTraced: values.trace, isShrunk: values.shrink, without };
  }
  const minutes = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes);
  if (!(minutes > 0)) throw new Error('--minutes needs a number');
  if (values.mutants) return { kind: 'mutants', minutes, without };
  const range = /^(\d{1,10})-(\d{1,10})$/.exec(values.seeds ?? '');
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (!range || from > to) throw new Error('--seeds needs a range, such as 1-5000');
  const cores = values.cores === undefined ? availableParallelism() : Number(values.cores);
  if (!(cores >= 1)) throw new Error('--cores needs a number');
  return { kind: 'many', from, to, minutes, cores, theme, without };
}
