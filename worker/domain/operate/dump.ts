import type { DumpList, DumpManifest, ExportRow } from '#shared/contracts/operators/operate';
import { localDay } from '#shared/text/local-day';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { saveHeartbeats } from '#worker/data/alerts/health';
import { findOldestDumpTime, listClinicNumbersOf, recordDumpEnd } from '#worker/data/operate/directory';
import {
  claimDump,
  countEventsSince,
  type DumpedPiece,
  discardDump,
  endDump,
  findDump,
  findDumpedAccount,
  folderOf,
  getManifest,
  listDumpFolders,
  listDumpTables,
  planDump,
  postponeDump,
  putCompressed,
  putManifest,
  recordCopiedFiles,
  recordPiece,
  startDump,
  sumLedgerDays,
} from '#worker/data/operate/dumps';
import { dumpTables, installationDump, type RowKey, readPiece } from '#worker/data/operate/export';
import { copyFile, fileQueriesOf, listNextFiles, ROWS_PER_READ } from '#worker/data/operate/file-copies';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { DumpRow, DumpTableRow } from '#worker/data/schema/operate';
import type { DeclaredTable } from '#worker/data/schema/table';
import type { Deps } from '#worker/deps';
import { nextNight } from '#worker/domain/reconciliation/next-night';
import { causeOf } from '#worker/log';

/**
 * Copies the files that new rows name (signatures, or files of the content area) next to the dumps. True if none are
 * left; false if the next run must continue. Files never change, so each is copied once.
 */
export async function copyFiles(deps: Deps, dump: DumpRow): Promise<boolean> {
  const { db, media, backups, clinic } = deps;
  const places = JSON.parse(dump.files) as Record<string, number>;
  const tables = fileQueriesOf(clinic === INSTALLATION ? 'installation' : 'clinic');
  for (const [table, query] of Object.entries(tables)) {
    const files = await listNextFiles(db, query, places[table] ?? 0);
    const last = files.at(-1);
    if (!last) continue;
    for (const key of files.flatMap(({ keys }) => keys)) if (key) await copyFile(media, backups, key);
    places[table] = last.place;
    await recordCopiedFiles(db, places);
    if (files.length === ROWS_PER_READ) return false;
  }
  return true;
}

/** Rows per piece, and pieces per run, so that payers' requests and other steps can run in between. */
const ROWS_PER_PIECE = 1000;
const PIECES_PER_RUN = 10;
const NEXT_RUN_MS = 1000;
/** A run that was interrupted is replaced after this (ms). */
const CLAIM_MS = 5 * 60_000;
/** The pause (ms) after a failed run, and after a dump during which the database changed. */
const RETRY_MS = 15 * 60_000;
const CHANGE_PAUSE_MS = 60_000;
/** A database that changes all night is dumped as it is on the last of these tries. */
const MAX_TRIES = 5;
/** The dumps of a time zone's clinics start one after another, spread over this many minutes from 2 a.m. */
const SPREAD_MINUTES = 120;
const MINUTE_MS = 60_000;

/**
 * For the schedule of a clinic or of the installation: once a night, writes all data that cannot be fetched again to
 * the backup bucket, a few pieces per run. The next run continues after a failed or interrupted run.
 */
export async function dumpDatabase(deps: Deps): Promise<void> {
  const { db, clinic, log, now } = deps;
  const owner = clinic === INSTALLATION ? { account: INSTALLATION, timeZone: 'UTC' } : await findDumpedAccount(db);
  if (!owner) return;
  const dump = await findDump(db);
  const at = now();
  if (!dump) return planDump(db, nextDumpAt(at, owner.timeZone, clinic), at);
  if (dump.dueAt > at || !(await claimDump(db, dump, at + CLAIM_MS))) return;
  try {
    await continueDump(deps, dump, owner);
  } catch (cause) {
    log.info('dump-halted', { clinic, cause: causeOf(cause) });
    await postponeDump(db, now() + RETRY_MS);
  }
}

/** The start of a clinic's next dump (UTC ms), at night in its own time zone and staggered between clinics. */
export function nextDumpAt(now: number, timeZone: string, clinic: number): number {
  const offset = ((clinic * 7) % SPREAD_MINUTES) * MINUTE_MS;
  return nextNight(now - offset, timeZone) + offset;
}

type Owner = { account: number; timeZone: string };

