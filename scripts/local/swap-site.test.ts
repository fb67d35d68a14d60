import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { showBuilt, swapSite } from './swap-site.ts';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-swap-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ '.assetsignore': 'wrangler.json\n', ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

it('copies changed files, skips identical ones and stops serving removed ones', () => {
  const live = folderWith({
    'a.html': 'a',
    'b.html': 'b',
    'blog/gone.html': 'g',
    '_astro/old.css': 'o',
    'built.json': '1',
  });
  const next = folderWith({
    'a.html': 'a',
    'b.html': 'B',
    'blog/new.html': 'n',
    '_astro/new.css': 'c',
    'built.json': '2',
  });
  const { changed, removed } = swapSite(next, live, '_astro/mark.txt');
  expect(changed).toEqual(['_astro/new.css', 'b.html', 'blog/new.html']);
  expect(removed).toEqual(['blog/gone.html']);
  const read = (name: string) => readFileSync(path.join(live, name), 'utf8');
  expect([read('b.html'), read('blog/new.html'), read('_astro/new.css'), read('built.json')]).toEqual([
    'B',
    'n',
    'c',
    '1',
  ]);
  expect(read('.assetsignore')).toBe('wrangler.json\n/blog/gone.html\n');
  expect(read('_astro/mark.txt')).not.toBe('');
  showBuilt(next, live);
  expect(read('built.json')).toBe('2');
  // An open page may still request it.
  expect(existsSync(path.join(live, '_astro/old.css'))).toBe(true);
});

it('serves a removed file again when it returns', () => {
  const live = folderWith({ 'blog/one.html': '1', '_astro/a.css': '', 'built.json': '1' });
  swapSite(folderWith({ 'built.json': '2' }), live, '_astro/mark.txt');
  expect(readFileSync(path.join(live, '.assetsignore'), 'utf8')).toContain('/blog/one.html');
  swapSite(folderWith({ 'blog/one.html': '2', 'built.json': '3' }), live, '_astro/mark.txt');
  expect(readFileSync(path.join(live, '.assetsignore'), 'utf8')).toBe('wrangler.json\n');
  expect(readFileSync(path.join(live, 'blog/one.html'), 'utf8')).toBe('2');
});
