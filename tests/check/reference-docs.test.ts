import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALLS_PAGE, callsPage } from '#scripts/registers/calls-page';
import { lifetimeText, TABLES_PAGE, tablesPage } from '#scripts/registers/tables-page';
import { fileLifetimes } from '#worker/data/retention/file-lifetimes';
import type { Lifetime } from '#worker/data/schema/table';

test('docs/tables.md matches the table declarations', () => {
  expect(readFileSync(TABLES_PAGE, 'utf8'), 'npm run registers writes it').toBe(tablesPage());
});

test('docs/calls.md matches the route declarations', () => {
  expect(readFileSync(CALLS_PAGE, 'utf8'), 'npm run registers writes it').toBe(callsPage());
});

test('every prefix of the bucket has the same retention period in the register and in docs/storage.md', () => {
  const [, bucket = ''] = /^## R2[\s\S]*?$([\s\S]*?)^## /m.exec(readFileSync('docs/storage.md', 'utf8')) ?? [];
  const rows = [...bucket.matchAll(/^\| (`[a-z-]+\/.*)\|$/gm)].map(([, row = '']) => row.split(' | '));
  const prefixOf = (key = '') => /^`([a-z-]+\/)/.exec(key)?.[1] ?? '';
  expect([...new Set(rows.map(([key]) => prefixOf(key)))].sort()).toEqual(Object.keys(fileLifetimes).sort());
  for (const [key, , lifetime] of rows) {
    const rule = (fileLifetimes as Record<string, Lifetime>)[prefixOf(key)];
    if (rule) expect(lifetime).toBe(lifetimeText(rule));
  }
  // Keys are built in the files that write them.
  const writers = globSync('worker/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && /\.put\(/.test(readFileSync(file, 'utf8')),
  );
  const prefixesOfWriters = writers.map((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[`'"]([a-z-]+\/)(?:[a-z/-]*(?=\$\{)|(?=[`'"]))/g)].map(
      ([, prefix = '']) => prefix,
    ),
  );
  for (const [at, keys] of prefixesOfWriters.entries()) expect(keys, `${writers[at]} builds no key`).not.toEqual([]);
  expect([...new Set(prefixesOfWriters.flat())].sort()).toEqual(Object.keys(fileLifetimes).sort());
});

test('docs/settings.md has every setting of worker/env.ts, and the examples have all without a default', () => {
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

  const required = [...documented].filter(([, fallback]) => fallback === 'none').map(([name]) => name);
  for (const name of ['staging', 'production']) {
    const { settings: example } = JSON.parse(readFileSync(`docs/${name}.example.json`, 'utf8')) as { settings: object };
    expect(Object.keys(example), name).toEqual(expect.arrayContaining(required));
  }
});
