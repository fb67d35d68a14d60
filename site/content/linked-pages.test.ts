import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linkKeptPages } from './linked-pages.ts';

const folders = () => {
  const root = mkdtempSync(path.join(tmpdir(), 'linked-pages-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cache, out] = [path.join(root, 'cache'), path.join(root, 'out')];
  const keep = (file: string) => {
    const kept = path.join(cache, file);
    mkdirSync(path.dirname(kept), { recursive: true });
    writeFileSync(kept, file);
  };
  const link = (...pathnames: string[]) =>
    linkKeptPages(
      pathnames.map((pathname) => ({ pathname })),
      cache,
      out,
    );
  return { cache, out, keep, link };
};

describe('pages that the last build kept', () => {
  it('are linked for the posts of this build alone, and for no other page', () => {
    const { cache, out, keep, link } = folders();
    for (const file of ['blog/one.html', 'blog/gone.html', 'blog/page/2.html', 'terms.html', 'blog/a%20b.html'])
      keep(file);
    expect(link('/blog/one', '/blog/a b', '/blog/new', '/blog/page/2', '/terms', '/blog')).toBe(2);
    expect(readFileSync(path.join(out, 'blog/one.html'), 'utf8')).toBe('blog/one.html');
    expect(statSync(path.join(out, 'blog/one.html')).ino).toBe(statSync(path.join(cache, 'blog/one.html')).ino);
    for (const file of ['blog/gone.html', 'blog/page/2.html', 'terms.html'])
      expect(existsSync(path.join(out, file))).toBe(false);
  });

  it('are none in the first build, and where a page stands already it stays', () => {
    const { out, keep, link } = folders();
    expect(link('/blog/one')).toBe(0);
    keep('blog/one.html');
    writeFileSync(path.join(out, 'blog/one.html'), 'newer');
    expect(link('/blog/one')).toBe(0);
    expect(readFileSync(path.join(out, 'blog/one.html'), 'utf8')).toBe('newer');
  });
});