async function continueDump(deps: Deps, dump: DumpRow, owner: Owner): Promise<void> {
  const { db, clinic, now } = deps;
  const tables = clinic === INSTALLATION ? installationDump : dumpTables;
  const month = localDay(now(), 'UTC').slice(0, 7);
  const folder = dump.folder || folderOf(clinic, now(), dump.month !== month);
  if (dump.folder === '') await startDump(db, tables, { folder, now: now() });
  if (!(await writePieces(deps, tables, folder))) return postponeDump(db, now() + NEXT_RUN_MS);
  const currentDump = (await findDump(db)) ?? dump;
  const { tries, beganAt } = currentDump;
  const acts = await countEventsSince(db);
  if (acts > 0 && tries < MAX_TRIES) return discardDump(db, now() + CHANGE_PAUSE_MS * tries);
  if (!(await copyFiles(deps, currentDump))) return postponeDump(db, now() + NEXT_RUN_MS);
  const writtenTables = await listDumpTables(db);
  const ledger = writtenTables.find(({ name }) => name === 'ledger');
  const days = ledger ? await sumLedgerDays(db, ledger.cut) : {};
  const at = now();
  await putManifest(deps.backups, folder, {
    clinic,
    account: owner.account,
    schema: clinic === INSTALLATION ? 0 : CLINIC_SCHEMA,
    beganAt,
    at,
    acts,
    days,
    ledgerCents: Object.values(days).reduce((sum, cents) => sum + cents, 0),
    ...piecesOf(writtenTables, tables),
  });
  await recordDumpEnd(deps.installation, clinic, at);
  await endDump(db, { dueAt: nextDumpAt(at, owner.timeZone, clinic), at, month });
  deps.log.info('dumped', { clinic, folder, acts });
}

/** Formats rows as the lines of an export. */
export const linesOf = (table: string, rows: ExportRow[]): string =>
  rows.map((row) => `${JSON.stringify({ table, row })}\n`).join('');

/** Writes pieces up to the limit of a run. True if all are written. */
async function writePieces(deps: Deps, tables: readonly DeclaredTable[], folder: string): Promise<boolean> {
  const { db, backups, sha256 } = deps;
  let remainingPieces = PIECES_PER_RUN;
  const states = new Map((await listDumpTables(db)).map((state) => [state.name, state]));
  for (const table of tables) {
    let state = states.get(table.name);
    if (!state) throw new Error(`the dump was begun without ${table.name}`);
    while (state.isWhole === 0) {
      if (remainingPieces === 0) return false;
      const after = JSON.parse(state.after) as RowKey | null;
      const query = { after, limit: table.atOnce ?? ROWS_PER_PIECE, upTo: state.cut, where: table.dumped };
      const { rows, next } = await readPiece(db, table, query);
      const pieces = JSON.parse(state.pieces) as DumpedPiece[];
      if (rows.length > 0) {
        remainingPieces -= 1;
        const key = `${folder}${table.name}-${pieces.length}.ndjson.gz`;
        const text = linesOf(table.name, rows);
        await putCompressed(backups, key, text);
        pieces.push({ key, table: table.name, rows: rows.length, sha256: await sha256(text) });
      }
      state = await recordPiece(db, state, pieces, next);
    }
  }
  return true;
}

function piecesOf(
  writtenTables: DumpTableRow[],
  tables: readonly DeclaredTable[],
): Pick<DumpManifest, 'counts' | 'pieces'> {
  const states = new Map(writtenTables.map(({ name, pieces }) => [name, JSON.parse(pieces) as DumpedPiece[]]));
  const tablePieces = tables.map(({ name }) => ({ name, pieces: states.get(name) ?? [] }));
  const rowsOf = (pieces: DumpedPiece[]) => pieces.reduce((sum, { rows }) => sum + rows, 0);
  return {
    counts: Object.fromEntries(tablePieces.map(({ name, pieces }) => [name, rowsOf(pieces)])),
    pieces: tablePieces.flatMap(({ pieces }) => pieces),
  };
}

/** The maximum number of dumps listed; a clinic has dumps of 35 nights and 13 months. */
const MAX_LISTED = 60;

/**
 * The dumps of an account's clinic and of the clinics that it was restored from, oldest first. `clinic`: the clinic's
 * number, for an account that no longer has a clinic. Null if there is no such clinic.
 */
export async function viewDumps(deps: Deps, account: number, clinic: number | null): Promise<DumpList | null> {
  const { installation, backups } = deps;
  const numbers =
    clinic !== null
      ? [clinic]
      : account === INSTALLATION
        ? [INSTALLATION]
        : await listClinicNumbersOf(installation, account);
  if (numbers.length === 0) return null;
  const folders = (await Promise.all(numbers.map((number) => listDumpFolders(backups, number))))
    .flat()
    .slice(-MAX_LISTED);
  const manifests = await Promise.all(
    folders.map(async (folder) => [folder, await getManifest(backups, folder)] as const),
  );
  const dumps = manifests.flatMap(([folder, manifest]) => {
    if (manifest?.account !== account) return [];
    const { at, acts, ledgerCents, counts } = manifest;
    return [{ folder, at, acts, ledgerCents, rows: Object.values(counts).reduce((sum, n) => sum + n, 0) }];
  });
  return { dumps: dumps.sort((a, b) => a.at - b.at) };
}

/** A dump's manifest. Null if there is no dump with that name, or it was never finished. */
export const findManifest = ({ backups }: Deps, folder: string): Promise<DumpManifest | null> =>
  getManifest(backups, folder);

/** The job whose heartbeat reveals a missing dump: its last successful run is the oldest of all clinics' last dumps. */
export const BACKUP_JOB = 'backup';

/**
 * For the installation's schedule: records the time of the oldest dump, so that one clinic without a dump counts as a
 * missing backup.
 */
export async function watchDumps({ installation }: Deps): Promise<void> {
  const at = await findOldestDumpTime(installation);
  await saveHeartbeats(installation, [{ job: BACKUP_JOB, startedAt: at, finishedAt: at, ok: true }]);
}
