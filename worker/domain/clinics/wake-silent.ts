import { listSilent } from '#worker/data/directory/standing';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { HEARTBEAT_MS } from './tell-standing.ts';

/** A clinic tells of itself every HEARTBEAT_MS, and its clock may be some minutes late. */
const SILENT_MS = HEARTBEAT_MS + 5 * 60_000;
const CLINICS = 100;

/** For the cron: a clinic whose clock was lost does not ring again by itself, so wake those that were silent too long. */
export async function wakeSilent({ installation, clinics, now, log }: Deps): Promise<void> {
  const silent = await listSilent(installation, now() - SILENT_MS, CLINICS);
  await Promise.all(
    silent.map((clinic) =>
      clinics.wake(clinic).catch((cause: unknown) => log.info('clinic-not-woken', { clinic, cause: causeOf(cause) })),
    ),
  );
}
