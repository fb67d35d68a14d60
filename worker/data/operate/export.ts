import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import { clinicTables as allOfClinic, installationTables } from '../schema/tables.ts';

/** Columns that every export omits, with the reasons. */
const notExportedOf = ({ columns }: DeclaredTable) =>
  Object.entries(columns).flatMap(([name, { notExported }]) => (notExported ? [[name, notExported] as const] : []));
const isIncludedIn = (copy: 'export' | 'dump') => (table: DeclaredTable) =>
  table.copies === 'export and dump' || ('only' in table.copies && table.copies.only === copy);
const isRestorable = (table: DeclaredTable) => !(typeof table.copies === 'object' && 'none' in table.copies);

/**
 * The tables of a clinic that can be restored. Terminal keys and CRM tokens stay sealed, and only the installation's
 * TOKEN_KEYS can open them.
 */
export const clinicTables = allOfClinic.filter(isRestorable);
/** The tables of an export, which leaves the installation as a file. */
export const exportTables = clinicTables.filter(isIncludedIn('export'));
/** The tables of a clinic's nightly dump. */
export const dumpTables = clinicTables.filter(isIncludedIn('dump'));
/** The tables of the installation's nightly dump. */
export const installationDump = installationTables.filter(isIncludedIn('dump'));

/** The exported table of that name; undefined if there is none. */
export const exportTable = (name: string): DeclaredTable | undefined =>
  exportTables.find((table) => table.name === name);
/** The restorable table of that name; undefined if there is none. */
export const clinicTable = (name: string): DeclaredTable | undefined =>
  clinicTables.find((table) => table.name === name);

/**
 * Columns that an export omits. `isForClinic`: the export is for the clinic, so `staysHere` columns are omitted too.
 */
export const columnsOmittedFrom = (table: DeclaredTable, isForClinic: boolean): string[] => [
  ...notExportedOf(table).map(([name]) => name),
  ...Object.entries(table.columns).flatMap(([name, { staysHere }]) => (isForClinic && staysHere ? [name] : [])),
];

/** Columns that the evidence after an erasure omits; also personal columns, free text and replay keys. */
export const columnsOmittedFromEvidence = (table: DeclaredTable): string[] =>
  Object.entries(table.columns).flatMap(([name, { notExported, personal, freeText, replayKey, staysHere }]) =>
    notExported || personal || freeText || replayKey || staysHere ? [name] : [],
  );

/** Tables and columns (`table.column`) that an export omits, with the reasons. */
export function omissionsOf(isForClinic: boolean): Record<string, string> {
  const tables = allOfClinic.flatMap(({ name, copies }) => {
    if (copies === 'export and dump') return [];
    if ('none' in copies) return [[name, copies.none]];
    return copies.only === 'dump' ? [[name, copies.why]] : [];
  });
  const columns = exportTables.flatMap((table) =>
    columnsOmittedFrom(table, isForClinic).map((column) => {
      const { notExported, staysHere } = table.columns[column] ?? {};
      return [`${table.name}.${column}`, notExported ?? staysHere ?? ''];
    }),
  );
  return Object.fromEntries([...tables, ...columns]);
}

/** A row of an export, with JSON values. */
export type ExportRow = Record<string, string | number | null>;
/** The key of the last row, after which the next piece begins. */
export type RowKey = (string | number)[];
export type Piece = { rows: ExportRow[]; next: RowKey | null };

/**
 * `mark`: the number of the newest event. Each action writes an event, so an equal mark means that nothing has happened
 * in between.
 */
export type ExportCounts = { counts: Record<string, number>; ledgerCents: number; mark: number };

const columnCache = new WeakMap<Db, Map<string, string[]>>();

/** The stored columns of a table; empty if there is no such table. */
export async function columnsIn(db: Db, table: string): Promise<string[]> {
  const byTable = columnCache.get(db) ?? new Map<string, string[]>();
  columnCache.set(db, byTable);
  const cached = byTable.get(table);
  if (cached) return cached;
  const { results } = await db.$client
    .prepare('SELECT name FROM pragma_table_info(?1)')
    .bind(table)
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  if (names.length > 0) byTable.set(table, names);
  return names;
}

export type PieceRequest = {
  after: RowKey | null;
  limit: number;
  /** Columns to omit. */
  omitted?: readonly string[];
  /** The condition for the rows, as SQL. */
  where?: string | undefined;
  /** The highest row id to include. */
  upTo?: number | null;
};

/** Rows of a table after the key `after`, at most `limit`. */
export async function readPiece(
  db: Db,
  table: Pick<DeclaredTable, 'name' | 'key'>,
  { after, limit, omitted = [], where, upTo = null }: PieceRequest,
): Promise<Piece> {
  const names = (await columnsIn(db, table.name)).filter((name) => !omitted.includes(name));
  const key = table.key.join(', ');
  const placeholders = table.key.map(() => '?').join(', ');
  const conditions = [
    ...(after ? [`(${key}) > (${placeholders})`] : []),
    ...(upTo === null ? [] : ['rowid <= ?']),
    ...(where ? [where] : []),
  ];
  const { results } = await db.$client
    .prepare(
      `SELECT ${table.key.map((name, index) => `${name} AS k${index}`).join(', ')}, ${names.join(', ')} FROM ${table.name}
${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} ORDER BY ${key} LIMIT ${limit}`,
    )
    .bind(...(after ?? []), ...(upTo === null ? [] : [upTo]))
    .all<ExportRow>();
  const last = results.length === limit ? results.at(-1) : undefined;
  const next = last ? table.key.map((_, index) => last[`k${index}`] as string | number) : null;
  const rows = results.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
  return { rows, next };
}

/**
 * The counts that an export of these tables must match, in one round trip. The installation has no ledger.
 */
export async function countExport(
  { $client }: Db,
  tables: readonly DeclaredTable[] = exportTables,
  hasLedger = true,
): Promise<ExportCounts> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ');
  const [countResult, totals] = await $client.batch<Record<string, number>>([
    $client.prepare(`SELECT ${counts}`),
    $client.prepare(
      `SELECT ${hasLedger ? '(SELECT coalesce(sum(amount_cents), 0) FROM ledger)' : 0} AS ledgerCents,
(SELECT coalesce(max(seq), 0) FROM audit_events) AS mark`,
    ),
  ]);
  const { ledgerCents = 0, mark = 0 } = totals?.results[0] ?? {};
  return { counts: countResult?.results[0] ?? {}, ledgerCents, mark };
}
