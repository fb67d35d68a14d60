import { getTableColumns, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from './schema/schema.ts';

export const openDb = (d1: D1Database) => drizzle(d1, { schema });

/** As it is inferred: to hold it against a type written by hand takes the compiler longer than all other files together. */
export type Db = ReturnType<typeof openDb>;

/** A column to sort few rows by: named bare, an index that has the order may be walked through all of an account to find them. */
export const unindexed = (column: SQLiteColumn) => sql`+${column}`;

/** A row as D1 answers it, column by column. */
export type RawRow = Record<string, unknown>;

/**
 * A table's columns for SQL that is written once instead of being built at every request, each under a name of its own:
 * a batch answers with objects, in which columns of the same name would fall together.
 */
export const columnsOf = (table: SQLiteTable, alias: string, prefix: string): string =>
  Object.values(getTableColumns(table))
    .map(({ name }) => `${alias}.${name} AS ${prefix}${name}`)
    .join(', ');

const columns = new WeakMap<SQLiteTable, [key: string, column: SQLiteColumn][]>();

/** The row of a table out of what `columnsOf` selected, each value decoded as its column says. */
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
