import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A piece of SQL with the values bound to it, in order. */
export type RawSql = { text: string; values: SqlValue[] };
export type SqlValue = string | number | null;

/** Composes SQL at run time. Fragments are inserted as text, and all other values are bound. */
export function rawSql(parts: TemplateStringsArray, ...inserts: (RawSql | SqlValue)[]): RawSql {
  let text = parts[0] ?? '';
  const values: SqlValue[] = [];
  for (const [index, insert] of inserts.entries()) {
    if (typeof insert === 'object' && insert !== null) {
      text += insert.text;
      values.push(...insert.values);
    } else {
      text += '?';
      values.push(insert);
    }
    text += parts[index + 1] ?? '';
  }
  return { text, values };
}

/** SQL from our own code; never pass anything from a request. */
export const raw = (text: string): RawSql => ({ text, values: [] });

export const joinSql = (pieces: RawSql[], separator: string): RawSql => ({
  text: pieces.map(({ text }) => text).join(separator),
  values: pieces.flatMap(({ values }) => values),
});

/** The values as a list for IN. */
export const inList = (values: SqlValue[]): RawSql => ({ text: `(${values.map(() => '?').join(', ')})`, values });

export const prepare = (d1: D1Database, { text, values }: RawSql): D1PreparedStatement =>
  d1.prepare(text).bind(...values);

/** A complete row, with a value for each writable column of its table. */
export function completeRow<T extends SQLiteTable>(table: T, row: T['$inferInsert']): Required<T['$inferInsert']> {
  const columns = Object.entries(getTableColumns(table));
  return Object.fromEntries(
    columns.map(([key, column]) => [key, (row as Record<string, unknown>)[key] ?? column.default ?? null]),
  ) as Required<T['$inferInsert']>;
}

/** `SELECT value, value … WHERE condition` in the table's column order, for an INSERT that may insert nothing. */
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

/** Half of D1's limit for one bound value, in bytes. */
const MAX_BYTES = 1_000_000;

const encoder = new TextEncoder();

/**
 * Rows as JSON arrays for `json_each`, in order, of at most 1 MB each; a longer row gets its own array. Empty without
 * rows.
 */
export function jsonParts(rows: readonly unknown[]): string[] {
  const parts: string[][] = [];
  let remainingBytes = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const bytes = encoder.encode(json).length + 1;
    if (bytes > remainingBytes || parts.length === 0) {
      parts.push([]);
      remainingBytes = MAX_BYTES - 1;
    }
    parts.at(-1)?.push(json);
    remainingBytes -= bytes;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
