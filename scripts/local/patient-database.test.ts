import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '#sandbox/store';
import { patientDatabase } from './database.ts';
import { copyContent } from './site-build.ts';

const FOLDER = 'v3/d1/miniflare-D1DatabaseObject';
const HOLD_MS = 400;

/** A new database in the journal mode of the local ones, with one row. */
function newDatabase(name: string): string {
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-patient-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const file = path.join(state, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE site_state AS SELECT 1 AS revision;
    CREATE TABLE articles (id TEXT, status TEXT); CREATE TABLE media (width INTEGER)`);
  db.close();
  return file;
}

/** Locks the database from another process for a moment, as a process does that recovers it. */
async function lockFromProcess(file: string): Promise<{ isHeld(): boolean }> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE held (x); COMMIT');
    console.log('held');
    setTimeout(() => db.close(), ${HOLD_MS});`;
  const holder: ChildProcess = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (holder.stdout) await once(holder.stdout, 'data');
  onTestFinished(() => void holder.kill('SIGKILL'));
  const probe = () => {
    const db = new DatabaseSync(file);
    try {
      db.exec('SELECT * FROM site_state');
      return false;
    } catch {
      return true;
    } finally {
      db.close();
    }
  };
  expect(probe()).toBe(true);
  return { isHeld: probe };
}

/** Like the Workers runtime: a statement on a locked database fails at once with this text. */
function makeImpatientDatabase(file: string, errorText = 'D1_ERROR: database is locked'): D1Database {
  const run = (text: string) => {
    const db = new DatabaseSync(file);
    try {
      return { success: true, results: db.prepare(text).all(), meta: {} };
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(message === 'database is locked' ? errorText : `D1_ERROR: ${message}`);
    } finally {
      db.close();
    }
  };
  const statement = (text: string) => {
    const all = async () => run(text);
    const prepared = { text, bind: () => prepared, all, run: all, first: async () => run(text).results[0], raw: all };
    return prepared;
  };
  const batch = async (list: { text: string }[]) => list.map(({ text }) => run(text));
  return { prepare: statement, batch } as unknown as D1Database;
}

const QUERY = 'SELECT revision FROM site_state';

it.each(['D1_ERROR: database is locked: SQLITE_BUSY', 'internal error; reference = 0q7imfcjkd3chi638es7mrof'])(
  'a statement and a batch wait while another process locks the database, and report it once: %s',
  async (errorText) => {
    const file = newDatabase('d1.sqlite');
    const messages: string[] = [];
    const db = patientDatabase(makeImpatientDatabase(file, errorText), (message) => messages.push(message));
    const { isHeld } = await lockFromProcess(file);
    const [row, [list]] = await Promise.all([
      db.prepare(QUERY).bind().first(),
      db.batch([db.prepare(QUERY), db.prepare(QUERY).bind()]),
    ]);
    expect(isHeld()).toBe(false);
    expect(row).toEqual({ revision: 1 });
    expect(list?.results).toEqual([{ revision: 1 }]);
    expect(messages).toEqual(['waiting for the database: another process uses it']);
  },
);

it('any other error is thrown at once, and so is a lock that outlasts the wait', async () => {
  const file = newDatabase('d1.sqlite');
  const db = patientDatabase(makeImpatientDatabase(file), () => undefined, 0);
  await expect(db.prepare('SELECT * FROM nowhere').all()).rejects.toThrow(/no such table/);
  await lockFromProcess(file);
  await expect(db.prepare(QUERY).all()).rejects.toThrow(/database is locked/);
});

it('the sandbox waits for its own database', async () => {
  const file = newDatabase('sandbox.sqlite');
  const { isHeld } = await lockFromProcess(file);
  const store = openStore(file);
  expect(isHeld()).toBe(false);
  store.close();
});

it('the content copy for a build waits for the database too', async () => {
  const file = newDatabase(path.join(FOLDER, 'd1.sqlite'));
  const { isHeld } = await lockFromProcess(file);
  copyContent(file.slice(0, file.indexOf(FOLDER)));
  expect(isHeld()).toBe(false);
});
