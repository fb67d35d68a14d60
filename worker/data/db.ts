import { getTableColumns, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from './schema/schema.ts';

export const openDb = (d1: D1Database) => drizzle(d1, { schema });

/** Inferred: to check it against a hand-written type takes the compiler longer than all other files together. */
export type Db = ReturnType<typeof openDb>;

/** Sort few rows by this column. Named bare, its index may be walked through all of an account to find them. */
export const unindexed = (column: SQLiteColumn) => sql`+${column}`;

/** A row as D1 answers it, by column name. */
export type RawRow = Record<string, unknown>;

/**
 * A table's columns for SQL that is written once instead of being built at every request. Each gets a name of its own:
 * D1 answers a batch with objects, in which columns of the same name would fall together.
 */
export const columnsOf = (table: SQLiteTable, alias: string, prefix: string): string =>
  Object.values(getTableColumns(table))
    .map(({ name }) => `${alias}.${name} AS ${prefix}${name}`)
    .join(', ');

const columns = new WeakMap<SQLiteTable, [key: string, column: SQLiteColumn][]>();

/** A table's row out of the columns of `columnsOf`, each value decoded by its column. */
export function rowOf<T extends SQLiteTable>(table: T, raw: RawRow, prefix: string): T['$inferSelect'] {
  let pairs = columns.get(table);
  if (!pairs) {
    pairs = Object.entries(getTableColumns(table));
    columns.set(table, pairs);
  }
  const row: RawRow = {};
  for (const [key, column] of pairs) {
    const value = raw[prefix + column.name] ?? null;
    row[key] = value === null ? null : column.mapFromDriverValue(value);
  }
  return row;
}
