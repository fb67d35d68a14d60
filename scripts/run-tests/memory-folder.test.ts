import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeMemoryFolder } from './memory-folder.ts';

const root = mkdtempSync(path.join(tmpdir(), 'tillway-memory-'));
afterAll(() => rmSync(root, { recursive: true }));

it('creates a folder for this run and removes only those of ended runs', () => {
  const ended = path.join(root, `tillway-run-${spawnSync(process.execPath, ['-e', '']).pid}`);
  const running = path.join(root, `tillway-run-${process.ppid}`);
  for (const folder of [ended, running, path.join(root, 'tillway-run-notes')]) mkdirSync(folder);
  const created = makeMemoryFolder(root, 0);
  expect(created).toBe(path.join(root, `tillway-run-${process.pid}`));
  expect(existsSync(ended)).toBe(false);
  expect(readdirSync(root).sort()).toEqual(
    [`tillway-run-${process.pid}`, path.basename(running), 'tillway-run-notes'].sort(),
  );
});

it('creates no folder without enough memory or without a memory file system', () => {
  expect(makeMemoryFolder(root, Number.POSITIVE_INFINITY)).toBeUndefined();
  expect(makeMemoryFolder(path.join(root, 'absent'), 0)).toBeUndefined();
});
