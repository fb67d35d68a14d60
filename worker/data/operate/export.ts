import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import { exportTables } from './tables.ts';

/** A row of an export, as JSON has it. */
export type ExportRow = Record<string, string | number | null>;
/** The values of a row's key, behind which the next piece begins. */
export type After = (string | number)[];
export type Piece = { rows: ExportRow[]; next: After | null };

/** `mark`: the number of the newest event; each act writes one, so nothing was done while it stays. */
export type Counted = { counts: Record<string, number>; ledgerCents: number; mark: number };

const columns = new WeakMap<Db, Map<string, string[]>>();

/** The stored columns of a table; none: there is no such table. */
export async function columnsIn(db: Db, table: string): Promise<string[]> {
  const known = columns.get(db) ?? new Map<string, string[]>();
  columns.set(db, known);
  const found = known.get(table);
  if (found) return found;
  const { results } = await db.$client
    .prepare('SELECT name FROM pragma_table_info(?1)')
    .bind(table)
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  if (names.length > 0) known.set(table, names);
  return names;
}

export type PieceAsked = {
  after: After | null;
  limit: number;
  /** Columns that are left out. */
  without?: readonly string[];
  /** Which rows, as SQL. */
  where?: string | undefined;
  /** No row behind this row id. */
  upTo?: number | null;
};

/** Rows of a table behind `after`, `limit` at most. */
export async function readPiece(
  db: Db,
  table: Pick<DeclaredTable, 'name' | 'key'>,
  { after, limit, without = [], where, upTo = null }: PieceAsked,
): Promise<Piece> {
  const shown = (await columnsIn(db, table.name)).filter((name) => !without.includes(name));
  const key = table.key.join(', ');
  const marks = table.key.map(() => '?').join(', ');
  const wanted = [
    ...(after ? [`(${key}) > (${marks})`] : []),
    ...(upTo === null ? [] : ['rowid <= ?']),
    ...(where ? [where] : []),
  ];
  const { results } = await db.$client
    .prepare(
      `SELECT ${table.key.map((name, at) => `${name} AS k${at}`).join(', ')}, ${shown.join(', ')} FROM ${table.name}
${wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : ''} ORDER BY ${key} LIMIT ${limit}`,
    )
    .bind(...(after ?? []), ...(upTo === null ? [] : [upTo]))
    .all<ExportRow>();
  const last = results.length === limit ? results.at(-1) : undefined;
  const next = last ? table.key.map((_, at) => last[`k${at}`] as string | number) : null;
  const rows = results.map((row) => Object.fromEntries(shown.map((name) => [name, row[name] ?? null])));
  return { rows, next };
}

/** What an export must have, or another list of tables, counted in one trip. The installation has no ledger. */
export async function countExport(
  { $client }: Db,
  tables: readonly DeclaredTable[] = exportTables,
  hasLedger = true,
): Promise<Counted> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ');
  const [counted, more] = await $client.batch<Record<string, number>>([
    $client.prepare(`SELECT ${counts}`),
    $client.prepare(
      `SELECT ${hasLedger ? '(SELECT coalesce(sum(amount_cents), 0) FROM ledger)' : 0} AS ledgerCents,
(SELECT coalesce(max(seq), 0) FROM audit_events) AS mark`,
    ),
  ]);
  const { ledgerCents = 0, mark = 0 } = more?.results[0] ?? {};
  return { counts: counted?.results[0] ?? {}, ledgerCents, mark };
}
