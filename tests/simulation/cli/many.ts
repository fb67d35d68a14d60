import { Worker } from 'node:worker_threads';
import { addReached, nothingReached } from '../judge/reached.ts';
import type { Bundle } from '../product/load.ts';
import type { Range, Share } from './worker.ts';

const TOGETHER = 20;

type Asked = Range & {
  minutes: number;
  cores: number;
  theme: string | null;
  progress(sum: Share, share: Share, seconds: number): void;
};

/** Runs a range of seeds on all cores, or as many of them as the minutes allow. */
export async function runMany(bundle: Bundle, { from, to, minutes, cores, theme, progress }: Asked): Promise<Share> {
  const sum: Share = { seeds: 0, steps: 0, reached: nothingReached(), waits: [], features: [], failures: [] };
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  let next = from;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { bundle, theme } });
      worker.on('error', reject);
      worker.on('message', (share: Share | null) => {
        if (share) {
          add(sum, share);
          progress(sum, share, seconds());
        }
        if (next > to || seconds() > minutes * 60) return void worker.terminate().then(() => resolve(), reject);
        const range = { from: next, to: Math.min(to, next + TOGETHER - 1) };
        next = range.to + 1;
        worker.postMessage(range);
      });
    });
  await Promise.all(Array.from({ length: cores }, one));
  sum.failures.sort((a, b) => a.seed - b.seed);
  return sum;
}

function add(sum: Share, share: Share): void {
  sum.seeds += share.seeds;
  sum.steps += share.steps;
  sum.waits.push(...share.waits);
  sum.features.push(...share.features);
  sum.failures.push(...share.failures);
  addReached(sum.reached, share.reached);
}
