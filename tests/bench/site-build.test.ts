import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, isFull, printFigures } from './report.ts';
import { fillDatabase, makeDatabase, texts, writeMarkdown } from './site-build/content.ts';
import { type Built, build } from './site-build/measure.ts';

const POSTS = isFull ? 1000 : 60;
const FULL_POSTS = isFull ? 5000 : POSTS;
/** A page of the list holds so many; see site/content/blog-pages.ts. */
const listsOf = (posts: number) => 1 + Math.ceil(Math.max(0, posts - 10) / 24);

// Inside the tree: Markdown is read from below the project.
const markdown = path.resolve('tests/.output/markdown');
const root = mkdtempSync(path.join(tmpdir(), 'tillway-site-build-'));
let database: string;
beforeAll(async () => {
  const content = await makeDatabase(path.join(root, 'content'));
  database =
    globSync('v3/d1/miniflare-D1DatabaseObject/*.sqlite', { cwd: content })
      .filter((file) => !file.endsWith('metadata.sqlite'))
      .map((file) => path.join(content, file))[0] ?? '';
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(markdown, { recursive: true, force: true });
});
printFigures();

/** Builds with a cache of their own. */
const envOf = (name: string) => ({
  CONTENT_STATE: path.join(root, 'content'),
  TILLWAY_STATE: path.join(root, name),
  OUT_DIR: path.join(root, `${name}-out`),
  APP_URL: 'http://localhost:8787',
  MARKDOWN_FOLDER: markdown,
});
const isArticle = (page: string) => /^\/blog\/(?!page\/)/.test(page);
const isList = (page: string) => page === '/blog.html' || page.startsWith('/blog/page/');

let first: Promise<Built> | undefined;
/** The site with its posts, built where nothing was built before. */
const firstBuild = () => {
  fillDatabase(database, texts(POSTS));
  first ??= build(envOf('database'));
  return first;
};

describe('building the site', () => {
  it(`again after one publication renders that post, the lists and the homepage, not the other ${POSTS}`, async () => {
    await firstBuild();
    fillDatabase(database, texts(POSTS + 1));
    const again = await build(envOf('database'));
    fillDatabase(database, []);
    const empty = await build(envOf('database'));
    const posts = again.rendered.filter(isArticle);
    const lists = again.rendered.filter(isList);
    const ratio = again.seconds / empty.seconds;
    const isMet = posts.length <= 1 && lists.length <= listsOf(POSTS + 1);
    const others = again.rendered.length - posts.length - lists.length - 1;
    const pages = `${posts.length} post, ${lists.length} lists, homepage, ${others} fixed files`;
    figure(`rebuild after one publication, ${POSTS} posts, rendered`, pages, '<= 1 + lists + home', isMet);
    const times = `${ratio.toFixed(2)}x (${again.seconds.toFixed(1)} s, ${empty.seconds.toFixed(1)} s)`;
    figure('the same, time against the site with 0 posts', times, '<= 1.30x', ratio <= 1.3);
    expect(posts).toEqual([`/blog/text-${POSTS}.html`]);
    expect(lists.length).toBeLessThanOrEqual(listsOf(POSTS + 1));
    // Two builds on a machine that does other things as well: time is judged at the full size.
    if (isFull) expect(ratio).toBeLessThanOrEqual(1.3);
  });

  it(`with ${FULL_POSTS} posts from the database keeps up with the same site from Markdown`, async () => {
    const all = texts(FULL_POSTS);
    writeMarkdown(markdown, all);
    fillDatabase(database, all);
    const fromDatabase = isFull ? await build(envOf('database-full')) : await firstBuild();
    const fromMarkdown = await build(envOf('markdown'), 'tests/bench/site-build/markdown.config.mjs');
    expect(fromMarkdown.rendered.filter(isArticle)).toHaveLength(FULL_POSTS);
    expect(fromDatabase.rendered.filter(isArticle)).toHaveLength(FULL_POSTS);
    const ratio = fromMarkdown.seconds / fromDatabase.seconds;
    const perSecond = (seconds: number) => (FULL_POSTS / seconds).toFixed(1);
    const speeds = `${perSecond(fromDatabase.seconds)} and ${perSecond(fromMarkdown.seconds)} posts/s`;
    const text = `${ratio.toFixed(2)}x (${speeds}, ${fromDatabase.peakMb} MB)`;
    figure(`full build, ${FULL_POSTS} posts, against Markdown`, text, '>= 0.90x', ratio >= 0.9);
    if (isFull) expect(ratio).toBeGreaterThanOrEqual(0.9);
  });
});
