import { addressHashes, ofClinic } from '#worker/clinic/capability-keys';
import {
  clinicKeysWrite,
  findClinicsByKey,
  listOwnKeys,
  listStaffEmails,
  staffAddressWrites,
} from '#worker/data/directory/clinic-keys';
import { addClinic, findClinic } from '#worker/data/directory/clinics';
import type { Deps } from '#worker/deps';
import { regionOf } from './region.ts';

/** The deps of an account's clinic; null: it has none. */
export async function clinicOfAccount(deps: Deps, accountId: number): Promise<Deps | null> {
  const clinic = await findClinic(deps.installation, accountId);
  return clinic === undefined ? null : ofClinic(deps, clinic);
}

/**
 * The deps of an account's clinic, which is made where there is none, and brought up to date where it is behind.
 * `timeZone`: an IANA zone, which says where in the world a new one is made.
 */
export async function foundClinic(deps: Deps, accountId: number, timeZone = ''): Promise<Deps> {
  const region = timeZone === '' ? '' : regionOf(timeZone);
  const clinic = await addClinic(deps.installation, accountId, deps.now(), region);
  await deps.clinics.found(clinic, accountId, region);
  return ofClinic(deps, clinic);
}

/** Tell the directory by what the vendors name this clinic. Its clock does so again, should this be lost. */
export async function tellKeys({ db, installation, clinic }: Deps): Promise<void> {
  await clinicKeysWrite(installation, clinic, await listOwnKeys(db));
}

/** The hashes by which the directory knows the addresses of this clinic's staff. */
export async function staffHashes({ db, settings }: Deps): Promise<string[]> {
  const emails = await listStaffEmails(db);
  return emails.map((email) => addressHashes(settings.CAPABILITY_KEYS, email)[0] ?? '');
}

/** Tell the directory whose addresses this clinic knows, for a login by mail. Its clock does so again. */
export async function tellStaff(deps: Deps): Promise<void> {
  const { installation, clinic } = deps;
  await installation.batch(staffAddressWrites(installation, clinic, await staffHashes(deps)));
}

export type NamedClinic = { deps: Deps; accountId: number };

/** The clinics that a message of the card provider is about, by its terminal, else by its merchant number. */
export async function clinicsOfMessage(
  deps: Deps,
  { terminalId, merchantNumber }: { terminalId: string; merchantNumber: string },
): Promise<NamedClinic[]> {
  const named =
    terminalId === ''
      ? ({ kind: 'merchant', key: merchantNumber } as const)
      : ({ kind: 'terminal', key: terminalId } as const);
  const found = await findClinicsByKey(deps.installation, named);
  return found.map(({ clinic, accountId }) => ({ deps: ofClinic(deps, clinic), accountId }));
}
