import { Worker } from 'node:worker_threads';
import { addCoverage, emptyCoverage } from '../judge/reached.ts';
import type { Bundle } from '../product/load.ts';
import type { Range, Share } from './worker.ts';

const SEEDS_PER_SHARE = 20;

type ManyOptions = Range & {
  minutes: number;
  cores: number;
  theme: string | null;
  progress(sum: Share, share: Share, seconds: number): void;
};

/** Runs a range of seeds on several cores until all are done or the minutes are over. */
export async function runMany(
  bundle: Bundle,
  { from, to, minutes, cores, theme, progress }: ManyOptions,
): Promise<Share> {
  const sum: Share = { seeds: 0, steps: 0, reached: emptyCoverage(), waits: [], features: [], failures: [] };
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let next = from;
  const runWorker = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { bundle, theme } });
      worker.on('error', reject);
      worker.on('message', (share: Share | null) => {
        if (share) {
          addShare(sum, share);
          progress(sum, share, seconds());
        }
        if (next > to || seconds() > minutes * 60) return void worker.terminate().then(() => resolve(), reject);
        const range = { from: next, to: Math.min(to, next + SEEDS_PER_SHARE - 1) };
        next = range.to + 1;
        worker.postMessage(range);
      });
    });
  await Promise.all(Array.from({ length: cores }, runWorker));
  sum.failures.sort((a, b) => a.seed - b.seed);
  return sum;
}

function addShare(sum: Share, share: Share): void {
  sum.seeds += share.seeds;
  sum.steps += share.steps;
  sum.waits.push(...share.waits);
  sum.features.push(...share.features);
  sum.failures.push(...share.failures);
  addCoverage(sum.reached, share.reached);
}
