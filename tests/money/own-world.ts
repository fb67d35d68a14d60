import { afterAll } from 'vitest';
import { type Cluster, openCluster } from './cluster/cluster.ts';
import { type ClusterWorldOptions, startClusterWorld } from './cluster/cluster-world.ts';
import { openTestWorker, type TestWorker } from './test-worker.ts';

let cluster: Cluster | undefined;
afterAll(() => cluster?.stop());

/** Runs an experiment in a fresh world and then removes the world. */
export async function runInOwnWorld<T>(
  experiment: (testWorker: TestWorker) => Promise<T>,
  options: ClusterWorldOptions = {},
): Promise<T> {
  if (cluster?.isSpent()) await cluster.stop();
  if (!cluster || cluster.isSpent()) cluster = await openCluster();
  const clusterWorld = await startClusterWorld(cluster, options);
  try {
    return await experiment(await openTestWorker(clusterWorld));
  } finally {
    await clusterWorld.stop();
  }
}
