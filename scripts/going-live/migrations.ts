import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { FIRST_MIGRATION } from '#worker/clinic/migration';
import type { Ask } from './pull-content.ts';

/** Migrations of the installation's database; a clinic's database applies its own. */
export const MIGRATIONS = 'migrations/installation';

/** As wrangler's own command makes it, so that `npm start` and this runner read the same table. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);\n`;
const Names = z.array(z.object({ name: z.string() }));

export const migrationFiles = (folder: string = MIGRATIONS): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** Files that the database does not have yet. Throws where it has one that lies before a file that it lacks, or is too old. */
export async function pendingMigrations(
  ask: Ask,
  files = migrationFiles(),
): Promise<{ applied: number; pending: string[] }> {
  const applied = await appliedNames(ask);
  if (applied.some((name) => Number(name.slice(0, 4)) < FIRST_MIGRATION))
    throw new Error('the database is from before the first release and cannot be brought up to date; make a new one');
  const pending = files.filter((file) => !applied.includes(file));
  const late = pending.find((file) => applied.some((name) => name > file));
  if (late) throw new Error(`the database has newer migrations but not ${late}; apply that by hand or renumber it`);
  return { applied: applied.length, pending };
}

async function appliedNames(ask: Ask): Promise<string[]> {
  const there = await ask("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'");
  if (Names.parse(there).length === 0) return [];
  return Names.parse(await ask('SELECT name FROM d1_migrations ORDER BY id')).map(({ name }) => name);
}

/**
 * One migration as one text: D1's import takes it whole or not at all. Its first statement notes the migration, and fails
 * where the table holds another number of rows than this runner saw or has the name, so two deploys cannot both apply one.
 */
export const asOneText = (name: string, sql: string, applied: number): string =>
  `${TABLE}INSERT INTO d1_migrations (name, applied_at) VALUES ('${name}', (SELECT CURRENT_TIMESTAMP WHERE (SELECT count(*) FROM d1_migrations) = ${applied}));\n${sql}`;

/**
 * Applies what is pending, a file at a time; `execute` carries out one file of statements. `together`: all in one file, for a
 * rehearsal, in which each start of the tool only costs time.
 */
export async function applyMigrations(
  ask: Ask,
  execute: (file: string) => Promise<void>,
  work: string,
  { folder = MIGRATIONS, together = false } = {},
): Promise<string[]> {
  const { applied, pending } = await pendingMigrations(ask, migrationFiles(folder));
  const texts = pending.map((name, at) => asOneText(name, readFileSync(path.join(folder, name), 'utf8'), applied + at));
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
