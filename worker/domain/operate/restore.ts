import type { RestoreEnded } from '#shared/contracts/operate';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { ofClinic } from '#worker/clinic/of-clinic';
import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { findClinic } from '#worker/data/directory/clinics';
import { addNamelessClinic, findRow, forgetClinic, nameClinic } from '#worker/data/operate/directory';
import { countExport, type ExportRow } from '#worker/data/operate/export';
import {
  beginRestore,
  endRestore,
  foundedAs,
  holdsAccount,
  isUnderWay,
  putBack,
  UNDER_WAY,
} from '#worker/data/operate/restore';
import { exportTable } from '#worker/data/operate/tables';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { tellKeys } from '#worker/domain/merchants/clinic-of-account';
import { causeOf } from '#worker/log';

export type Begun = { kind: 'begun'; clinic: number } | { kind: 'there-is-one' } | { kind: 'newer'; schema: number };

/**
 * Begin to put an account's records back, into a new clinic: the account leads to it once all of them are there. An
 * account whose clinic holds records is left alone; one that is empty gives way. `schema`: that of the export.
 */
export async function beginRestoration(deps: Deps, account: number, schema: number): Promise<Begun> {
  if (schema > CLINIC_SCHEMA) return { kind: 'newer', schema: CLINIC_SCHEMA };
  const standing = await findClinic(deps.installation, account);
  if (standing !== undefined) {
    // Erased, or lost by its object, it holds none.
    if (await unlessErased(holdsAccount(deps.clinics.db(standing)))) return { kind: 'there-is-one' };
    await forgetClinic(deps.installation, standing, deps.now(), erasedEvent(deps, standing));
  }
  const clinic = await addNamelessClinic(deps.installation, deps.now());
  await deps.clinics.found(clinic, account);
  await beginRestore(deps.clinics.db(clinic));
  return { kind: 'begun', clinic };
}

const erasedEvent = (deps: Deps, clinic: number) =>
  auditEvent(deps, { accountId: INSTALLATION, action: 'clinic.erased', subject: ['clinic', String(clinic)] });

/** The deps of a clinic that is being put back; null: none is. */
async function underWay(deps: Deps, clinic: number): Promise<Deps | null> {
  const row = await findRow(deps.installation, clinic);
  if (!row || row.accountId !== null || row.erasedAt !== null) return null;
  const own = ofClinic(deps, clinic);
  return (await isUnderWay(own.db)) ? own : null;
}

export type PutOutcome =
  | { kind: 'back' }
  /** No clinic is being put back under this number, or there is no such table. */
  | { kind: 'not-found' }
  /** The rows are not of this account, or the database does not take them. */
  | { kind: 'refused'; why: string };

/** Put rows of a table back, all or none. A file may hold anything: only rows of the account that it is for are taken. */
export async function restoreRows(deps: Deps, clinic: number, name: string, rows: ExportRow[]): Promise<PutOutcome> {
  const table = exportTable(name);
  const own = table && (await underWay(deps, clinic));
  if (!own) return { kind: 'not-found' };
  const account = await foundedAs(own.db);
  if (rows.some((row) => row.hub_id !== account))
    return { kind: 'refused', why: `${name} has a row of another account` };
  // Money stands still from the first row on. A receipt's address is a capability, which no export has.
  const fill = (): ExportRow =>
    name === 'hubs'
      ? { restored_at: UNDER_WAY }
      : name === 'payment_attempts'
        ? { receipt_id: own.newCapability() }
        : {};
  try {
    await putBack(own.db, table, rows, fill);
    return { kind: 'back' };
  } catch (cause) {
    const why = causeOf(cause);
    // What the platform says, not the database, may be over at the next try.
    if (!/SQLITE_|constraint|datatype/i.test(why)) throw cause;
    return { kind: 'refused', why };
  }
}

export type Exported = { account: number; counts: Record<string, number>; ledgerCents: number };
export type Ended =
  | { kind: 'ended'; ended: RestoreEnded }
  | { kind: 'not-found' | 'taken' }
  | { kind: 'differs'; what: string[] };

/**
 * End a restore, once what came back is what was exported. Payments stand still until the card provider's transactions
 * were read up to now, and the CRM must be connected again.
 */
export async function endRestoration(deps: Deps, clinic: number, exported: Exported): Promise<Ended> {
  const own = await underWay(deps, clinic);
  if (!own) return { kind: 'not-found' };
  const { account } = exported;
  const [there, founded] = await Promise.all([countExport(own.db), foundedAs(own.db)]);
  const names = new Set([...Object.keys(there.counts), ...Object.keys(exported.counts)]);
  const what = [...names]
    .filter((name) => (there.counts[name] ?? 0) !== (exported.counts[name] ?? 0))
    .map((name) => `${name} has ${there.counts[name] ?? 'no'} rows of ${exported.counts[name] ?? 0}`);
  if (founded !== account) what.push('it is of another account');
  if (there.ledgerCents !== exported.ledgerCents) what.push('the sum of the ledger differs');
  if (there.counts.hubs !== 1) what.push('it holds no account');
  if (what.length > 0) return { kind: 'differs', what };
  const at = deps.now();
  const rows = Object.values(there.counts).reduce((sum, n) => sum + n, 0);
  const after = { rows, ledgerCents: there.ledgerCents };
  const event = (accountId: number) =>
    auditEvent(deps, { accountId, action: 'clinic.restored', subject: ['clinic', String(clinic)], after });
  await endRestore(own.db, at, event(account));
  if (!(await nameClinic(deps.installation, clinic, account, event(INSTALLATION)))) {
    await abandonRestoration(deps, clinic);
    return { kind: 'taken' };
  }
  await tellKeys(own);
  await deps.clinics.wake(clinic);
  return { kind: 'ended', ended: { clinic, account, rows, ledgerCents: there.ledgerCents, restoredAt: at } };
}

/** Give up a restore that did not come to its end. False: no account-less clinic has this number. */
export async function abandonRestoration(deps: Deps, clinic: number): Promise<boolean> {
  const row = await findRow(deps.installation, clinic);
  if (!row || row.accountId !== null || row.erasedAt !== null) return false;
  await deps.clinics.erase(clinic);
  await forgetClinic(deps.installation, clinic, deps.now(), erasedEvent(deps, clinic));
  return true;
}
