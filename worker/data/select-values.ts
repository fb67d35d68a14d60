import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A row with a value for each column of its table that can be written. */
export function filled<T extends SQLiteTable>(table: T, row: T['$inferInsert']): Required<T['$inferInsert']> {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    columns.map(([key, column]) => [key, (row as Record<string, unknown>)[key] ?? column.default ?? null]),
  ) as Required<T['$inferInsert']>;
}

/** `SELECT value, value … WHERE condition` in the table's column order: for an INSERT that may insert nothing. */
export function selectValues<T extends SQLiteTable>(
  table: T,
  row: Partial<{ [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL }>,
  condition: SQL,
  computed: Record<string, SQL> = {},
): SQL {
  const values = Object.entries(getTableColumns(table)).map(
    ([key, column]) => sql`${computed[key] ?? (row as Record<string, unknown>)[key] ?? column.default ?? null}`,
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`;
}
