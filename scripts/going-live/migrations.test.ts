import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../local/processes.ts';
import { applyMigrations, makeAsk, migrationFiles, migrationText, pendingMigrations } from './remote-database.ts';

/** A database that applies a file completely or not at all, as D1's import does. */
function database() {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  const ask = async (sql: string) => db.prepare(sql).all();
  const execute = async (file: string) => {
    db.exec('BEGIN');
    try {
      db.exec(readFileSync(file, 'utf8'));
      db.exec('COMMIT');
    } catch (cause) {
      db.exec('ROLLBACK');
      throw cause;
    }
  };
  return { db, ask, execute };
}

function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(folder, name), sql);
  return folder;
}
const ONE = { '0101_a.sql': 'CREATE TABLE a (n);\n' };
const TWO = { ...ONE, '0102_b.sql': 'CREATE TABLE b (n);\nINSERT INTO b VALUES (1);\n' };

describe('the migration runner', () => {
  it('applies each file once and brings an empty database up to date', async () => {
    const { db, ask, execute } = database();
    expect(await applyMigrations(ask, execute, folderWith())).toEqual(migrationFiles());
    expect(await applyMigrations(ask, execute, folderWith())).toEqual([]);
    expect(db.prepare('SELECT count(*) AS n FROM d1_migrations').get()).toEqual({ n: migrationFiles().length });
  });

  it('rolls back a failed file completely and resumes with it on the next run', async () => {
    const { ask, execute } = database();
    const broken = folderWith({ ...ONE, '0102_b.sql': 'CREATE TABLE b (n);\nINSERT INTO nowhere VALUES (1);\n' });
    await expect(applyMigrations(ask, execute, folderWith(), { folder: broken })).rejects.toThrow('nowhere');
    expect(await ask("SELECT name FROM sqlite_schema WHERE name = 'b'")).toEqual([]);
    expect(await applyMigrations(ask, execute, folderWith(), { folder: folderWith(TWO) })).toEqual(['0102_b.sql']);
  });

  it('does not apply a file that a concurrent deploy applied, or one that follows an unknown file', async () => {
    const { ask, execute } = database();
    await applyMigrations(ask, execute, folderWith(), { folder: folderWith(ONE) });
    const late = folderWith({
      same: migrationText('0101_a.sql', 'CREATE TABLE c (n);\n', 1),
      other: migrationText('0102_b.sql', 'CREATE TABLE c (n);\n', 0),
    });
    await expect(execute(path.join(late, 'same'))).rejects.toThrow('UNIQUE');
    await expect(execute(path.join(late, 'other'))).rejects.toThrow('NOT NULL');
    expect(await ask("SELECT name FROM sqlite_schema WHERE name = 'c'")).toEqual([]);
  });

  it('rejects a file numbered below one the database already has', async () => {
    const { ask, execute } = database();
    await applyMigrations(ask, execute, folderWith(), { folder: folderWith({ '0102_b.sql': TWO['0102_b.sql'] }) });
    await expect(pendingMigrations(ask, Object.keys(TWO))).rejects.toThrow('newer migrations but not 0101_a.sql');
  });

  it('rejects a database from before the first release', async () => {
    const { ask, execute } = database();
    await applyMigrations(ask, execute, folderWith(), { folder: folderWith(ONE) });
    await ask("UPDATE d1_migrations SET name = '0023_same_file.sql'");
    await expect(pendingMigrations(ask, ['0100_access.sql'])).rejects.toThrow('from before the first release');
  });

  it('applies all files at once through wrangler and leaves nothing of a failed file', async () => {
    const work = folderWith();
    const options = ['--local', '--persist-to', path.join(work, 'state'), '-c', 'wrangler.toml'];
    const execute = (file: string) =>
      run('wrangler', ['d1', 'execute', 'INSTALLATION', '--file', file, '--yes', ...options]);
    const ask = makeAsk(options);
    expect(await applyMigrations(ask, execute, work, { together: true })).toEqual(migrationFiles());
    expect((await pendingMigrations(ask)).pending).toEqual([]);
    const late = path.join(work, 'late.sql');
    writeFileSync(late, migrationText('9999_late.sql', 'CREATE TABLE late (n);\n', 0));
    await expect(execute(late)).rejects.toThrow('NOT NULL');
    expect(await ask("SELECT name FROM sqlite_schema WHERE name = 'late'")).toEqual([]);
    // Wrangler starts seven times.
  }, 240_000);
});
