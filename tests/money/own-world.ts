import { type FarmOptions, startFarm } from './farm/farm.ts';
import { openTill, type Till } from './till.ts';

/** Run an experiment in a world that nothing else has touched, and take the world down again. */
export async function inItsOwnWorld<T>(experiment: (till: Till) => Promise<T>, options: FarmOptions = {}): Promise<T> {
  const farm = await startFarm(options);
  try {
    return await experiment(await openTill(farm));
  } finally {
    await farm.stop();
  }
}
