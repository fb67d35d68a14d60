import {
  createTableRelationsHelpers,
  type DriverValueEncoder,
  extractTablesRelationalConfig,
  getTableColumns,
  is,
  Param,
  Placeholder,
  type Query,
  sql,
} from 'drizzle-orm';
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

type Groups = Record<string, object>;
type Builder = { toSQL(): Query };

/** A value of a statement: read at each call from its group, or the same in all calls. */
type Value = { group: string; name: string; encoder: DriverValueEncoder<unknown, unknown> | null } | { same: unknown };
type Written = { text: string; values: Value[] };

/** Stands for a group of values: each of them is a placeholder. */
const placeholders = (group: string): object =>
  new Proxy({}, { get: (_target, name) => sql.placeholder(`${group}.${String(name)}`) });

const placeholderOf = ({ name }: Placeholder) => {
  const [group = '', own = ''] = String(name).split('.');
  return { group, name: own };
};

function valueIn(param: unknown): Value {
  if (is(param, Placeholder)) return { ...placeholderOf(param), encoder: null };
  if (is(param, Param) && is(param.value, Placeholder))
    return { ...placeholderOf(param.value), encoder: param.encoder };
  return { same: param };
}

const write = (builders: Builder[]): Written[] =>
  builders.map((builder) => {
    const { sql: text, params } = builder.toSQL();
    return { text, values: params.map(valueIn) };
  });

/**
 * The statements of a batch, whose texts the ORM writes once in an isolate: to write them takes it longer than the
 * database to carry them out. `describe` gets placeholders for values, so it must depend on nothing but `shape`; there is
 * a text for each key of it. A key of null is not kept: it is for what is rare, or has conditions of its own.
 */
export function writtenOnce<V extends Groups, S = undefined>(
  groups: (keyof V & string)[],
  describe: (db: Db, values: V, shape: S) => Builder[],
): (db: Db, values: V, shape: S, key: string | null) => D1PreparedStatement[] {
  const kept = new Map<string, Written[]>();
  const stand = Object.fromEntries(groups.map((group) => [group, placeholders(group)])) as V;
  return (db, values, shape, key) => {
    let written = key === null ? undefined : kept.get(key);
    if (!written) {
      written = write(describe(db, stand, shape));
      if (key !== null) kept.set(key, written);
    }
    return written.map(({ text, values: own }) =>
      db.$client.prepare(text).bind(...own.map((one) => bound(one, values))),
    );
  };
}

function bound(value: Value, values: Groups): unknown {
  if ('same' in value) return value.same;
  const own = (values[value.group] as Record<string, unknown>)[value.name];
  return value.encoder && own !== null ? value.encoder.mapToDriverValue(own) : own;
}
