import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { listClinicKeys } from '#worker/data/directory/clinic-keys';
import {
  findLastClinicNumber,
  findLastReport,
  listSilentClinics,
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
const RESEAL_PAUSE_MS = 10_000;

/**
 * Reports this clinic's status to the directory, with its vendors' ids, its staff's addresses, and every older key that
 * it still needs, even a key missing from all key rings. Reports on a change, and otherwise every 15 minutes.
 * The last report is stored in the clinic's database, since the object's memory may be lost at any time. Returns the
 * time of the next run (UTC ms) if secrets remain to be resealed.
 */
export async function reportStatus(deps: Deps): Promise<number | undefined> {
  const { db, installation, clinic, now, sealer } = deps;
  const statusReport = await readStatusReport(db);
  if (!statusReport) {
    await recordContact(installation, clinic, now());
    return undefined;
  }
  const { accountId } = statusReport;
  const { inUse, isMore } = await resealSecrets(deps);
  const keyIds = new Set([...inUse, ...(await listKeysInUse(db))]);
  const olderKeys = [...keyIds].filter((id) => id !== sealer.keys.newest).join(' ');
  const nextRunAt = isMore ? now() + RESEAL_PAUSE_MS : undefined;
  const [keys, addresses] = await Promise.all([listClinicKeys(db), staffHashes(deps)]);
  const text = JSON.stringify({ ...statusReport, olderKeys, keys, addresses, schema: CLINIC_SCHEMA });
  const lastReport = await findLastReport(db, accountId);
  const heardAt = now();
  if (lastReport?.text === text && heardAt - lastReport.at < HEARTBEAT_MS) return nextRunAt;
  await saveStatusReport(
    installation,
    clinic,
    statusReport,
    { heardAt, schema: CLINIC_SCHEMA, olderKeys },
    keys,
    addresses,
  );
  await saveLastReport(db, { accountId, text, at: heardAt });
  return nextRunAt;
}

/** A clinic reports every HEARTBEAT_MS, and its alarm may be some minutes late. */
const MAX_SILENCE_MS = HEARTBEAT_MS + 5 * 60_000;
/** Limits of a run: calls, concurrent calls, and time (ms). The platform limits the calls of a request. */
const MAX_CALLS = 500;
const MAX_CONCURRENT_CALLS = 50;
const MAX_RUN_MS = 20_000;
const MINUTE_MS = 60_000;

/**
 * For the schedule: wakes clinics that were silent too long, because a lost alarm does not restart by itself. If one
 * run cannot wake them all, the next run starts further along, so that clinics that stay silent do not block others.
 */
export async function wakeSilentClinics({ installation, clinics, now, log }: Deps): Promise<void> {
  const startedAt = now();
  const lastClinicNumber = await findLastClinicNumber(installation);
  if (lastClinicNumber === 0) return;
  const from = 1 + ((Math.floor(startedAt / MINUTE_MS) * MAX_CALLS) % lastClinicNumber);
  const silentClinics = await listSilentClinics(installation, {
    cutoff: startedAt - MAX_SILENCE_MS,
    from,
    limit: MAX_CALLS,
  });
  for (let start = 0; start < silentClinics.length && now() - startedAt < MAX_RUN_MS; start += MAX_CONCURRENT_CALLS) {
    const wake = (clinic: number) =>
      clinics.wake(clinic).catch((cause: unknown) => log.info('clinic-not-woken', { clinic, cause: causeOf(cause) }));
    await Promise.all(silentClinics.slice(start, start + MAX_CONCURRENT_CALLS).map(wake));
  }
}
