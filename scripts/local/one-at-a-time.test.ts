import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { oneAtATime } from './site-build.ts';

function newFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-one-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'deep', 'busy');
}

it('makes the second caller wait for the first, even when the first fails', async () => {
  const file = newFile();
  const events: string[] = [];
  const takeTurn = (name: string, fails = false) =>
    oneAtATime(file, async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  const results = await Promise.allSettled([takeTurn('one', true), takeTurn('two')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  expect(existsSync(file)).toBe(false);
});

it('does not wait for a dead process or a stale file', async () => {
  const file = newFile();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await oneAtATime(file, async () => undefined);
  writeFileSync(file, String(pid));
  expect(await oneAtATime(file, async () => 'done')).toBe('done');
  writeFileSync(file, String(process.ppid));
  utimesSync(file, 0, 0);
  expect(await oneAtATime(file, async () => 'done')).toBe('done');
});
