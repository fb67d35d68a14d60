import { beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { scriptsOf, whichHead } from '#tests/support/browser/which-head';
import { logInWriter, type Writer } from '#tests/support/content/writer';
import { useProduct } from '#tests/support/product/product';
import { expectGood } from './payer.ts';

const product = useProduct();
const { appUrl } = product;
const newPage = useBrowser();
const NOT_FOUND = /status of 404/;
/** Posts and pages of the first start: already built and never changed by a test. */
const BUILT = ['/blog', '/blog/card-or-bank-debit', '/blog/closing-the-day', '/pages/security', '/pages/about-us'];

let writer: Writer;
beforeAll(async () => {
  writer = await logInWriter(appUrl, product.output);
});

const html = async (path: string) => (await fetch(`${appUrl}${path}`)).text();
const tag = () => crypto.randomUUID().slice(0, 8);

describe('the blog', () => {
  it('lists posts newest first, each with picture, title, 150 characters and a link', async () => {
    const page = await newPage({ expected: NOT_FOUND });
    await page.goto(`${appUrl}/blog`);
    const times = await page
      .locator('article time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    expect(times).toEqual(times.toSorted().reverse());
    const card = page.getByRole('article').filter({ hasText: 'Card or bank debit?' });
    // Other tests may have published more posts than fit on the first page.
    for (let number = 2; (await card.count()) === 0; number++) await page.goto(`${appUrl}/blog/page/${number}`);
    const [excerpt = ''] = await card.locator('p').allInnerTexts();
    expect(excerpt).toMatch(/^Most practices take cards because everybody has one\./);
    expect(excerpt.length).toBeLessThanOrEqual(151);
    expect(excerpt.length).toBeGreaterThan(140);
    expect(await card.locator('.article-card-picture > *').count()).toBe(1);
    await card.getByRole('link').click();
    await page.waitForURL(`${appUrl}/blog/card-or-bank-debit`);
    await expectGood(page, 'post');
    await page.getByRole('main').getByRole('link', { name: 'Blog' }).click();
    await page.waitForURL(`${appUrl}/blog`);
  });

  it('shows its three latest posts on the homepage, and the static pages in the footer', async () => {
    const page = await newPage();
    await page.goto(appUrl);
    const latest = page.getByRole('region', { name: 'Latest Updates' });
    expect(await latest.getByRole('article').count()).toBe(3);
    for (const excerpt of await latest.locator('article p').allInnerTexts())
      expect(excerpt.length).toBeLessThanOrEqual(121);
    const readMore = latest.getByRole('link', { name: /^Read More/ });
    expect(await readMore.first().getAttribute('href')).toMatch(/^\/blog\/[a-z0-9-]+$/);
    const company = page.getByRole('navigation', { name: 'Company' });
    expect(await company.getByRole('link', { name: 'About us' }).getAttribute('href')).toBe('/pages/about-us');
    const resources = page.getByRole('navigation', { name: 'Resources' });
    const paths = await resources.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(paths).toEqual(['/blog', '/terms', '/privacy', '/cookie-policy']);
    await company.getByRole('link', { name: 'Security' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await expectGood(page, 'static-page');
  });

  it('runs one small script, requests no other origin and prints legibly', async () => {
    for (const path of BUILT) {
      const page = await newPage({ reducedMotion: 'reduce' });
      const requests = new Set<string>();
      page.on('request', (request) => requests.add(`${new URL(request.url()).origin} ${request.resourceType()}`));
      await page.goto(`${appUrl}${path}`, { waitUntil: 'networkidle' });
      expect(
        [...requests].filter((request) => !request.startsWith(`${appUrl} `)),
        path,
      ).toEqual([]);
      expect(requests.has(`${appUrl} script`), path).toBe(false);
      expect(await scriptsOf(page), path).toEqual([whichHead]);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      await expect.poll(ground, { message: path }).toBe('rgb(255, 255, 255)');
      expect(await page.getByRole('heading', { level: 1 }).isVisible(), path).toBe(true);
    }
  });

  it('keeps very long words within the page, on lists too', async () => {
    for (const width of [320, 1280]) {
      const page = await newPage({ viewport: { width, height: 800 } });
      for (const path of ['/', ...BUILT]) {
        await page.goto(`${appUrl}${path}`);
        const overflow = await page.evaluate(() => {
          const selector = '.article-card :is(h2, h3, p), .article h1, .article-text :is(h2, p, li), .site-foot nav a';
          for (const part of document.querySelectorAll(selector)) {
            // The whole card is one link, so this changes the words and keeps the link.
            const words = part.querySelector(':scope > a') ?? part;
            words.textContent = 'MW'.repeat(100);
          }
          return document.documentElement.scrollWidth - innerWidth;
        });
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });

  it('returns 404 with a message for a missing post, page or preview', async () => {
    const page = await newPage({ expected: NOT_FOUND });
    for (const [path, words] of [
      ['/blog/nobody-wrote-this', 'Post not found'],
      ['/pages/nobody-wrote-this', 'Page not found'],
      ['/blog/a/b', 'Post not found'],
      ['/blog/page/9', 'Post not found'],
      ['/pages/', 'Page not found'],
      ['/preview/an-hour-is-over', 'Preview not found'],
    ] as const) {
      const response = await page.goto(`${appUrl}${path}`);
      expect(response?.status(), path).toBe(404);
      await page.getByRole('heading', { level: 1, name: words, exact: true }).waitFor();
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    }
    await page.goto(`${appUrl}/blog/nobody-wrote-this`);
    await expectGood(page, 'no-post');
  });
});

describe('a newly published post', () => {
  it('is live at once, in the site’s design, sanitized and with its version', async () => {
    const title = `Fresh <b>${tag()}</b>`;
    const { slug } = await writer.writePost({
      title,
      content:
        '<h1>Top</h1><p>Words &amp; more.</p><script>document.title="taken"</script><img src=x onerror="document.title=1">',
    });
    const page = await newPage({ expected: NOT_FOUND });
    const response = await page.goto(`${appUrl}/blog/${slug}`);
    expect(response?.status()).toBe(200);
    expect(response?.headers()['cache-control']).toBe('no-store');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.title()).toContain(title);
    expect(await page.locator('meta[name="article-version"]').getAttribute('content')).toBe('1');
    expect(await page.locator('meta[name=description]').getAttribute('content')).toBe('Top Words & more.');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${appUrl}/blog/${slug}`);
    expect(await page.locator('main script:not([type="application/ld+json"])').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 2, name: 'Top' }).count()).toBe(1);
    await expectGood(page, 'fresh-post');
  });

  it('prints long lines of code without cutting them off', async () => {
    const content = `<pre><code>${'const total = 1; '.repeat(12)}</code></pre><pre>${'x'.repeat(200)}</pre>`;
    const { slug } = await writer.writePost({ title: `Code ${tag()}`, content });
    // A4 at 96 dots per inch, without its margins.
    const page = await newPage({ viewport: { width: 718, height: 1047 } });
    await page.goto(`${appUrl}/blog/${slug}`);
    await page.emulateMedia({ media: 'print' });
    const cut = await page.locator('body *:visible').evaluateAll((all) =>
      all
        .filter((part) => part.getBoundingClientRect().right > innerWidth || part.scrollWidth > part.clientWidth + 1)
        .filter((part) => getComputedStyle(part).display !== 'inline')
        .map(({ tagName, className }) => `${tagName} ${className}`),
    );
    expect(cut).toEqual([]);
  });

  it('a new static page is live at once too', async () => {
    const { slug } = await writer.writePage({ title: `Terms of use ${tag()}` });
    const text = await html(`/pages/${slug}`);
    expect(text).toContain('<p>Some words.</p>');
    expect(text).not.toContain('@@');
  });

  it('redirects from its earlier slugs, and a draft returns 404', async () => {
    const suffix = tag();
    const { id, slug } = await writer.writePost({ title: `Moving ${suffix}` });
    await writer.changePost(id, { title: `Moving ${suffix}`, slug: `moved-${suffix}` });
    const redirect = await fetch(`${appUrl}/blog/${slug}`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, `/blog/moved-${suffix}`]);
    expect((await fetch(`${appUrl}/blog/moved-${suffix}`)).status).toBe(200);
    const draft = await writer.writePost({ title: `Not yet ${suffix}`, status: 'DRAFT' });
    expect((await fetch(`${appUrl}/blog/${draft.slug}`)).status).toBe(404);
  });

  it('has an uncached preview for anyone with the link', async () => {
    const { id } = await writer.writePost({
      title: `Soon ${tag()}`,
      content: '<p>Preview words.</p>',
      status: 'DRAFT',
    });
    const { url } = await writer.call<{ url: string }>('POST', `posts/${id}/preview`);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(await response.text()).toContain('<p>Preview words.</p>');
    expect((await fetch(`${url.slice(0, -6)}AAAAAA`)).status).toBe(404);
  });
});

describe('metadata for crawlers', () => {
  it('includes a feed, a sitemap and robots.txt with public content only', async () => {
    const [feed, map, robots] = await Promise.all([html('/rss.xml'), html('/sitemap.xml'), html('/robots.txt')]);
    // Other tests may have filled the feed, so the first start's own posts need not be in it.
    const inFeed = Array.from(feed.matchAll(/<item>.*?<link>([^<]*)<\/link>/g), ([, link = '']) => link);
    expect(inFeed.filter((link) => !link.startsWith(`${appUrl}/blog/`))).toEqual([]);
    expect(inFeed.length).toBeGreaterThanOrEqual(4);
    expect(inFeed.length).toBeLessThanOrEqual(20);
    for (const path of ['/', '/blog', '/demo', '/terms', '/blog/closing-the-day', '/pages/security']) {
      expect(map).toContain(`<loc>${appUrl}${path}</loc>`);
    }
    expect(robots).toContain(`Sitemap: ${appUrl}/sitemap.xml`);
    const pages = await Promise.all(['/', ...BUILT].map(html));
    const heads = pages.map((page) => page.slice(0, page.indexOf('<body')));
    for (const text of [feed, map, robots, ...heads]) {
      expect(text).not.toMatch(/\/(?:make|receipt|cms|api|app|oauth|invoices?|customers|userinfo|preview)\b/);
      expect(text).not.toContain('payment-plans');
    }
    const page = await newPage();
    await page.goto(appUrl);
    for (const xml of [feed, map]) {
      const root = await page.evaluate(
        (text) => new DOMParser().parseFromString(text, 'application/xml').documentElement.nodeName,
        xml,
      );
      expect(root).toMatch(/^(?:rss|urlset)$/);
    }
  });

  it('gives each public page one canonical URL, a description and structured data', async () => {
    for (const path of ['/', ...BUILT, '/terms']) {
      const head = await html(path);
      expect(head.match(/<link rel="canonical" href="([^"]*)">/)?.[1], path).toBe(`${appUrl}${path}`);
      expect(head.match(/<meta name="description"/g), path).toHaveLength(1);
      expect(head, path).toContain(`<meta property="og:url" content="${appUrl}${path}">`);
      const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(head)?.[1];
      if (path !== '/terms') expect(JSON.parse(data ?? ''), path).toMatchObject({ '@context': 'https://schema.org' });
    }
  });
});
