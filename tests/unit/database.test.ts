import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { clearDatabase, emptyBucket, prepareDatabase, type TestDatabase } from './database.ts';

type Migrated = TestDatabase & { migrated: D1Database; migrations: D1Migration[] };

const databases: [clinic: Migrated, installation: Migrated] = [
  { name: 'DB', db: env.DB, migrated: env.MIGRATED_DB, ...env.TEST_SETS.DB },
  {
    name: 'INSTALLATION',
    db: env.INSTALLATION,
    migrated: env.MIGRATED_INSTALLATION,
    ...env.TEST_SETS.INSTALLATION,
  },
];

/** All contents of a database: its schema and the rows of every table, including those of the search indexes. */
async function contentOf(db: D1Database) {
  const { results } = await db
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE tbl_name NOT LIKE '\\_cf%' ESCAPE '\\' AND tbl_name NOT IN ('d1_migrations', 'sqlite_sequence')
       ORDER BY type, name`,
    )
    .all<{ type: string; name: string }>();
  const tables = results.filter(({ type }) => type === 'table').map(({ name }) => name);
  const rows = await db.batch(tables.map((table) => db.prepare(`SELECT * FROM ${table}`)));
  return { schema: results, rows: Object.fromEntries(tables.map((table, at) => [table, rows[at]?.results])) };
}

type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null };

/** A row in every table. All ids are the same, so that every reference finds its row. */
async function fill({ db, schema }: Pick<TestDatabase, 'db' | 'schema'>): Promise<void> {
  for (const table of schema.tables.filter((name) => name !== 'sqlite_sequence')) {
    const { results } = await db.prepare(`SELECT * FROM pragma_table_info('${table}')`).all<Column>();
    const made = schema.create.find((sql) => sql.startsWith(`CREATE TABLE ${table} `)) ?? '';
    // Of some tables a CHECK asks for one of several times, none of which has to be there.
    const needed = results.filter(
      ({ name, notnull, pk, dflt_value }) =>
        pk > 0 || (notnull === 1 && dflt_value === null) || made.includes(`coalesce(${name}, `),
    );
    const literalFor = ({ name, type }: Column) =>
      type === 'INTEGER' ? '1' : `'${new RegExp(`\\b${name} IN \\('([^']+)'`).exec(made)?.[1] ?? 'x'}'`;
    const [names, values] = [needed.map(({ name }) => name), needed.map(literalFor)];
    await db.prepare(`INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`).run();
  }
}

describe.each(databases)('the unit-test database $name', (database) => {
  const { db, migrated, migrations } = database;
  beforeEach(() => applyD1Migrations(migrated, migrations));

  it('equals the result of the migrations', async () => {
    expect(await contentOf(db)).toEqual(await contentOf(migrated));
  });

  it('is restored after a test that writes to any table', async () => {
    await fill(database);
    if (db === env.INSTALLATION) await db.prepare('UPDATE site_state SET revision = 7').run();
    const { rows } = await contentOf(db);
    expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([]);

    expect(await clearDatabase(database)).toBe(true);
    expect(await contentOf(db)).toEqual(await contentOf(migrated));
  });
});

describe('the unit-test databases', () => {
  const [clinic, installation] = databases;

  it.each([
    ['a trigger', installation, 'CREATE TRIGGER extra BEFORE UPDATE ON articles BEGIN SELECT RAISE(IGNORE); END'],
    ['a column', installation, 'ALTER TABLE articles ADD COLUMN extra TEXT'],
    ['the statistics that the planner goes by', clinic, 'ANALYZE accounts'],
  ])('are recreated after a test that leaves %s behind', async (_what, changed, sql) => {
    await env.DB.prepare(
      "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (1, '', '', '', 1)",
    ).run();
    await changed.db.prepare(sql).run();
    expect(await clearDatabase(changed)).toBe(false);
    await reset();
    for (const database of databases) {
      await prepareDatabase(database);
      await applyD1Migrations(database.migrated, database.migrations);
      expect(await contentOf(database.db)).toEqual(await contentOf(database.migrated));
    }
  });

  it('get back the migrations’ seed rows after a test deletes them', async () => {
    const { db, migrated, migrations, schema } = installation;
    await applyD1Migrations(migrated, migrations);
    expect(Object.keys(schema.seeds)).not.toEqual([]);
    for (const table of Object.keys(schema.seeds)) await db.prepare(`DELETE FROM ${table}`).run();
    expect(await clearDatabase(installation)).toBe(true);
    expect(await contentOf(db)).toEqual(await contentOf(migrated));
  });
});

it('empties a bucket after a test, even with more files than one page lists', async () => {
  for (let file = 0; file < 5; file += 1) await env.MEDIA.put(`file-${file}`, 'x');
  await emptyBucket(env.MEDIA, 2);
  expect((await env.MEDIA.list()).objects).toEqual([]);
});
