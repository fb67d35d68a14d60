import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A small tree in a temporary folder, under this repository's own rules. Removed when the test ends. */
export function plantTree(files: Record<string, string>, rules: string[] = []): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tillway-check-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const rule of rules) cpSync(path.join(ROOT, rule), path.join(folder, rule), { recursive: true });
  for (const name of ['worker', 'site', 'sandbox', 'shared', 'scripts', 'tests', 'docs'])
    mkdirSync(path.join(folder, name));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}
