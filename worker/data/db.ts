import { createTableRelationsHelpers, extractTablesRelationalConfig, getTableColumns, sql } from 'drizzle-orm';
import { DrizzleD1Database, type drizzle, SQLiteD1Session } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from './schema/schema.ts';

/** Inferred: to check it against a hand-written type takes the compiler longer than all other files together. */
export type Db = ReturnType<typeof drizzle<typeof schema, D1Database>>;

const describe = () => {
  const { tables, tableNamesMap } = extractTablesRelationalConfig(schema, createTableRelationsHelpers);
  return { fullSchema: schema, schema: tables, tableNamesMap };
};
let described: ReturnType<typeof describe> | undefined;

/**
 * As drizzle() does it, but with the tables described once in an isolate: that takes longer than a query, and each
 * clinic has a database of its own.
 */
export function openDb(d1: D1Database): Db {
  described ??= describe();
  const dialect = new SQLiteAsyncDialect();
  const session = new SQLiteD1Session(d1, dialect, described);
  const db = new DrizzleD1Database('async', dialect, session, described);
  return Object.assign(db, { $client: d1 }) as unknown as Db;
}

/** Sort few rows by this column. Named bare, its index may be walked through all of an account to find them. */
export const unindexed = (column: SQLiteColumn) => sql`+${column}`;

/** Whether a statement of a batch changed any row. */
export const hasChanged = (answer: D1Result | undefined): boolean => (answer?.meta.changes ?? 0) > 0;

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
