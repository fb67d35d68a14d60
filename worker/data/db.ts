import { type GetColumnData, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

export type Db = DrizzleD1Database<typeof schema>;

export const openDb = (d1: D1Database): Db => drizzle(d1, { schema });

type Named<T extends Table> = {
  [K in keyof T['_']['columns']]: SQL.Aliased<GetColumnData<T['_']['columns'][K]>>;
};

/**
 * A table's columns under names of their own, for a join inside a batch: D1 answers a batch with objects, in which columns
 * of the same name would fall together.
 */
export function named<T extends Table>(table: T, prefix: string): Named<T> {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]) => [
    key,
    sql`${column}`.mapWith(column).as(`${prefix}_${column.name}`),
  ]);
  return Object.fromEntries(columns) as Named<T>;
}
