import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { listOwnKeys } from '#worker/data/directory/clinic-keys';
import {
  findTelling,
  lastClinic,
  listSilent,
  readStanding,
  saveHeard,
  saveStanding,
  saveTelling,
} from '#worker/data/directory/standing';
import { listKeysInUse } from '#worker/data/keys/sealed-values';
import type { Deps } from '#worker/deps';
import { resealSecrets } from '#worker/domain/keys/reseal';
import { staffHashes } from '#worker/domain/merchants/clinic-of-account';
import { causeOf } from '#worker/log';

/** A clinic with nothing new to say says so this often (ms): who is silent for longer is woken. */
export const HEARTBEAT_MS = 15 * 60_000;

/** After a turn that left secrets of an older key, the next is this long after (ms). */
const RESEAL_MS = 10_000;

/**
 * Tell the directory how this clinic stands, by what the vendors name it, whose addresses it knows, and which keys
 * besides the newest it still needs, those that are in no ring any more among them: on a change, and otherwise every
 * quarter of an hour. What it told last is in its own database, since the object's memory ends whenever the platform
 * likes. Answers when it wants to go on (UTC ms), where it left some to seal anew.
 */
export async function tellStanding(deps: Deps): Promise<number | undefined> {
  const { db, installation, clinic, now, sealer } = deps;
  const standing = await readStanding(db);
  if (!standing) {
    await saveHeard(installation, clinic, now());
    return undefined;
  }
  const { accountId } = standing;
  const { inUse, isMore } = await resealSecrets(deps);
  const all = new Set([...inUse, ...(await listKeysInUse(db))]);
  const olderKeys = [...all].filter((id) => id !== sealer.keys.newest).join(' ');
  const again = isMore ? now() + RESEAL_MS : undefined;
  const [keys, addresses] = await Promise.all([listOwnKeys(db), staffHashes(deps)]);
  const text = JSON.stringify({ ...standing, olderKeys, keys, addresses, schema: CLINIC_SCHEMA });
  const last = await findTelling(db, accountId);
  const heardAt = now();
  if (last?.text === text && heardAt - last.at < HEARTBEAT_MS) return again;
  await saveStanding(installation, clinic, standing, { heardAt, schema: CLINIC_SCHEMA, olderKeys }, keys, addresses);
  await saveTelling(db, { accountId, text, at: heardAt });
  return again;
}

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
