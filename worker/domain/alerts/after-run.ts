import { type Beat, writeBeats } from '#worker/data/alerts/heartbeats';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { keepAlerts } from './keep.ts';

/**
 * After a run of the schedule: keep when each job ran, write down the last alerts, and say to the operator's dead man's
 * switch that all went well. Never throws.
 */
export async function afterRun(deps: Deps, beats: Beat[]): Promise<void> {
  await keepAlerts(deps);
  // A clinic's own heartbeat is what it tells the directory.
  if (deps.clinic !== 0) return;
  try {
    await writeBeats(deps.installation, beats);
    const isClean = beats.every(({ ok }) => ok) && deps.raised.length === 0;
    if (isClean && !(await deps.operatorLine.beat())) deps.log.info('heartbeat-not-heard');
  } catch (cause) {
    deps.log.info('heartbeats-not-kept', { cause: causeOf(cause) });
  }
}
