import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';

const rooms = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
const tables = [...new Set(Object.values(rooms).flatMap((room) => Object.values(room)))].filter((one) =>
  is(one, SQLiteTable),
);

type Column = { name: string; type: string; notnull: number; pk: number };

describe('the migrations and drizzle’s view of them', () => {
  it.each(tables.map((table) => [getTableName(table), table] as const))('agree on %s', async (name, table) => {
    const { results } = await env.DB.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)`)
      .bind(name)
      .all<Column>();
    const inSql = results.map(({ name, type, notnull, pk }) => ({
      name,
      type: type.toLowerCase(),
      isRequired: notnull === 1 || (pk > 0 && true),
    }));
    const inDrizzle = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull || column.primary,
    }));
    expect(inSql).toEqual(inDrizzle);
  });

  it('list every table that the migrations make', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%\\_search%' ESCAPE '\\' AND name <> 'd1_migrations'`,
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name).sort()).toEqual(tables.map(getTableName).sort());
  });
});
