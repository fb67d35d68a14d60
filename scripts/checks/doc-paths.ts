import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Every path that a page at the top or under docs/ links to or quotes in backticks must exist. The changelog is exempt,
 * because it describes the past. A name counts as a path if it ends like a file or folder of this tree, or begins with
 * one of its folders.
 */
const FILE = /\.(ts|tsx|astro|css|js|mjs|json|md|toml|sql|png|grit|html|svg)$/;
const PATH = /^[\w@.*-]+(\/[\w@.*-]+)*\/?$/;

/** Paths that are generated at run time, as .gitignore lists them; a fresh checkout lacks them. */
const ignoredPaths = (root: string) =>
  readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/\/$/, ''))
    .filter((line) => line !== '');

function isPath(root: string, text: string): boolean {
  if (!PATH.test(text)) return false;
  const isFolder = text.endsWith('/');
  const [top = ''] = text.split('/');
  return isFolder || FILE.test(text) || (text.includes('/') && existsSync(path.join(root, top)));
}

function exists(root: string, text: string): boolean {
  const pattern = text.replace(/\/$/, '');
  const stats = pattern.includes('*') ? undefined : statSync(path.join(root, pattern), { throwIfNoEntry: false });
  // A fresh checkout lacks empty folders.
  if (stats) return stats.isFile() || readdirSync(path.join(root, pattern)).length > 0;
  // A file named without a folder may be anywhere.
  const globPattern =
    pattern.includes('/') || pattern.includes('*')
      ? pattern
      : `{docs,scripts,shared,site,worker,sandbox,tests}/**/${pattern}`;
  return globSync(globPattern, { cwd: root }).length > 0;
}

export type BrokenPath = { file: string; line: number; text: string };

export function brokenPaths(root: string): BrokenPath[] {
  const ignored = ignoredPaths(root);
  const isGenerated = (text: string) => ignored.some((name) => text === name || path.matchesGlob(text, `${name}/**`));
  const top = globSync('*.md', { cwd: root }).filter((name) => name !== 'CHANGELOG.md');
  return [...top.sort(), ...globSync('docs/**/*.md', { cwd: root }).sort()].flatMap((file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    return lines.flatMap((content, index) => {
      const missing = [...content.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) =>
        isPath(root, text) && !isGenerated(text) && !exists(root, text) ? [text] : [],
      );
      const brokenLinks = [...content.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, link = '']) =>
        /^[a-z]+:/.test(link) || existsSync(path.join(root, path.dirname(file), link)) ? [] : [link],
      );
      return [...missing, ...brokenLinks].map((text) => ({ file: file.replaceAll('\\', '/'), line: index + 1, text }));
    });
  });
}

if (import.meta.main) {
  for (const { file, line, text } of brokenPaths(process.cwd())) {
    console.log(`${file}:${line} refers to ${text}, which does not exist`);
    process.exitCode = 1;
  }
}
