import type { RestoreEnded } from '#shared/contracts/operators/operate';
import { countExport, type ExportRow, installationDump } from '#worker/data/operate/export';
import {
  beginRestore,
  emptyTables,
  endInstallation,
  insertRestoredRows,
  isInstallationInUse,
  isRestoreInProgress,
} from '#worker/data/operate/restore';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

// The outcomes of the steps of a restore.

export type BeginOutcome =
  | { kind: 'begun'; clinic: number }
  | { kind: 'there-is-one' | 'too-old' }
  | { kind: 'newer'; schema: number };

export type PutOutcome =
  | { kind: 'back' }
  /** No clinic is being restored under this number, or there is no such table or piece. */
  | { kind: 'not-found' }
  /** The rows belong to another account, differ from what was written, or are rejected by the database. */
  | { kind: 'refused'; reason: string };

/**
 * The totals that a restore must match. `asOf`: when the dump began (UTC ms). `days`: the ledger's sum per local day.
 */
export type ExportTotals = {
  account: number;
  counts: Record<string, number>;
  ledgerCents: number;
  asOf?: number;
  days?: Record<string, number>;
};
export type EndOutcome =
  | { kind: 'ended'; ended: RestoreEnded }
  | { kind: 'not-found' | 'taken' }
  | { kind: 'differs'; differences: string[] };

/** Other work adds events to this table during the restore; the events of the dump replace them. */
const GROWING_TABLE = 'audit_events';

/**
 * Begins to restore the installation (content, directory, operators and audit trail) into a new, empty database.
 * Refuses if the installation has a clinic or an operator.
 */
export async function beginInstallationRestore({ installation }: Deps): Promise<BeginOutcome> {
  if (await isInstallationInUse(installation)) return { kind: 'there-is-one' };
  await beginRestore(installation);
  await emptyTables(installation, installationDump);
  return { kind: 'begun', clinic: INSTALLATION };
}

/** Restores rows of a dump, all or none. */
export async function putInstallationRows(
  { installation }: Deps,
  name: string,
  rows: ExportRow[],
): Promise<PutOutcome> {
  const table = installationDump.find((declared) => declared.name === name);
  if (!table || !(await isRestoreInProgress(installation))) return { kind: 'not-found' };
  await insertRestoredRows(installation, table, rows, { fill: () => ({}), omitted: [] });
  return { kind: 'back' };
}

/**
 * Finishes the restore of the installation. No payment waits for it: clinics have their own records, and their links
 * work without the directory.
 */
export async function endInstallationRestore(deps: Deps, { counts, ledgerCents }: ExportTotals): Promise<EndOutcome> {
  const { installation, now } = deps;
  if (!(await isRestoreInProgress(installation))) return { kind: 'not-found' };
  const restoredCounts = await countExport(installation, installationDump, false);
  const differences = Object.entries(counts)
    .filter(([name, n]) =>
      name === GROWING_TABLE ? (restoredCounts.counts[name] ?? 0) < n : restoredCounts.counts[name] !== n,
    )
    .map(([name, n]) => `${name} has ${restoredCounts.counts[name] ?? 'no'} rows of ${n}`);
  if (differences.length > 0) return { kind: 'differs', differences: differences };
  const rows = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const at = now();
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'clinic.restored',
    subject: ['installation', ''],
    after: { rows },
  });
  await endInstallation(installation, at, event);
  return { kind: 'ended', ended: { clinic: INSTALLATION, account: INSTALLATION, rows, ledgerCents, restoredAt: at } };
}

/** Abandons the restore and leaves an empty installation, as before. False if no restore is under way. */
export async function abandonInstallationRestore({ installation, now }: Deps): Promise<boolean> {
  if (!(await isRestoreInProgress(installation))) return false;
  await emptyTables(installation, installationDump);
  await endInstallation(installation, now(), null);
  return true;
}
