import { writeBeats } from '#worker/data/alerts/heartbeats';
import { oldestDump } from '#worker/data/operate/directory';
import type { Deps } from '#worker/deps';

/** The job by which a missing dump is told of: its last good run is the oldest dump of all. */
const BACKUP = 'backup';

/** For the installation's schedule: note how old the oldest dump is. One clinic without a dump is a missing backup. */
export async function watchDumps({ installation }: Deps): Promise<void> {
  const at = await oldestDump(installation);
  await writeBeats(installation, [{ job: BACKUP, startedAt: at, finishedAt: at, ok: true }]);
}
