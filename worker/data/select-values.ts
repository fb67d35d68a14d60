import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** `SELECT value, value … WHERE condition` in the table's column order: for an INSERT that may insert nothing. */
export function selectValues<T extends SQLiteTable>(
  table: T,
  row: { [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL },
  condition: SQL,
): SQL {
  const values = Object.entries(getTableColumns(table)).map(
    ([key, column]) => sql`${(row as Record<string, unknown>)[key] ?? column.default ?? null}`,
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition}`;
}
