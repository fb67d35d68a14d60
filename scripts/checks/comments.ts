import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A comment must not begin with a question word, which hides its subject: "The status of …" instead of "What became of
 * …". Biome's plugins cannot see comments.
 */
const OPENING = /(?:^|[\s{])(?:\/\*\*?|\/\/)\s+(?:What|Who|Whoever|Nobody|Whether)\b/;
const FIRST_LINE_OF_BLOCK = /^\s*\*\s+(?:What|Who|Whoever|Nobody|Whether)\b/;

const isOdd = (line: string, previousLine: string): boolean =>
  OPENING.test(line)
    ? !/^\s*\/\/.*[^.:;]$/.test(previousLine)
    : FIRST_LINE_OF_BLOCK.test(line) && /^\s*\/\*\*?$/.test(previousLine);

/** Finds such comments: file, line number and text, such as `worker/app.ts:3 …`. */
export function oddComments(root: string): string[] {
  const files = globSync('{worker,site,shared,sandbox,scripts,tests}/**/*.{ts,tsx,astro,css}', { cwd: root });
  return files.sort().flatMap((file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, at) => (isOdd(line, lines[at - 1] ?? '') ? [`${file}:${at + 1} ${line.trim()}`] : []));
  });
}

if (import.meta.main) {
  const comments = oddComments(process.cwd());
  for (const line of comments) console.error(line);
  process.exitCode = comments.length > 0 ? 1 : 0;
}
