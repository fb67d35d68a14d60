import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { measure, readTokens } from '#scripts/checks/contrast';
import { brokenPaths } from '#scripts/checks/doc-paths';
import { plantTree } from './tree.ts';

test('a document that names or links a missing path is reported with its line', () => {
  const tree = plantTree({
    '.gitignore': 'node_modules/\ndist/\n',
    'worker/app.ts': '',
    'README.md': [
      'See `worker/app.ts`, `app.ts`, `worker/`, `worker/*.ts`, `/api/invoices`, `dist/server/entry.mjs`, `zod/mini`, `npm start`.',
      'See `worker/gone.ts` and `nowhere/` and `gone.ts` and the empty `site/`.',
      '![picture](docs/gone.png) and [home](https://tillway.example).',
    ].join('\n'),
    'docs/deep/page.md': 'Read [the readme](../../README.md) and `worker/lost`.\n',
  });
  expect(brokenPaths(tree)).toEqual([
    { file: 'README.md', line: 2, text: 'worker/gone.ts' },
    { file: 'README.md', line: 2, text: 'nowhere/' },
    { file: 'README.md', line: 2, text: 'gone.ts' },
    { file: 'README.md', line: 2, text: 'site/' },
    { file: 'README.md', line: 3, text: 'docs/gone.png' },
    { file: 'docs/deep/page.md', line: 1, text: 'worker/lost' },
  ]);
});

const css = readFileSync(path.resolve(import.meta.dirname, '../../site/styles/tokens.css'), 'utf8');

test('every colour token converts to the exact hex values in its comment', () => {
  const tokens = readTokens(css);
  const stated = [...css.matchAll(/--([\w-]+): light-dark\([\s\S]*?\/\* (#\w{6}) (#\w{6})/g)];
  expect(stated.length).toBeGreaterThan(30);
  for (const [, name = '', light, dark] of stated) {
    expect([name, tokens.light[name], tokens.dark[name]]).toEqual([name, light, dark]);
  }
});

test.each([
  ['text-3', 'light', /(--text-3: light-dark\(oklch\()[\d.]+/, '$10.62'],
  ['control', 'light', /(--control: light-dark\(oklch\()[\d.]+/, '$10.7'],
  ['mint', 'band', /(--mint: light-dark\([^)]+\), oklch\()[\d.]+/, '$10.5'],
])('a paler %s fails the contrast check in %s', (role, theme, token, paler) => {
  const failed = (text: string) => measure(readTokens(text)).filter(({ ratio, least }) => ratio < least);
  expect(failed(css)).toEqual([]);
  const changed = css.replace(token, paler);
  expect(changed).not.toBe(css);
  expect(failed(changed)).toContainEqual(expect.objectContaining({ role, theme }));
});
