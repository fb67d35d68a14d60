import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { reportedTables } from '../retention/person.ts';
import { clinicTables, installationTables } from './tables.ts';

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });
const tables = [...new Set(Object.values(modules).flatMap((module) => Object.values(module)))].filter((one) =>
  is(one, SQLiteTable),
);

const REPORTED = new Set(reportedTables);
/** Tables in which a person cannot be found by an email address, with the reason. */
const NOT_REPORTED: Record<string, string> = {};

const databases = [
  ['clinic', env.DB, clinicTables],
  ['installation', env.INSTALLATION, installationTables],
] as const;

type Column = { name: string; type: string; notnull: number; pk: number };

describe('the migrations and the drizzle schema', () => {
  it.each(tables.map((table) => [getTableName(table), table] as const))('agree on %s', async (name, table) => {
    const readColumns = (db: D1Database) =>
      db.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)`).bind(name).all<Column>();
    const [inClinic, installation] = [
      (await readColumns(env.DB)).results,
      (await readColumns(env.INSTALLATION)).results,
    ];
    // A table that both databases have must be identical in both.
    if (inClinic.length > 0 && installation.length > 0) expect(inClinic).toEqual(installation);
    const sqlColumns = (inClinic.length > 0 ? inClinic : installation).map(({ name, type, notnull, pk }) => ({
      name,
      type: type.toLowerCase(),
      isRequired: notnull === 1 || (pk > 0 && true),
    }));
    const drizzleColumns = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull || column.primary,
    }));
    expect(sqlColumns).toEqual(drizzleColumns);
  });

  it.each(databases)('name each table of the %s’s database once', async (_title, db, declared) => {
    const { results } = await db
      .prepare(
        `SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual') AND schema = 'main'
AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'`,
      )
      .all<{ name: string }>();
    // The Durable Object creates this table itself.
    const created = db === env.DB ? ['clinic'] : [];
    expect(declared.map(({ name }) => name).sort()).toEqual([...results.map(({ name }) => name), ...created].sort());
  });

  it.each(databases)('agree on the key of each table of the %s’s database', async (_title, db, declared) => {
    const { results } = await db
      .prepare(
        `SELECT t.name, (SELECT json_group_array(c.name ORDER BY c.pk) FROM pragma_table_info(t.name) c WHERE c.pk > 0) AS key
FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 1`,
      )
      .all<{ name: string; key: string }>();
    const stored = new Map(results.map(({ name, key }) => [name, JSON.parse(key) as string[]]));
    for (const { name, key } of declared) expect(key, name).toEqual(stored.get(name) ?? ['rowid']);
  });

  // A copy omits later rows by their row ids, so a row without one must not refer to a later row.
  it.each(databases)(
    'let copied rows of the %s without row ids refer to accounts only',
    async (_title, db, declared) => {
      for (const { name, key, copies, columns } of declared) {
        if (key[0] === 'rowid' || (typeof copies === 'object' && 'none' in copies)) continue;
        const { results } = await db
          .prepare('SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?)')
          .bind(name)
          .all<{ parent: string }>();
        expect(
          results.filter(({ parent }) => parent !== 'accounts'),
          name,
        ).toEqual([]);
        // A new person gets the next free number, so a restore could assign these rows to another person.
        expect(
          Object.keys(columns).filter((column) => /^user_id$|_by$/.test(column)),
          name,
        ).toEqual([]);
      }
    },
  );

  it('include every table with personal data in the report on a person', () => {
    const personal = [...clinicTables, ...installationTables].filter(({ columns }) =>
      Object.values(columns).some((rule) => rule.personal),
    );
    expect(personal.map(({ name }) => name).filter((name) => !REPORTED.has(name) && !(name in NOT_REPORTED))).toEqual(
      [],
    );
  });

  it('list every table that the migrations create', async () => {
    const readTableNames = (db: D1Database) =>
      db
        .prepare(
          `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%\\_search%' ESCAPE '\\' AND name <> 'd1_migrations'`,
        )
        .all<{ name: string }>();
    const results = (await Promise.all([env.DB, env.INSTALLATION].map(readTableNames))).flatMap((one) => one.results);
    expect([...new Set(results.map(({ name }) => name))].sort()).toEqual(tables.map(getTableName).sort());
  });
});
