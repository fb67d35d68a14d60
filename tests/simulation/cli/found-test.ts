import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../run.ts';

const FOLDER = fileURLToPath(new URL('../found/', import.meta.url));

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Writes a failing run as a test that replays it. Returns the file's path. */
export async function writeFoundTest({ seed, theme, violations, decisions }: Outcome): Promise<string> {
  const rule = (violations[0] ?? 'holds').split(':')[0]?.toLowerCase();
  const file = `${FOLDER}${rule}-seed-${seed}.test.ts`;
  const rows = decisions.map(({ key, value }) => `    { key: ${quote(key)}, value: ${JSON.stringify(value)} },`);
  const source = [
    "import { holds } from '../replay.ts';",
    '',
    `holds(${quote(violations[0] ?? '')}, {`,
    `  seed: ${seed},`,
    ...(theme === null ? [] : [`  theme: ${quote(theme)},`]),
    '  decisions: [',
    ...rows,
    '  ],',
    '});',
    '',
  ];
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, source.join('\n'));
  return file;
}
