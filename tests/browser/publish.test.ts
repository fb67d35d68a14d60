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
/** Markup that no parser can read. It must not make the build fail. */
const UNREADABLE = '<div>'.repeat(20_000);

let writer: Writer;
beforeAll(async () => {
  writer = await logInWriter(appUrl, product.output);
});

const tag = () => crypto.randomUUID().slice(0, 8);
const getPage = async (path: string) => {
  const response = await fetch(`${appUrl}${path}`, { redirect: 'manual' });
  return { status: response.status, cacheControl: response.headers.get('cache-control'), text: await response.text() };
};

/**
 * Requests builds, like Retry, until all published content is live or a build fails. Returns every state on the way.
 */
async function build(): Promise<PublishState[]> {
  const { revision } = await writer.publishState();
  const states: PublishState[] = [];
  await until(
    async () => {
      const before = await writer.publishState();
      // Right after a publication, a build may still be refused.
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
 * Expects the static files with the attacks to run no script when loaded without the content policy.
 */
async function expectHarmless(slugs: string[]): Promise<void> {
  const page = await newPage({ bypassCSP: true, expected: /./ });
  await page.goto(`${appUrl}/offline`);
  // The control proves that the check notices a frame that runs a script.
  const control = [{ name: 'control', html: '<img src=x onerror=canary=1>' }];
  const paths = [...slugs.map((slug) => `/blog/${slug}`), '/blog', '/'];
  const pages = await Promise.all(
    paths.map(async (path) => {
      const { status, cacheControl, text } = await getPage(path);
      expect([status, cacheControl === 'no-store'], path).toEqual([200, false]);
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
    const suffix = tag();
    const newPost = await writer.writePost({ title: `Fresh ${suffix}`, content: '<p>First words.</p>' });
    const deletedPost = await writer.writePost({ title: `Gone ${suffix}` });
    const staticPage = await writer.writePage({ title: `Sheet ${suffix}` });
    expect((await getPage(`/blog/${newPost.slug}`)).cacheControl).toBe('no-store');
    expect((await getPage('/blog')).text).not.toContain(`Fresh ${suffix}`);
    const attackSlugs = await plantAttacks(product, `planted-${suffix}-`, [...attacks, UNREADABLE]);

    const states = await build();
    expect(states.at(-1)?.state, JSON.stringify(states.at(-1))).toBe('live');
    const steps = states.filter(({ state }) => state === 'building');
    expect(steps.length).toBeGreaterThan(0);
    const progress = steps.map((state) => state.progress ?? 0);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const builtPage = await getPage(`/blog/${newPost.slug}`);
    expect(builtPage.cacheControl).not.toBe('no-store');
    expect(builtPage.text).toContain('<p>First words.</p>');
    expect(builtPage.text).toContain('<meta name="article-version" content="1">');
    for (const path of ['/blog', '/', '/rss.xml', '/sitemap.xml']) {
      expect((await getPage(path)).text, path).toContain(path === '/sitemap.xml' ? newPost.slug : `Fresh ${suffix}`);
    }
    expect((await getPage('/terms')).text).toContain(`Sheet ${suffix}`);
    expect((await getPage(`/pages/${staticPage.slug}`)).cacheControl).not.toBe('no-store');

    await expectHarmless(attackSlugs);
    expect((await getPage(`/blog/${attackSlugs.at(-1)}`)).text).toContain('<p>Failed to fetch post</p>');
    await removeAttacks(product, `planted-${suffix}-`);

    await writer.changePost(newPost.id, {
      title: `Fresh ${suffix}`,
      content: '<p>Second words.</p>',
      excerpt: `What it is about, ${suffix}.`,
    });
    await writer.deletePost(deletedPost.id);
    // The static file has the old version, but a visitor gets the saved version.
    const editedPost = await getPage(`/blog/${newPost.slug}`);
    expect([editedPost.cacheControl, editedPost.text.includes('Second words.')]).toEqual(['no-store', true]);
    expect(await getPage(`/blog/${deletedPost.slug}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('Post not found'),
    });
    expect((await build()).at(-1)).toMatchObject({ state: 'live' });
    expect((await getPage(`/blog/${newPost.slug}`)).text).toContain('Second words.');
    for (const path of ['/blog', '/', '/rss.xml', `/blog/${newPost.slug}`]) {
      expect((await getPage(path)).text, path).toContain(`What it is about, ${suffix}.`);
    }
    expect((await getPage(`/blog/${newPost.slug}`)).cacheControl).not.toBe('no-store');
    expect((await getPage(`/blog/${deletedPost.slug}`)).status).toBe(404);
    expect((await getPage('/blog')).text).not.toContain(`Gone ${suffix}`);
  });
});
