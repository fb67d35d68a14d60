import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { squashMigrations } from '#tests/support/unit/squash-migrations';
import type { Kept } from '#worker/data/retention/kept';
import { tables as periods, prefixes } from '#worker/data/retention/periods';
import { lifetimeOf } from './lifetime.ts';

const setOf = (name: 'clinic' | 'installation') =>
  squashMigrations(
    globSync(`migrations/${name}/*.sql`)
      .sort()
      .map((file) => ({ queries: [readFileSync(file, 'utf8')] })),
  );
const namesIn = (name: 'clinic' | 'installation') => {
  const { tables, indexes } = setOf(name);
  return [...tables, ...indexes].filter((table) => table !== 'sqlite_sequence');
};
const [clinic, installation] = [namesIn('clinic'), namesIn('installation')];
const names = [...new Set([...clinic, ...installation])];

/** The rows of docs/storage.md by the tables that they name. */
const described = new Map(
  [...readFileSync('docs/storage.md', 'utf8').matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) \|(.*)\|$/gm)].flatMap(
    ([, names = '', cells = '']) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => [name, cells.split(' | ')] as const),
  ),
);

test.each(names)('docs/storage.md says of the table %s what a row is, how long it lives and who writes it', (name) => {
  const cells = described.get(name);
  expect(cells, `docs/storage.md has no row for ${name}`).toHaveLength(4);
  const [row, , lifetime, writer] = cells ?? [];
  for (const cell of [row, lifetime, writer]) expect(cell?.trim()).not.toBe('');
});

test.each(names)('the table %s has a period, and docs/storage.md says the same as the job that keeps it', (name) => {
  const kept = periods[name];
  expect(kept, `worker/data/retention/periods.ts has no row for ${name}`).toBeDefined();
  if (kept) expect(described.get(name)?.[2]?.trim()).toBe(lifetimeOf(kept));
});

test('docs/storage.md has each table under the database that it is in', () => {
  const text = readFileSync('docs/storage.md', 'utf8');
  const under = (title: string) => {
    const [, section = ''] = text.split(`\n## ${title}\n`);
    return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z_]+)`.* \|.* \|.* \|.* \|$/gm)]
      .map(([, name = '']) => name)
      .sort();
  };
  const both = clinic.filter((name) => installation.includes(name));
  const alone = (some: string[]) => some.filter((name) => !both.includes(name)).sort();
  expect(under("A clinic's database")).toEqual(alone(clinic));
  expect(under('In both kinds of database')).toEqual(both.sort());
  expect(under("The installation's database (D1)")).toEqual(alone(installation));
});

test('the register of periods names no table that is not there', () => {
  expect(Object.keys(periods).filter((name) => !names.includes(name))).toEqual([]);
});

test('every prefix of the bucket has a period, in the register as in docs/storage.md', () => {
  const [, bucket = ''] = /^## R2[\s\S]*?$([\s\S]*?)^## /m.exec(readFileSync('docs/storage.md', 'utf8')) ?? [];
  const rows = [...bucket.matchAll(/^\| (`[a-z-]+\/.*)\|$/gm)].map(([, row = '']) => row.split(' | '));
  const prefixOf = (key = '') => /^`([a-z-]+\/)/.exec(key)?.[1] ?? '';
  expect([...new Set(rows.map(([key]) => prefixOf(key)))].sort()).toEqual(Object.keys(prefixes).sort());
  for (const [key, , lifetime] of rows) {
    const kept = (prefixes as Record<string, Kept>)[prefixOf(key)];
    if (kept) expect(lifetime).toBe(lifetimeOf(kept));
  }
  // Keys are put together in the files that write them.
  const writers = globSync('worker/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\.put\(/.test(readFileSync(file, 'utf8')),
  );
  const written = writers.map((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[`'"]([a-z-]+\/)(?:[a-z/-]*(?=\$\{)|(?=[`'"]))/g)].map(
      ([, prefix = '']) => prefix,
    ),
  );
  for (const [at, some] of written.entries()) expect(some, `${writers[at]} builds no key`).not.toEqual([]);
  expect([...new Set(written.flat())].sort()).toEqual(Object.keys(prefixes).sort());
});

test('docs/settings.md has every setting of worker/env.ts, and the examples those without a default', () => {
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

  const needed = [...documented].filter(([, fallback]) => fallback === 'none').map(([name]) => name);
  for (const name of ['staging', 'production']) {
    const { settings: given } = JSON.parse(readFileSync(`docs/${name}.example.json`, 'utf8')) as { settings: object };
    expect(Object.keys(given), name).toEqual(expect.arrayContaining(needed));
  }
});
