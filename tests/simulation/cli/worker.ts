import { parentPort, workerData } from 'node:worker_threads';
import { addCoverage, type Coverage, emptyCoverage } from '../judge/reached.ts';
import type { Wait } from '../judge/waits.ts';
import type { Bundle } from '../product/load.ts';
import { runSeed } from '../run.ts';
import { simulatorOf } from '../simulator.ts';
import type { Feature } from '../world/story.ts';

/** Results of a share of the seeds. */
export type Share = {
  seeds: number;
  steps: number;
  reached: Coverage;
  waits: Wait[];
  /** For each seed, the payment features that it reached. */
  features: Feature[][];
  failures: { seed: number; violations: string[] }[];
};

export type Range = { from: number; to: number };

const { bundle, theme } = workerData as { bundle: Bundle; theme: string | null };
const simulator = await simulatorOf(bundle);

parentPort?.on('message', ({ from, to }: Range) => void run(from, to));
parentPort?.postMessage(null);

async function run(from: number, to: number) {
  const share: Share = { seeds: 0, steps: 0, reached: emptyCoverage(), waits: [], features: [], failures: [] };
  for (let seed = from; seed <= to; seed++) {
    const { violations, reached, steps, waits, features } = await runSeed(simulator, seed, { theme });
    share.seeds += 1;
    share.steps += steps;
    addCoverage(share.reached, reached);
    share.waits.push(...waits);
    share.features.push(features);
    if (violations.length > 0) share.failures.push({ seed, violations });
  }
  parentPort?.postMessage(share);
}
