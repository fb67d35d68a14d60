import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linkUnchangedPages } from './prerender.ts';

/** Creates the folders of a build with pages cached by the last build. Each page's cache key is its pathname. */
const createBuildFolders = (...cached: string[]) => {
  const root = mkdtempSync(path.join(tmpdir(), 'linked-pages-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cacheDir, outDir] = [path.join(root, 'cache'), path.join(root, 'out')];
  const cachedFile = (pathname: string) => path.join(cacheDir, 'dist/client', `${encodeURI(pathname)}.html`);
  for (const pathname of cached) {
    mkdirSync(path.dirname(cachedFile(pathname)), { recursive: true });
    writeFileSync(cachedFile(pathname), pathname);
  }
  const paths = Object.fromEntries(cached.map((pathname) => [pathname, { cacheKey: pathname }]));
  if (cached.length > 0)
    writeFileSync(path.join(cacheDir, 'incremental-build.json'), JSON.stringify({ routes: { one: { paths } } }));
  const builtDir = path.join(outDir, 'client');
  const link = (...pages: { pathname: string; cacheKey?: string }[]) =>
    linkUnchangedPages(pages, cacheDir, outDir, builtDir);
  const page = (pathname: string) => path.join(builtDir, `${encodeURI(pathname)}.html`);
  return { cachedFile, link, page };
};
const unchangedPage = (pathname: string) => ({ pathname, cacheKey: pathname });

describe('linking pages cached by the last build', () => {
  it('links only unchanged posts that are still in this build', () => {
    const { cachedFile, link, page } = createBuildFolders(
      '/blog/one',
      '/blog/a b',
      '/blog/gone',
      '/blog/changed',
      '/blog/page/2',
      '/terms',
    );
    const changedPage = { pathname: '/blog/changed', cacheKey: 'another' };
    const pageWithoutKey = { pathname: '/blog/keyless' };
    expect(
      link(
        ...['/blog/one', '/blog/a b', '/blog/new', '/blog/page/2', '/terms'].map(unchangedPage),
        changedPage,
        pageWithoutKey,
      ),
    ).toBe(2);
    expect(readFileSync(page('/blog/one'), 'utf8')).toBe('/blog/one');
    expect(statSync(page('/blog/a b')).ino).toBe(statSync(cachedFile('/blog/a b')).ino);
    for (const pathname of ['/blog/gone', '/blog/changed', '/blog/page/2', '/terms']) {
      expect(existsSync(page(pathname)), pathname).toBe(false);
    }
  });

  it('links nothing in the first build and never replaces an existing page', () => {
    expect(createBuildFolders().link(unchangedPage('/blog/one'))).toBe(0);
    const { link, page } = createBuildFolders('/blog/one');
    mkdirSync(path.dirname(page('/blog/one')), { recursive: true });
    writeFileSync(page('/blog/one'), 'newer');
    expect(link(unchangedPage('/blog/one'))).toBe(0);
    expect(readFileSync(page('/blog/one'), 'utf8')).toBe('newer');
  });
});
