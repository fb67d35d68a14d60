import { beforeAll, describe, expect, it } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import { useBrowser } from '#tests/support/browser/browser';
import { attacks } from '#tests/support/content/attacks';
import { logInWriter, type Writer } from '#tests/support/content/writer';
import { until, useProduct } from '#tests/support/product/product';
import { plantAttacks, removeAttacks, runningFrames } from './planted-attacks.ts';

const product = useProduct();
const { appUrl } = product;
const newPage = useBrowser();
/** Time limit of a build on a busy machine. */
const BUILD_MS = 180_000;
/** No parser can read it, and no build may fail because of it. */
const UNREADABLE = '<div>'.repeat(20_000);

let writer: Writer;
beforeAll(async () => {
  writer = await logInWriter(appUrl, product.output);
});

const tag = () => crypto.randomUUID().slice(0, 8);
const get = async (path: string) => {
  const response = await fetch(`${appUrl}${path}`, { redirect: 'manual' });
  return { status: response.status, kept: response.headers.get('cache-control'), text: await response.text() };
};

/**
 * Asks for a build, as Retry does, until one has started for all published content. Returns every state on the way.
 */
async function build(): Promise<PublishState[]> {
  const { revision } = await writer.publishState();
  const states: PublishState[] = [];
  await until(
    async () => {
      const before = await writer.publishState();
      // A build may still be refused right after a publication.
      const state = before.state === 'waiting' ? await writer.buildNow() : before;
      states.push(state);
      return state;
    },
    (state) => state.state === 'failed' || state.liveRevision >= revision,
    BUILD_MS,
  );
  return states;
}

/**
 * Attacks that were in the database during the build are now in static files; load them without our content policy.
 */
async function expectHarmless(slugs: string[]): Promise<void> {
  const page = await newPage({ bypassCSP: true, expected: /./ });
  await page.goto(`${appUrl}/offline`);
  // The control proves that a frame that runs a script is noticed.
  const control = [{ name: 'control', html: '<img src=x onerror=canary=1>' }];
  const paths = [...slugs.map((slug) => `/blog/${slug}`), '/blog', '/'];
  const pages = await Promise.all(
    paths.map(async (path) => {
      const { status, kept, text } = await get(path);
      expect([status, kept === 'no-store'], path).toEqual([200, false]);
      return { name: path, html: text };
    }),
  );
  expect(await runningFrames(page, pages)).toEqual([]);
  expect(await runningFrames(page, control)).toEqual(['control']);
}

describe('publishing', () => {
  it('writes new, changed and withdrawn articles to static files, lists, feeds and the footer', {
    timeout: 2 * BUILD_MS + 30_000,
  }, async () => {
    const one = tag();
    const fresh = await writer.writePost({ title: `Fresh ${one}`, content: '<p>First words.</p>' });
    const gone = await writer.writePost({ title: `Gone ${one}` });
    const sheet = await writer.writePage({ title: `Sheet ${one}` });
    expect((await get(`/blog/${fresh.slug}`)).kept).toBe('no-store');
    expect((await get('/blog')).text).not.toContain(`Fresh ${one}`);
    const planted = await plantAttacks(product, `planted-${one}-`, [...attacks, UNREADABLE]);

    const states = await build();
    expect(states.at(-1)?.state, JSON.stringify(states.at(-1))).toBe('live');
    const steps = states.filter(({ state }) => state === 'building');
    expect(steps.length).toBeGreaterThan(0);
    const progress = steps.map((state) => state.progress ?? 0);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const built = await get(`/blog/${fresh.slug}`);
    expect(built.kept).not.toBe('no-store');
    expect(built.text).toContain('<p>First words.</p>');
    expect(built.text).toContain('<meta name="article-version" content="1">');
    for (const path of ['/blog', '/', '/rss.xml', '/sitemap.xml']) {
      expect((await get(path)).text, path).toContain(path === '/sitemap.xml' ? fresh.slug : `Fresh ${one}`);
    }
    expect((await get('/terms')).text).toContain(`Sheet ${one}`);
    expect((await get(`/pages/${sheet.slug}`)).kept).not.toBe('no-store');

    await expectHarmless(planted);
    expect((await get(`/blog/${planted.at(-1)}`)).text).toContain('<p>Failed to fetch post</p>');
    await removeAttacks(product, `planted-${one}-`);

    await writer.changePost(fresh.id, {
      title: `Fresh ${one}`,
      content: '<p>Second words.</p>',
      excerpt: `What it is about, ${one}.`,
    });
    await writer.deletePost(gone.id);
    // A file of the version before is there, but a visitor gets what was saved.
    const changed = await get(`/blog/${fresh.slug}`);
    expect([changed.kept, changed.text.includes('Second words.')]).toEqual(['no-store', true]);
    expect(await get(`/blog/${gone.slug}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('Post not found'),
    });
    expect((await build()).at(-1)).toMatchObject({ state: 'live' });
    expect((await get(`/blog/${fresh.slug}`)).text).toContain('Second words.');
    for (const path of ['/blog', '/', '/rss.xml', `/blog/${fresh.slug}`]) {
      expect((await get(path)).text, path).toContain(`What it is about, ${one}.`);
    }
    expect((await get(`/blog/${fresh.slug}`)).kept).not.toBe('no-store');
    expect((await get(`/blog/${gone.slug}`)).status).toBe(404);
    expect((await get('/blog')).text).not.toContain(`Gone ${one}`);
  });
});
