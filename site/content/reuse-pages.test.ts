import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PathWithRoute } from 'astro';
import { describe, expect, it } from 'vitest';
import { FIXED_PAGES, keyFixedPages } from './prerender.ts';

const pageAt = (pathname: string, cacheKey?: string) => ({ pathname, cacheKey }) as PathWithRoute;
const PATHS = [pageAt('/terms'), pageAt('/index'), pageAt('/blog/one', 'post'), pageAt('/pages/about', 'about-1')];
const keyOf = (pathname: string, paths = PATHS, files = ['a.1.js', 'b.1.css']) =>
  keyFixedPages(paths, files).find((page) => page.pathname === pathname)?.cacheKey;

describe('a fixed page', () => {
  it('is reused while the footer pages, scripts and styles are unchanged', () => {
    const withPost = [...PATHS, pageAt('/blog/two', 'another post')];
    expect(keyOf('/terms', withPost, ['b.1.css', 'a.1.js'])).toBe(keyOf('/terms'));
    expect(keyOf('/terms')).toEqual(expect.any(String));
  });

  it('is rendered again when a footer page, a script or a style changes', () => {
    const editedPaths = PATHS.map((page) =>
      page.pathname === '/pages/about' ? pageAt('/pages/about', 'about-2') : page,
    );
    const keys = [keyOf('/terms'), keyOf('/terms', editedPaths), keyOf('/terms', PATHS.slice(0, 3))];
    keys.push(keyOf('/terms', PATHS, ['a.2.js', 'b.1.css']));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not affect the cache keys of other pages', () => {
    expect(keyOf('/blog/one')).toBe('post');
    expect(keyOf('/index')).toBeUndefined();
  });

  it('reads no published content outside its footer', () => {
    for (const page of FIXED_PAGES) {
      const [file] = globSync(`site/pages${page.replace(/-[a-z]{2}$/, '-*')}.{astro,ts}`);
      if (!file) throw new Error(`${page} is no page`);
      expect([page, readersOf(file).filter((reader) => !isFooter(reader))]).toEqual([page, []]);
    }
  });

  it('includes every page that reads no published content outside its footer', () => {
    const names = new Set([...FIXED_PAGES].map((page) => page.replace(/-[a-z]{2}$/, '')));
    const pagesWithoutContent = globSync('site/pages/**/*.{astro,ts}')
      .filter((file) => !/\[(slug|page)\]/.test(file) && readersOf(file).every(isFooter))
      .map((file) => file.replace(/^site\/pages|(-\[language\])?\.(astro|ts)$/g, ''));
    expect(pagesWithoutContent.filter((page) => !names.has(page))).toEqual([]);
  });
});

const isFooter = (file: string) => file === path.normalize('site/sections/Footer.astro');
/** The files that read published content, among this file and all its imports. */
const readersOf = (file: string): string[] =>
  [...withImports(file)].filter(
    (file) => !file.endsWith('read-site.ts') && readFileSync(file, 'utf8').includes('readSite('),
  );

/** The file and all files of this site that it imports, directly or not. */
function withImports(file: string, visited = new Set<string>()): Set<string> {
  if (visited.has(file) || !existsSync(file)) return visited;
  visited.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    withImports(path.join(path.dirname(file), specifier), visited);
  }
  return visited;
}
