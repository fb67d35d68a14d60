import { depsOfClinic } from '#worker/clinic/capability-keys';
import { FIRST_MIGRATION } from '#worker/clinic/migration';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { findClinic } from '#worker/data/directory/clinics';
import { folderOfClinic } from '#worker/data/leaving/archives';
import {
  addClinicWithoutAccount,
  assignAccount,
  findDirectoryRow,
  removeAccountFromClinic,
} from '#worker/data/operate/directory';
import { getCompressed, getManifest, sumLedgerDays } from '#worker/data/operate/dumps';
import { deletePrefix } from '#worker/data/operate/erase';
import {
  clinicTable,
  clinicTables,
  columnsOmittedFrom,
  countExport,
  type ExportCounts,
  type ExportRow,
  exportTable,
} from '#worker/data/operate/export';
import {
  beginRestore,
  endRestore,
  hasAccount,
  insertRestoredRows,
  isRestoreInProgress,
  RESTORE_IN_PROGRESS,
  readOriginalAccount,
} from '#worker/data/operate/restore';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { ClinicRow } from '#worker/data/schema/directory';
import type { DeclaredTable } from '#worker/data/schema/table';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { reportKeys } from '#worker/domain/merchants/clinic-of-account';
import { causeOf } from '#worker/log';
import {
  abandonInstallationRestore,
  type BeginOutcome,
  beginInstallationRestore,
  type EndOutcome,
  type ExportTotals,
  endInstallationRestore,
  type PutOutcome,
  putInstallationRows,
} from './restore-installation.ts';

/**
 * Begins to restore an account's records into a new clinic, which is linked to the account once all records are
 * restored. Refused if the account's current clinic holds records; an empty one is replaced. `schema`: the version of
 * the database schema that the export was made from.
 */
export async function beginRestoration(deps: Deps, account: number, schema: number): Promise<BeginOutcome> {
  if (account === INSTALLATION) return beginInstallationRestore(deps);
  if (schema < FIRST_MIGRATION) return { kind: 'too-old' };
  if (schema > CLINIC_SCHEMA) return { kind: 'newer', schema: CLINIC_SCHEMA };
  const current = await findClinic(deps.installation, account);
  if (current !== undefined && (await holdsRecords(deps, current))) return { kind: 'there-is-one' };
  const clinic = await addClinicWithoutAccount(deps.installation, deps.now(), current ?? null);
  await deps.clinics.found(clinic, account);
  await beginRestore(deps.clinics.db(clinic));
  return { kind: 'begun', clinic };
}

/** False if the clinic was erased, or if its object lost its database. */
const holdsRecords = async ({ clinics }: Deps, clinic: number): Promise<boolean> =>
  (await unlessErased(hasAccount(clinics.db(clinic)))) ?? false;

const erasedEvent = (deps: Deps, clinic: number) =>
  auditEvent(deps, { accountId: INSTALLATION, action: 'clinic.erased', subject: ['clinic', String(clinic)] });

/** The deps of a clinic that is being restored. Null if no restore is under way. */
export async function findRestoration(
  deps: Deps,
  clinic: number,
): Promise<{ clinicDeps: Deps; row: ClinicRow } | null> {
  const row = await findDirectoryRow(deps.installation, clinic);
  if (!row || row.accountId !== null || row.erasedAt !== null) return null;
  const clinicDeps = depsOfClinic(deps, clinic);
  return (await isRestoreInProgress(clinicDeps.db)) ? { clinicDeps, row } : null;
}

/** Restores rows of an export, all or none. A file may contain anything, so rows of another account are refused. */
export async function restoreRows(deps: Deps, clinic: number, name: string, rows: ExportRow[]): Promise<PutOutcome> {
  const table = exportTable(name);
  const { clinicDeps } = (table && (await findRestoration(deps, clinic))) ?? {};
  if (!table || !clinicDeps) return { kind: 'not-found' };
  return insertRows(clinicDeps, table, rows, columnsOmittedFrom(table, false));
}

/** Restores rows. `omittedColumns`: columns to ignore. */
async function insertRows(
  clinicDeps: Deps,
  table: DeclaredTable,
  rows: ExportRow[],
  omittedColumns: readonly string[] = [],
): Promise<PutOutcome> {
  const { name } = table;
  const account = await readOriginalAccount(clinicDeps.db);
  // An email may belong to no account.
  if (rows.some(({ account_id }) => account_id !== account && !(name === 'outbox' && account_id === null)))
    return { kind: 'refused', reason: `${name} has a row of another account` };
  // Payments are blocked from the first row on. A receipt's address is a capability, which no export contains. A
  // terminal without its key takes no payments until the card provider sends a new key.
  const fieldsToAdd = (): ExportRow =>
    name === 'accounts'
      ? { restored_at: RESTORE_IN_PROGRESS }
      : name === 'terminals' && rows.some(({ api_key }) => api_key === undefined)
        ? { api_key: '' }
        : name === 'payment_attempts' && omittedColumns.includes('receipt_id')
          ? { receipt_id: clinicDeps.newCapability() }
          : {};
  try {
    await insertRestoredRows(clinicDeps.db, table, rows, { omitted: omittedColumns, fill: fieldsToAdd });
    return { kind: 'back' };
  } catch (cause) {
    const message = causeOf(cause);
    // A platform error, unlike a database error, may not occur on the next try.
    if (!/SQLITE_|constraint|datatype/i.test(message)) throw cause;
    return { kind: 'refused', reason: message };
  }
}

