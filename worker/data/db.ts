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

/** Inferred, because type-checking a handwritten type takes longer than all other files combined. */
export type Db = ReturnType<typeof drizzle<typeof schema, D1Database>>;

const describeTables = () => {
  const { tables, tableNamesMap } = extractTablesRelationalConfig(schema, createTableRelationsHelpers);
  return { fullSchema: schema, schema: tables, tableNamesMap };
};
let tableConfig: ReturnType<typeof describeTables> | undefined;

/**
 * Like drizzle(), but describes the tables only once per isolate, because describing them takes longer than a query and
 * each clinic has its own database.
 */
export function openDb(d1: D1Database): Db {
  tableConfig ??= describeTables();
  const dialect = new SQLiteAsyncDialect();
  const session = new SQLiteD1Session(d1, dialect, tableConfig);
  const db = new DrizzleD1Database('async', dialect, session, tableConfig);
  return Object.assign(db, { $client: d1 }) as unknown as Db;
}

/** Sorts by this column without using its index, which SQLite might scan for the whole account to sort a few rows. */
export const unindexed = (column: SQLiteColumn) => sql`+${column}`;

/** True if a statement of a batch changed any row. */
export const hasChanged = (result: D1Result | undefined): boolean => (result?.meta.changes ?? 0) > 0;

/** A row as returned by D1, by column name. */
export type RawRow = Record<string, unknown>;

/**
 * A table's columns for SQL text that is constant instead of built at each request. Each column gets a unique name,
 * because D1 returns the rows of a batch as objects, in which columns of the same name would collide.
 */
export const columnsOf = (table: SQLiteTable, alias: string, prefix: string): string =>
  Object.values(getTableColumns(table))
    .map(({ name }) => `${alias}.${name} AS ${prefix}${name}`)
    .join(', ');

const columnCache = new WeakMap<SQLiteTable, [key: string, column: SQLiteColumn][]>();

/** Builds a table's row from the columns of `columnsOf`; each column decodes its value. */
export function rowOf<T extends SQLiteTable>(table: T, raw: RawRow, prefix: string): T['$inferSelect'] {
  let pairs = columnCache.get(table);
  if (!pairs) {
    pairs = Object.entries(getTableColumns(table));
    columnCache.set(table, pairs);
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

/** A value of a statement, which is either constant or read from its group at each call. */
type Value = { group: string; name: string; encoder: DriverValueEncoder<unknown, unknown> | null } | { same: unknown };
type BuiltStatement = { text: string; values: Value[] };

/** An object for a group of values, in which each property is a placeholder. */
const placeholdersOf = (group: string): object =>
  new Proxy({}, { get: (_target, name) => sql.placeholder(`${group}.${String(name)}`) });

const placeholderOf = ({ name }: Placeholder) => {
  const [group = '', valueName = ''] = String(name).split('.');
  return { group, name: valueName };
};

function toStatementValue(param: unknown): Value {
  if (is(param, Placeholder)) return { ...placeholderOf(param), encoder: null };
  if (is(param, Param) && is(param.value, Placeholder))
    return { ...placeholderOf(param.value), encoder: param.encoder };
  return { same: param };
}

const toBuiltStatements = (builders: Builder[]): BuiltStatement[] =>
  builders.map((builder) => {
    const { sql: text, params } = builder.toSQL();
    return { text, values: params.map(toStatementValue) };
  });

/**
 * Statements of a batch whose text the ORM builds only once per isolate, because building takes longer than the query
 * itself. `buildStatements` gets placeholders instead of values, so its text may depend only on `shape`. There is one
 * text per `key`; with a null key, for rare conditions, the text is not cached.
 */
export function writtenOnce<V extends Groups, S = undefined>(
  groups: (keyof V & string)[],
  buildStatements: (db: Db, values: V, shape: S) => Builder[],
): (db: Db, values: V, shape: S, key: string | null) => D1PreparedStatement[] {
  const cache = new Map<string, BuiltStatement[]>();
  const placeholderValues = Object.fromEntries(groups.map((group) => [group, placeholdersOf(group)])) as V;
  return (db, values, shape, key) => {
    let built = key === null ? undefined : cache.get(key);
    if (!built) {
      built = toBuiltStatements(buildStatements(db, placeholderValues, shape));
      if (key !== null) cache.set(key, built);
    }
    return built.map(({ text, values: statementValues }) =>
      db.$client.prepare(text).bind(...statementValues.map((value) => boundValue(value, values))),
    );
  };
}

function boundValue(value: Value, values: Groups): unknown {
  if ('same' in value) return value.same;
  const current = (values[value.group] as Record<string, unknown>)[value.name];
  return value.encoder && current !== null ? value.encoder.mapToDriverValue(current) : current;
}
