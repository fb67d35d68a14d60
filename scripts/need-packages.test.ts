import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** A copy as it is after `git clone`: the scripts, and nothing installed. */
function freshCopy(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-fresh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'scripts']) cpSync(name, path.join(folder, name), { recursive: true });
  return folder;
}

/** The project's own Node and its commands are out of reach, as they are for a newcomer. */
const machinePath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter);

function npm(cwd: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: machinePath(), NODE_OPTIONS: '' };
    const child = execFile('npm', args, { cwd, env }, (_cause, out, error) =>
      resolve({ code: child.exitCode ?? 1, output: out + error }),
    );
  });
}

test.each(['start', 'test', 'run dev', 'run check', 'run test:all'])(
  'npm %s fails with one line that names the missing step when packages are not installed',
  async (command) => {
    const { code, output } = await npm(freshCopy(), command.split(' '));
    const lines = output.split('\n').filter((line) => line !== '' && !/^(?:>|npm (?:warn|notice))/.test(line));
    expect(lines).toEqual(['tillway: the packages are not installed: run npm ci first']);
    expect(code).not.toBe(0);
  },
);

test('the check passes once packages are installed, and runs before every script that needs them', async () => {
  const folder = freshCopy();
  mkdirSync(path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), '{}');
  const check = scripts.prestart ?? '';
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, check.split(' ').slice(1), { cwd: folder }, (cause) =>
      cause ? reject(cause) : resolve(),
    );
  });
  for (const name of ['start', 'dev', 'check', 'test', 'test:all']) expect(scripts[`pre${name}`]).toBe(check);
});
