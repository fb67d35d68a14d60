import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { listClinicKeys } from '#worker/data/directory/clinic-keys';
import {
  findLastReport,
  lastClinic,
  listSilent,
  readStatusReport,
  recordContact,
  saveLastReport,
  saveStatusReport,
} from '#worker/data/directory/status-reports';
import { listKeysInUse } from '#worker/data/keys/sealed-values';
import type { Deps } from '#worker/deps';
import { resealSecrets } from '#worker/domain/keys/reseal';
import { staffHashes } from '#worker/domain/merchants/clinic-of-account';
import { causeOf } from '#worker/log';

/** An unchanged clinic reports this often (ms). A clinic that is silent for longer is woken. */
export const HEARTBEAT_MS = 15 * 60_000;

/** If secrets of an older key remain, the next run is this much later (ms). */
const RESEAL_MS = 10_000;

/**
 * Reports this clinic's status to the directory, with its vendors' ids, its staff's addresses, and every older key that
 * it still needs, even a key missing from all key rings. Reports on a change, and otherwise every 15 minutes.
 * The last report is stored in the clinic's database, since the object's memory may be lost at any time. Returns the
 * time of the next run (UTC ms) if secrets remain to be resealed.
 */
export async function reportStatus(deps: Deps): Promise<number | undefined> {
  const { db, installation, clinic, now, sealer } = deps;
  const standing = await readStatusReport(db);
  if (!standing) {
    await recordContact(installation, clinic, now());
    return undefined;
  }
  const { accountId } = standing;
  const { inUse, isMore } = await resealSecrets(deps);
  const all = new Set([...inUse, ...(await listKeysInUse(db))]);
  const olderKeys = [...all].filter((id) => id !== sealer.keys.newest).join(' ');
  const nextRunAt = isMore ? now() + RESEAL_MS : undefined;
  const [keys, addresses] = await Promise.all([listClinicKeys(db), staffHashes(deps)]);
  const text = JSON.stringify({ ...standing, olderKeys, keys, addresses, schema: CLINIC_SCHEMA });
  const last = await findLastReport(db, accountId);
  const heardAt = now();
  if (last?.text === text && heardAt - last.at < HEARTBEAT_MS) return nextRunAt;
  await saveStatusReport(
    installation,
    clinic,
    standing,
    { heardAt, schema: CLINIC_SCHEMA, olderKeys },
    keys,
    addresses,
  );
  await saveLastReport(db, { accountId, text, at: heardAt });
  return nextRunAt;
}

/** A clinic reports every HEARTBEAT_MS, and its alarm may be some minutes late. */
const SILENT_MS = HEARTBEAT_MS + 5 * 60_000;
/** Limits of a run: calls, concurrent calls, and time (ms). The platform limits the calls of a request. */
const CALLS = 500;
const AT_ONCE = 50;
const RUN_MS = 20_000;
const MINUTE_MS = 60_000;

/**
 * For the schedule: wakes clinics that were silent too long, because a lost alarm does not restart by itself. If one
 * run cannot wake them all, the next run starts further along, so that clinics that stay silent do not block others.
 */
export async function wakeSilentClinics({ installation, clinics, now, log }: Deps): Promise<void> {
  const beganAt = now();
  const last = await lastClinic(installation);
  if (last === 0) return;
  const from = 1 + ((Math.floor(beganAt / MINUTE_MS) * CALLS) % last);
  const silent = await listSilent(installation, { cutoff: beganAt - SILENT_MS, from, limit: CALLS });
  for (let start = 0; start < silent.length && now() - beganAt < RUN_MS; start += AT_ONCE) {
    const wake = (clinic: number) =>
      clinics.wake(clinic).catch((cause: unknown) => log.info('clinic-not-woken', { clinic, cause: causeOf(cause) }));
    await Promise.all(silent.slice(start, start + AT_ONCE).map(wake));
  }
}
