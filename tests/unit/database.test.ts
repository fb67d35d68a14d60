import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase, type TestDatabase } from './database.ts';

type DatabasePair = TestDatabase & { migratedDb: D1Database; migrations: D1Migration[] };

const databases: [clinic: DatabasePair, installation: DatabasePair] = [
  { name: 'DB', db: env.DB, migratedDb: env.MIGRATED_DB, ...env.TEST_SETS.DB },
  {
    name: 'INSTALLATION',
    db: env.INSTALLATION,
    migratedDb: env.MIGRATED_INSTALLATION,
    ...env.TEST_SETS.INSTALLATION,
  },
];

/** Reads the schema and the rows of every table, including those of the search indexes. */
async function readContents(db: D1Database) {
  const { results } = await db
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE tbl_name NOT LIKE '\\_cf%' ESCAPE '\\' AND tbl_name NOT IN ('d1_migrations', 'sqlite_sequence')
       ORDER BY type, name`,
    )
    .all<{ type: string; name: string }>();
  const tables = results.filter(({ type }) => type === 'table').map(({ name }) => name);
  const rows = await db.batch(tables.map((table) => db.prepare(`SELECT * FROM ${table}`)));
  return { schema: results, rows: Object.fromEntries(tables.map((table, index) => [table, rows[index]?.results])) };
}

type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null };

/** Inserts a row into every table. All ids are equal, so every reference finds its row. */
async function fillTables({ db, schema }: Pick<TestDatabase, 'db' | 'schema'>): Promise<void> {
  for (const table of schema.tables.filter((name) => name !== 'sqlite_sequence')) {
    const { results } = await db.prepare(`SELECT * FROM pragma_table_info('${table}')`).all<Column>();
    const createStatement = schema.create.find((sql) => sql.startsWith(`CREATE TABLE ${table} `)) ?? '';
    // Some tables have a CHECK that requires one of several nullable time columns.
    const requiredColumns = results.filter(
      ({ name, notnull, pk, dflt_value }) =>
        pk > 0 || (notnull === 1 && dflt_value === null) || createStatement.includes(`coalesce(${name}, `),
    );
    const literalFor = ({ name, type }: Column) =>
      type === 'INTEGER' ? '1' : `'${new RegExp(`\\b${name} IN \\('([^']+)'`).exec(createStatement)?.[1] ?? 'x'}'`;
    const [names, values] = [requiredColumns.map(({ name }) => name), requiredColumns.map(literalFor)];
    await db.prepare(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`).run();
  }
}

describe.each(databases)('the unit-test database $name', (database) => {
  const { db, migratedDb, migrations } = database;
  beforeEach(() => applyD1Migrations(migratedDb, migrations));

  it('equals the result of the migrations', async () => {
    expect(await readContents(db)).toEqual(await readContents(migratedDb));
  });

  it('is restored after a test that writes to any table', async () => {
    await fillTables(database);
    if (db === env.INSTALLATION) await db.prepare('UPDATE site_state SET revision = 7').run();
    const { rows } = await readContents(db);
    expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([]);

    expect(await clearDatabase(database)).toBe(true);
    expect(await readContents(db)).toEqual(await readContents(migratedDb));
  });
});

describe('the unit-test databases', () => {
  const [clinic, installation] = databases;

  it.each([
    ['a trigger', installation, 'CREATE TRIGGER extra BEFORE UPDATE ON articles BEGIN SELECT RAISE(IGNORE); END'],
    ['a column', installation, 'ALTER TABLE articles ADD COLUMN extra TEXT'],
    ['planner statistics', clinic, 'ANALYZE accounts'],
  ])('are recreated after a test that leaves %s behind', async (_change, database, sql) => {
    await env.DB.prepare(
      "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (1, '', '', '', 1)",
    ).run();
    await database.db.prepare(sql).run();
    expect(await clearDatabase(database)).toBe(false);
    await reset();
    for (const pair of databases) {
      await prepareDatabase(pair);
      await applyD1Migrations(pair.migratedDb, pair.migrations);
      expect(await readContents(pair.db)).toEqual(await readContents(pair.migratedDb));
    }
  });

  it('regain the seed rows of the migrations after a test deletes them', async () => {
    const { db, migratedDb, migrations, schema } = installation;
    await applyD1Migrations(migratedDb, migrations);
    expect(Object.keys(schema.seeds)).not.toEqual([]);
    for (const table of Object.keys(schema.seeds)) await db.prepare(`DELETE FROM ${table}`).run();
    expect(await clearDatabase(installation)).toBe(true);
    expect(await readContents(db)).toEqual(await readContents(migratedDb));
  });
});

it('empties a bucket after a test, even with more files than one page lists', async () => {
  for (let file = 0; file < 5; file += 1) await env.MEDIA.put(`file-${file}`, 'x');
  await emptyBucket(env.MEDIA, 2);
  expect((await env.MEDIA.list()).objects).toEqual([]);
});
