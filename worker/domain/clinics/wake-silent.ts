import { lastClinic, listSilent } from '#worker/data/directory/standing';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { HEARTBEAT_MS } from './tell-standing.ts';

/** A clinic tells of itself every HEARTBEAT_MS, and its clock may be some minutes late. */
const SILENT_MS = HEARTBEAT_MS + 5 * 60_000;
/** Calls of a run, some at a time, and when it ends (ms): the platform limits the calls of a request. */
const CALLS = 500;
const AT_ONCE = 50;
const RUN_MS = 20_000;
const MINUTE_MS = 60_000;

/**
 * For the cron: a clinic whose clock was lost does not ring again by itself, so wake those that were silent too long.
 * Where more are silent than a run wakes, each minute begins further on, so that clinics which stay silent keep no other
 * one waiting.
 */
export async function wakeSilent({ installation, clinics, now, log }: Deps): Promise<void> {
  const beganAt = now();
  const last = await lastClinic(installation);
  if (last === 0) return;
  const from = 1 + ((Math.floor(beganAt / MINUTE_MS) * CALLS) % last);
  const silent = await listSilent(installation, { before: beganAt - SILENT_MS, from, limit: CALLS });
  for (let at = 0; at < silent.length && now() - beganAt < RUN_MS; at += AT_ONCE) {
    const wake = (clinic: number) =>
      clinics.wake(clinic).catch((cause: unknown) => log.info('clinic-not-woken', { clinic, cause: causeOf(cause) }));
    await Promise.all(silent.slice(at, at + AT_ONCE).map(wake));
  }
}
