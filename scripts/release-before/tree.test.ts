import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkOut, commitBefore, removeTree } from './tree.ts';

/** A repository of two commits: the second one brings a migration and new code. */
function repository() {
  const home = mkdtempSync(path.join(tmpdir(), 'tillway-before-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = path.join(home, 'here');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@tillway.example', '-C', root, ...args], {
      encoding: 'utf8',
    }).trim();
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'c');
    return git('rev-parse', 'HEAD');
  };
  const schema = (number: number) => {
    write(`migrations/clinic/000${number}_a.sql`, `-- ${number}`);
    write('worker/clinic/migrations.ts', `export const at = ${number};`);
  };
  mkdirSync(root);
  git('init', '-q');
  write('worker/app.ts', 'old');
  schema(1);
  const before = commit();
  write('worker/app.ts', 'new');
  schema(2);
  commit();
  return { home, root, before, folder: path.join(home, 'tree') };
}

describe('the tree of the previous release', () => {
  it('has the previous code with the current schema', () => {
    const { root, before, folder } = repository();
    checkOut(before, folder, root);
    expect(readFileSync(path.join(folder, 'worker/app.ts'), 'utf8')).toBe('old');
    expect(readdirSync(path.join(folder, 'migrations/clinic'))).toEqual(['0001_a.sql', '0002_a.sql']);
    expect(readFileSync(path.join(folder, 'worker/clinic/migrations.ts'), 'utf8')).toContain('2');
    removeTree(folder, root);
    expect(readdirSync(path.dirname(folder))).toEqual(['here']);
  });

  it('is not created in a clone without that commit, and the error names the commit', () => {
    const { home, root, before, folder } = repository();
    const shallow = path.join(home, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, shallow]);
    expect(() => checkOut(before, folder, shallow)).toThrow(
      `This clone has no commit ${before}, the previous release in CHANGELOG.md.`,
    );
  });
});

describe('the changelog', () => {
  it('names the previous release by its full commit hash', () => {
    expect(commitBefore(readFileSync('CHANGELOG.md', 'utf8'))).toMatch(/^[0-9a-f]{40}$/);
    const name = 'a'.repeat(40);
    expect(commitBefore(`## Unreleased\n\nRelease before: \`${name}\`. More words.\n`)).toBe(name);
  });

  it('is rejected without a previous release or with a shortened hash', () => {
    expect(() => commitBefore('## Unreleased\n')).toThrow('has no line "Release before');
    expect(() => commitBefore('Release before: `abc1234`\n')).toThrow('has no line "Release before');
  });
});
