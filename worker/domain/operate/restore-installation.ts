import { countExport, type ExportRow } from '#worker/data/operate/export';
import { beginRestore, isUnderWay, putBack } from '#worker/data/operate/restore';
import { emptyTables, endInstallation, isInUse } from '#worker/data/operate/restore-installation';
import { installationDump } from '#worker/data/operate/tables';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Begun, Ended, Exported, PutOutcome } from './outcomes.ts';

/** What runs meanwhile writes events, which those of the dump take the place of. */
const GROWS = 'audit_events';

/**
 * Begin to put the installation back, into a new and empty database: content, directory, operators and trail. One that
 * has a clinic or a person is left alone.
 */
export async function beginInstallation({ installation }: Deps): Promise<Begun> {
  if (await isInUse(installation)) return { kind: 'there-is-one' };
  await beginRestore(installation);
  await emptyTables(installation, installationDump);
  return { kind: 'begun', clinic: INSTALLATION };
}

/** Put rows of a dump back, all or none. */
export async function putInstallationRows(
  { installation }: Deps,
  name: string,
  rows: ExportRow[],
): Promise<PutOutcome> {
  const table = installationDump.find((one) => one.name === name);
  if (!table || !(await isUnderWay(installation))) return { kind: 'not-found' };
  await putBack(installation, table, rows, { fill: () => ({}), without: [] });
  return { kind: 'back' };
}

/** The clinics have their own records, and their links lead to them without the directory: no payment waits for this. */
export async function endInstallationOf(deps: Deps, { counts, ledgerCents }: Exported): Promise<Ended> {
  const { installation, now } = deps;
  if (!(await isUnderWay(installation))) return { kind: 'not-found' };
  const there = await countExport(installation, installationDump, false);
  const what = Object.entries(counts)
    .filter(([name, n]) => (name === GROWS ? (there.counts[name] ?? 0) < n : there.counts[name] !== n))
    .map(([name, n]) => `${name} has ${there.counts[name] ?? 'no'} rows of ${n}`);
  if (what.length > 0) return { kind: 'differs', what };
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

/** Leave an empty installation, as it was. False: no restore is under way. */
export async function abandonInstallation({ installation, now }: Deps): Promise<boolean> {
  if (!(await isUnderWay(installation))) return false;
  await emptyTables(installation, installationDump);
  await endInstallation(installation, now(), null);
  return true;
}
