import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { squashMigrations } from '../unit/squash-migrations.ts';

const files = globSync('migrations/*.sql').sort();
const { tables, indexes } = squashMigrations(files.map((file) => ({ queries: [readFileSync(file, 'utf8')] })));

/** The rows of docs/storage.md by the tables that they name. */
const described = new Map(
  [...readFileSync('docs/storage.md', 'utf8').matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|(.*)\|$/gm)].flatMap(
    ([, names = '', cells = '']) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => [name, cells.split(' | ')] as const),
  ),
);

test.each([...tables, ...indexes].filter((name) => name !== 'sqlite_sequence'))(
  'docs/storage.md says of the table %s what a row is, how long it lives and who writes it',
  (name) => {
    const cells = described.get(name);
    expect(cells, `docs/storage.md has no row for ${name}`).toHaveLength(4);
    const [row, , lifetime, writer] = cells ?? [];
    for (const cell of [row, lifetime, writer]) expect(cell?.trim()).not.toBe('');
  },
);

test('docs/settings.md has every setting of worker/env.ts, and the example those without a default', () => {
  const [, object = ''] =
    /const Settings = z\.object\(\{(.*?)^\}\);/ms.exec(readFileSync('worker/env.ts', 'utf8')) ?? [];
  const settings = [...object.matchAll(/^ {2}([A-Z][A-Z0-9_]+): (.*)$/gm)];
  const rows = readFileSync('docs/settings.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const documented = new Map(
    rows.flatMap((row) => {
      const [names = '', , fallback = ''] = row.split(' | ');
      return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(
        ([, name = '']) => [name, fallback.replace(/ \|$/, '')] as const,
      );
    }),
  );
  expect([...documented.keys()].sort()).toEqual(settings.map(([, name = '']) => name).sort());

  const example = JSON.parse(readFileSync('docs/production.example.json', 'utf8')) as Record<string, string>;
  const needed = [...documented].filter(([, fallback]) => fallback === 'none').map(([name]) => name);
  expect(Object.keys(example)).toEqual(expect.arrayContaining(needed));
});
