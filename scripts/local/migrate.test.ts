import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from './database.ts';
import { run } from './processes.ts';

vi.mock('./processes.ts', async (original) => {
  const real = await original<typeof import('./processes.ts')>();
  return { ...real, run: vi.fn(real.run) };
});

it('retries a half-finished migration even though the tool reported success', async () => {
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-half-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  vi.mocked(run).mockResolvedValueOnce().mockResolvedValueOnce();
  const messages: string[] = [];
  const start = () => migrate(state, (message) => messages.push(message));
  for (let n = 0; n < 2; n++) await expect(start()).rejects.toThrow('not all tables were created; start again');
  expect(messages).toEqual(['preparing the database', 'preparing the database']);
});

it.each([
  ['of an unknown version', undefined],
  ['whose migrations have changed since', { 'migrations/clinic/0100_accounts.sql': 'other' }],
  ['with a migration that is gone', { 'migrations/clinic/0023_same_file.sql': 'any' }],
])('removes a state %s, keeps its secrets and reports it once', async (_case, hashes) => {
  const state = mkdtempSync(path.join(tmpdir(), 'tillway-older-'));
  onTestFinished(() => rmSync(state, { recursive: true }));
  if (hashes) writeFileSync(path.join(state, 'migrations.json'), JSON.stringify(hashes));
  const folder = path.join(state, 'v3/d1/miniflare-D1DatabaseObject');
  mkdirSync(folder, { recursive: true });
  const older = new DatabaseSync(path.join(folder, '0a.sqlite'));
  older.exec("CREATE TABLE d1_migrations (name TEXT); INSERT INTO d1_migrations VALUES ('0023_same_file.sql')");
  older.close();
  for (const name of ['sandbox.sqlite', 'secrets.json']) writeFileSync(path.join(state, name), 'x');

  const messages: string[] = [];
  await migrate(state, (message) => messages.push(message));
  expect(messages).toEqual([
    'starting over: an earlier version created the tables in this state',
    'preparing the database',
  ]);
  const exist = ['0a.sqlite', 'sandbox.sqlite', 'secrets.json'].map((name) =>
    existsSync(path.join(name === '0a.sqlite' ? folder : state, name)),
  );
  expect(exist).toEqual([false, false, true]);
  await migrate(state, (message) => messages.push(message));
  expect(messages).toHaveLength(2);
});
