import { addressHashes, depsOfClinic } from '#worker/clinic/capability-keys';
import {
  clinicKeysWrite,
  findClinicsByKey,
  listClinicKeys,
  listStaffEmails,
  staffAddressWrites,
} from '#worker/data/directory/clinic-keys';
import { addClinic, findClinic } from '#worker/data/directory/clinics';
import type { Deps } from '#worker/deps';
import { regionOf } from './region.ts';

/** The deps of an account's clinic; null if it has none. */
export async function clinicOfAccount(deps: Deps, accountId: number): Promise<Deps | null> {
  const clinic = await findClinic(deps.installation, accountId);
  return clinic === undefined ? null : depsOfClinic(deps, clinic);
}

/**
 * The deps of an account's clinic, which is created if missing, and migrated if outdated. `timeZone`: an IANA zone that
 * determines the region of a new clinic.
 */
export async function findOrCreateClinic(deps: Deps, accountId: number, timeZone = ''): Promise<Deps> {
  const region = timeZone === '' ? '' : regionOf(timeZone);
  const clinic = await addClinic(deps.installation, accountId, deps.now(), region);
  await deps.clinics.found(clinic, accountId, region);
  return depsOfClinic(deps, clinic);
}

/** Reports the vendors' ids of this clinic to the directory. The clinic's alarm repeats it in case of a failure. */
export async function reportKeys({ db, installation, clinic }: Deps): Promise<void> {
  await clinicKeysWrite(installation, clinic, await listClinicKeys(db));
}

/** The hashes of this clinic's staff addresses, as stored in the directory. */
export async function staffHashes({ db, settings }: Deps): Promise<string[]> {
  const emails = await listStaffEmails(db);
  return emails.map((email) => addressHashes(settings.CAPABILITY_KEYS, email)[0] ?? '');
}

/** Reports this clinic's staff addresses to the directory, for logins by email. The clinic's alarm repeats this. */
export async function reportStaffAddresses(deps: Deps): Promise<void> {
  const { installation, clinic } = deps;
  await installation.batch(staffAddressWrites(installation, clinic, await staffHashes(deps)));
}

export type NamedClinic = { deps: Deps; accountId: number };

/** The clinics that a message of the card provider refers to, found by its terminal or else its merchant number. */
export async function clinicsOfMessage(
  deps: Deps,
  { terminalId, merchantNumber }: { terminalId: string; merchantNumber: string },
): Promise<NamedClinic[]> {
  const key =
    terminalId === ''
      ? ({ kind: 'merchant', key: merchantNumber } as const)
      : ({ kind: 'terminal', key: terminalId } as const);
  const matches = await findClinicsByKey(deps.installation, key);
  return matches.map(({ clinic, accountId }) => ({ deps: depsOfClinic(deps, clinic), accountId }));
}
