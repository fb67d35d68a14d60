import { afterAll } from 'vitest';
import { type Cluster, openCluster } from './farm/cluster.ts';
import { type FarmOptions, startFarm } from './farm/farm.ts';
import { openTill, type Till } from './till.ts';

let cluster: Cluster | undefined;
afterAll(() => cluster?.stop());

/** Run an experiment in a world that nothing else has touched, and take the world down again. */
export async function inItsOwnWorld<T>(experiment: (till: Till) => Promise<T>, options: FarmOptions = {}): Promise<T> {
  if (cluster?.isSpent()) await cluster.stop();
  if (!cluster || cluster.isSpent()) cluster = await openCluster();
  const farm = await startFarm(cluster, options);
  try {
    return await experiment(await openTill(farm));
  } finally {
    await farm.stop();
  }
}
