import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure, isFull, printFigures } from './report.ts';
import { fillDatabase, makeDatabase, texts, writeMarkdown } from './site-build/content.ts';
import { type Built, build } from './site-build/measure.ts';

const POSTS = isFull ? 1000 : 60;
const FULL_POSTS = isFull ? 5000 : POSTS;
/** The list pages of this many posts; see site/content/blog-pages.ts for the page size. */
const listsOf = (posts: number) => 1 + Math.ceil(Math.max(0, posts - 10) / 24);

// Inside the tree, because Markdown is read from below the project.
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

/** Each build has its own cache. */
const envOf = (name: string) => ({
  CONTENT_STATE: path.join(root, 'content'),
  TILLWAY_STATE: path.join(root, name),
  OUT_DIR: path.join(root, `${name}-out`),
  APP_URL: 'http://localhost:8787',
  MARKDOWN_FOLDER: markdown,
});
const isArticle = (page: string) => /^\/blog\/(?!page\/)/.test(page);
/** These list the published content or name its revision. */
const FEEDS = ['/built.json', '/rss.xml', '/sitemap.xml'];
/** Thousands of pages, twice a round. */
const BUILDS_MS = isFull ? 3_600_000 : 600_000;
const isList = (page: string) => page === '/blog.html' || page.startsWith('/blog/page/');

const secondsOf = ({ seconds }: Built) => seconds;
/** Bundling dominates a small site and other work on the machine sways its time, so count its CPU time. */
const costOf = (built: Built) => (isFull ? built.seconds : (built.work ?? built.seconds));

/**
 * Other work on the machine only makes builds longer, so the fastest of each kind counts, over at most this many
 * rounds.
 */
const ROUNDS = 3;
type Pair = { one: Built; other: Built };
async function quickest(
  cost: (built: Built) => number,
  isEnough: (pair: Pair) => boolean,
  round: (at: number) => Promise<Pair>,
): Promise<Pair> {
  let best = await round(0);
  for (let at = 1; at < ROUNDS && !isEnough(best); at++) {
    const next = await round(at);
    const quicker = (kind: keyof Pair) => (cost(next[kind]) < cost(best[kind]) ? next[kind] : best[kind]);
    best = { one: quicker('one'), other: quicker('other') };
  }
  return best;
}

describe('building the site', () => {
  it(`again after one publication renders that post, the lists and the homepage, not the other ${POSTS}`, async () => {
    fillDatabase(database, texts(POSTS));
    await build(envOf('database'));
    // All start from the same state, because a build without posts forgets them.
    cpSync(envOf('database').TILLWAY_STATE, envOf('empty').TILLWAY_STATE, { recursive: true });
    const ratioOf = ({ one, other }: Pair) => secondsOf(one) / secondsOf(other);
    const rebuilt: Built[] = [];
    const pair = await quickest(
      secondsOf,
      (so) => ratioOf(so) <= 1.3,
      async (at) => {
        fillDatabase(database, texts(POSTS + 1 + at));
        const one = await build(envOf('database'));
        rebuilt.push(one);
        fillDatabase(database, []);
        return { one, other: await build(envOf('empty')) };
      },
    );
    const rendered = rebuilt[0]?.rendered ?? [];
    const posts = rendered.filter(isArticle);
    const lists = rendered.filter(isList);
    const pages = rendered.filter((page) => !FEEDS.includes(page));
    const allowed = 1 + listsOf(POSTS + 1) + 1;
    const seen = `${pages.length}: ${posts.length} post, ${lists.length} lists, homepage; and ${FEEDS.length} feeds`;
    const target = `<= 1 + lists + home = ${allowed}`;
    figure(`rebuild after one publication, ${POSTS} posts, pages rendered`, seen, target, pages.length <= allowed);
    const ratio = ratioOf(pair);
    const times = `${ratio.toFixed(2)}x (${pair.one.seconds.toFixed(1)} s, ${pair.other.seconds.toFixed(1)} s, quickest of ${rebuilt.length})`;
    figure('the same, time against the site with 0 posts', times, '<= 1.30x', ratio <= 1.3);
    expect(posts).toEqual([`/blog/text-${POSTS}.html`]);
    expect(pages.filter((page) => !isArticle(page) && !isList(page))).toEqual(['/index.html']);
    expect(pages.length).toBeLessThanOrEqual(allowed);
    expect(ratio).toBeLessThanOrEqual(1.3);
  });

  it(`with ${FULL_POSTS} posts from the database keeps up with the same site from Markdown`, {
    timeout: BUILDS_MS,
  }, async () => {
    const all = texts(FULL_POSTS);
    writeMarkdown(markdown, all);
    const ratioOf = ({ one, other }: Pair) => costOf(other) / costOf(one);
    let rounds = 0;
    const pair = await quickest(
      costOf,
      (so) => ratioOf(so) >= 0.9,
      async (at) => {
        rounds++;
        fillDatabase(database, all);
        const one = await build(envOf(`database-${at}`));
        const other = await build(envOf(`markdown-${at}`), 'tests/bench/site-build/markdown.config.mjs');
        for (const { rendered } of [one, other]) expect(rendered.filter(isArticle)).toHaveLength(FULL_POSTS);
        return { one, other };
      },
    );
    const ratio = ratioOf(pair);
    const perSecond = ({ seconds }: Built) => (FULL_POSTS / seconds).toFixed(1);
    const speeds = `${perSecond(pair.one)} and ${perSecond(pair.other)} posts/s`;
    const text = `${ratio.toFixed(2)}x (${speeds}, ${pair.one.peakMb} MB, quickest of ${rounds}${isFull ? '' : ', by work of the processor'})`;
    figure(`full build, ${FULL_POSTS} posts, against Markdown`, text, '>= 0.90x', ratio >= 0.9);
    expect(ratio).toBeGreaterThanOrEqual(0.9);
  });
});
