import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { publicRowConditions } from '#site/content/published.ts';
import { FIRST_MIGRATION } from '#worker/clinic/migration';
import { entryOf, QUIET } from '../local/processes.ts';

/** Runs one query on the production database and returns its rows. */
export type Ask = (sql: string) => Promise<unknown>;

/** The content of the site; see site/content/read-site.ts. Drafts and files that no page shows are not copied. */
const TABLES = {
  site_state: ['revision'],
  media: ['id', 'key', 'alt', 'width', 'height', 'variants'],
  articles: [
    ...['id', 'kind', 'slug', 'title', 'status', 'picture_id', 'version', 'created_at', 'updated_at', 'published_at'],
    ...['content', 'excerpt'],
  ],
} as const;
type Table = keyof typeof TABLES;

export const createTables = Object.entries(TABLES)
  .map(([table, columns]) => `CREATE TABLE ${table} (${columns.join(', ')});`)
  .join(' ');

const Rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));
const Sizes = z.array(z.object({ id: z.string().check(z.regex(/^[\w-]+$/)), size: z.number() }));

/** Limits of one answer. */
const CHUNK = { bytes: 1_000_000, rows: 500 };
const IDS = 5000;

/**
 * Copies the published content into a database file for the build. It reads in parts: an export would lock the database
 * for all users, including payers, and would write long texts as statements that no database accepts.
 */
export async function pullContent(ask: Ask, file: string): Promise<void> {
  const db = new DatabaseSync(file);
  const copy = async (table: Table, condition: string) => {
    const columns = TABLES[table];
    const rows = Rows.parse(await ask(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${condition}`));
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  };
  try {
    db.exec('BEGIN');
    // Read the revision first: content published during the copy belongs to the next revision and gets its own build.
    await copy('site_state', '1');
    for (const table of ['media', 'articles'] as const) {
      for (const { first, last } of await parts(ask, table)) {
        await copy(table, `${publicRowConditions[table]} AND id BETWEEN '${first}' AND '${last}'`);
      }
    }
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** The first and last id of each part. */
async function parts(ask: Ask, table: 'media' | 'articles'): Promise<{ first: string; last: string }[]> {
  const size = table === 'articles' ? 'length(CAST(content AS BLOB))' : 'length(variants)';
  const ranges: { first: string; last: string; bytes: number; rows: number }[] = [];
  for (let after = ''; ; ) {
    const sizes = Sizes.parse(
      await ask(
        `SELECT id, ${size} AS size FROM ${table} WHERE ${publicRowConditions[table]} AND id > '${after}' ORDER BY id LIMIT ${IDS}`,
      ),
    );
    for (const { id, size: bytes } of sizes) {
      const part = ranges.at(-1);
      if (part && part.rows < CHUNK.rows && part.bytes + bytes <= CHUNK.bytes) {
        Object.assign(part, { last: id, bytes: part.bytes + bytes, rows: part.rows + 1 });
      } else ranges.push({ first: id, last: id, bytes, rows: 1 });
    }
    if (sizes.length < IDS) return ranges;
    after = sizes.at(-1)?.id ?? '';
  }
}

const Answers = z.array(z.object({ results: z.unknown() }));
const MAX_BYTES = 100_000_000;

/** Queries through wrangler; `database` holds the arguments that select the database. */
export function makeAsk(database: string[]): Ask {
  const env = { ...process.env, ...QUIET };
  return async (sql) => {
    const args = [...entryOf('wrangler'), 'd1', 'execute', 'INSTALLATION', '--json', '--command', sql, ...database];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: MAX_BYTES }).catch(
      ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => {
        throw new Error(`the database was not read: ${`${stderr}${stdout}`.trim().slice(-600)}`);
      },
    );
    return Answers.parse(JSON.parse(stdout.slice(stdout.indexOf('['))))[0]?.results;
  };
}

/** Migrations of the installation's database; a clinic's database applies its own. */
export const MIGRATIONS = 'migrations/installation';

/** As wrangler's own command creates it, so that `npm start` and this runner use the same table. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);\n`;
const Names = z.array(z.object({ name: z.string() }));

export const migrationFiles = (folder: string = MIGRATIONS): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** Files not yet applied. Throws if the database is too old, or lacks a migration before one that it has. */
export async function pendingMigrations(
  ask: Ask,
  files = migrationFiles(),
): Promise<{ applied: number; pending: string[] }> {
  const applied = await appliedNames(ask);
  if (applied.some((name) => Number(name.slice(0, 4)) < FIRST_MIGRATION))
    throw new Error('the database is from before the first release and cannot be brought up to date; create a new one');
  const pending = files.filter((file) => !applied.includes(file));
  const late = pending.find((file) => applied.some((name) => name > file));
  if (late) throw new Error(`the database has newer migrations but not ${late}; apply that by hand or renumber it`);
  return { applied: applied.length, pending };
}

async function appliedNames(ask: Ask): Promise<string[]> {
  const tables = await ask("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'");
  if (Names.parse(tables).length === 0) return [];
  return Names.parse(await ask('SELECT name FROM d1_migrations ORDER BY id')).map(({ name }) => name);
}

/**
 * One migration as one text, which D1's import applies completely or not at all. The first statement records the
 * migration. It fails if the table already has the name or a different row count than this runner saw, so two deploys
 * cannot both apply a migration.
 */
export const migrationText = (name: string, sql: string, applied: number): string =>
  `${TABLE}INSERT INTO d1_migrations (name, applied_at) VALUES ('${name}', (SELECT CURRENT_TIMESTAMP WHERE (SELECT count(*) FROM d1_migrations) = ${applied}));\n${sql}`;

/**
 * Applies pending migrations, one file at a time; `execute` runs one file of statements. `together`: all in one file,
 * which saves starts of the tool in a dry run.
 */
export async function applyMigrations(
  ask: Ask,
  execute: (file: string) => Promise<void>,
  work: string,
  { folder = MIGRATIONS, together = false } = {},
): Promise<string[]> {
  const { applied, pending } = await pendingMigrations(ask, migrationFiles(folder));
  const texts = pending.map((name, at) =>
    migrationText(name, readFileSync(path.join(folder, name), 'utf8'), applied + at),
  );
  const [last = ''] = pending.slice(-1);
  const files: [string, string][] = together
    ? [[last, texts.join('\n')]]
    : pending.map((name, at) => [name, texts[at] ?? '']);
  for (const [name, text] of pending.length === 0 ? [] : files) {
    const file = path.join(work, name);
    writeFileSync(file, text);
    await execute(file);
  }
  return pending;
}