/** The number of rows that are restored together. */
const ROWS_PER_BATCH = 250;

/** Restores a piece of a dump, by its index in the manifest. */
export async function restorePiece(deps: Deps, clinic: number, folder: string, index: number): Promise<PutOutcome> {
  const { backups, sha256 } = deps;
  const piece = (await getManifest(backups, folder))?.pieces[index];
  const text = piece ? await getCompressed(backups, piece.key) : null;
  if (!piece || text === null) return { kind: 'not-found' };
  if ((await sha256(text)) !== piece.sha256) return { kind: 'refused', reason: 'it is not as it was written' };
  const rows = text.split('\n').flatMap((line) => (line ? [(JSON.parse(line) as { row: ExportRow }).row] : []));
  for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
    const batch = rows.slice(from, from + ROWS_PER_BATCH);
    const putRows = clinic === INSTALLATION ? putInstallationRows : restoreDumpedRows;
    const outcome = await putRows(deps, piece.table, batch, clinic);
    if (outcome.kind !== 'back') return outcome;
  }
  return { kind: 'back' };
}

async function restoreDumpedRows(deps: Deps, name: string, rows: ExportRow[], clinic: number): Promise<PutOutcome> {
  const table = clinicTable(name);
  const { clinicDeps } = (table && (await findRestoration(deps, clinic))) ?? {};
  return table && clinicDeps ? insertRows(clinicDeps, table, rows) : { kind: 'not-found' };
}

/** Finishes the restore of a dump after checking the records against its manifest. */
export async function endDumpRestoration(
  deps: Deps,
  clinic: number,
  account: number,
  folder: string,
): Promise<EndOutcome> {
  const manifest = await getManifest(deps.backups, folder);
  if (!manifest || manifest.account !== account || (clinic === INSTALLATION) !== (account === INSTALLATION))
    return { kind: 'not-found' };
  if (clinic === INSTALLATION) return endInstallationRestore(deps, manifest);
  return endRestoration(deps, clinic, { ...manifest, asOf: manifest.beganAt });
}

/**
 * Finishes a restore, if the restored records match the export. Payments stay blocked until the card provider's
 * transactions are read up to now and the CRM's records are copied again.
 */
export async function endRestoration(deps: Deps, clinic: number, totals: ExportTotals): Promise<EndOutcome> {
  const { clinicDeps, row } = (await findRestoration(deps, clinic)) ?? {};
  if (!clinicDeps || !row) return { kind: 'not-found' };
  const { account } = totals;
  const restoredCounts = await countExport(clinicDeps.db, clinicTables);
  const messages = await listDifferences(clinicDeps, totals, restoredCounts);
  if (messages.length > 0) return { kind: 'differs', differences: messages };
  const at = deps.now();
  const rows = Object.values(restoredCounts.counts).reduce((sum, n) => sum + n, 0);
  const after = { rows, ledgerCents: restoredCounts.ledgerCents };
  const event = (accountId: number) =>
    auditEvent(deps, { accountId, action: 'clinic.restored', subject: ['clinic', String(clinic)], after });
  await endRestore(clinicDeps.db, at, { event: event(account), asOf: totals.asOf ?? at });
  const isPredecessorEmpty = row.predecessor === null || !(await holdsRecords(deps, row.predecessor));
  if (!isPredecessorEmpty || !(await assignAccount(deps.installation, row, account, at, event(INSTALLATION)))) {
    await abandonRestoration(deps, clinic);
    return { kind: 'taken' };
  }
  await reportKeys(clinicDeps);
  await deps.clinics.wake(clinic);
  return { kind: 'ended', ended: { clinic, account, rows, ledgerCents: restoredCounts.ledgerCents, restoredAt: at } };
}

/** The differences between the restored records and the export, one sentence each. */
async function listDifferences({ db }: Deps, totals: ExportTotals, restoredCounts: ExportCounts): Promise<string[]> {
  const { account, counts, ledgerCents, days } = totals;
  const names = new Set([...Object.keys(restoredCounts.counts), ...Object.keys(counts)]);
  const messages = [...names]
    .filter((name) => (restoredCounts.counts[name] ?? 0) !== (counts[name] ?? 0))
    .map((name) => `${name} has ${restoredCounts.counts[name] ?? 'no'} rows of ${counts[name] ?? 0}`);
  if ((await readOriginalAccount(db)) !== account) messages.push('it is of another account');
  if (restoredCounts.ledgerCents !== ledgerCents) messages.push('the sum of the ledger differs');
  if (restoredCounts.counts.accounts !== 1) messages.push('it holds no account');
  const sums = days ? await sumLedgerDays(db) : {};
  const differingDays = Object.keys({ ...days, ...sums }).filter((day) => days && days[day] !== sums[day]);
  if (differingDays.length > 0) messages.push(`the ledger’s sums differ on ${differingDays.join(', ')}`);
  return messages;
}

/** Abandons an unfinished restore. False if no clinic without an account has this number. */
export async function abandonRestoration(deps: Deps, clinic: number): Promise<boolean> {
  if (clinic === INSTALLATION) return abandonInstallationRestore(deps);
  const row = await findDirectoryRow(deps.installation, clinic);
  if (!row || row.accountId !== null || row.erasedAt !== null) return false;
  await deps.clinics.erase(clinic);
  await deletePrefix(deps.media, folderOfClinic(clinic));
  await removeAccountFromClinic(deps.installation, clinic, deps.now(), erasedEvent(deps, clinic));
  return true;
}
