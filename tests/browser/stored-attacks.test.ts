import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { attacks } from '#tests/support/content/attacks';
import { logInWriter, type Writer } from '#tests/support/content/writer';
import { useProduct } from '#tests/support/product/product';
import { plantAttacks, removeAttacks } from './planted-attacks.ts';

const product = useProduct();
const { appUrl } = product;
const newPage = useBrowser();
const TABS = 4;
const runId = crypto.randomUUID().slice(0, 8);

let writer: Writer;
beforeAll(async () => {
  writer = await logInWriter(appUrl, product.output);
});
// Restores the blog for later tests.
afterAll(async () => {
  await removeAttacks(product, `attack-${runId}-`);
});

const addressOf = (route: string, at: number | '' = '') => `attack-${runId}-${route}-${at}`;

async function writeByApi(): Promise<void> {
  for (const [at, content] of attacks.entries()) {
    await writer.writePost({ title: `Attack ${at}`, slug: addressOf('api', at), content });
  }
}

/** Returns the texts that ran or left an executable address. The content policy is off, so it cannot hide a flaw. */
async function findRunning(route: string): Promise<string[]> {
  const findings: string[] = [];
  const tab = async (first: number) => {
    const page = await newPage({ bypassCSP: true, expected: /./ });
    page.on('dialog', (dialog) => {
      findings.push(`${page.url()} ${dialog.message()}`);
      void dialog.dismiss();
    });
    for (let at = first; at < attacks.length; at += TABS) {
      await page.goto(`${appUrl}/blog/${addressOf(route, at)}`, { waitUntil: 'load' });
      const harm = await page.evaluate(() => ({
        ran: Reflect.get(window, 'canary') !== undefined,
        isShown: document.querySelector('article.article-post') !== null,
        loaded: document.querySelectorAll(
          'article :is(script:not([type="application/ld+json"]), iframe, object, embed, form, base, style, link)',
        ).length,
        addresses: [...document.querySelectorAll('article *')]
          .flatMap((element) => [...element.attributes])
          .filter(({ name, value }) => name.startsWith('on') || /^\s*(?:javascript|vbscript|data):/i.test(value))
          .length,
      }));
      if (harm.ran || !harm.isShown || harm.loaded > 0 || harm.addresses > 0) {
        findings.push(`${attacks[at]} ${JSON.stringify(harm)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: TABS }, (_, first) => tab(first)));
  return findings;
}

describe(`${attacks.length} attacks on readers of the blog`, () => {
  it('attacks do not run when stored directly in the database', { timeout: 180_000 }, async () => {
    expect(attacks.length).toBeGreaterThanOrEqual(76);
    await plantAttacks(product, addressOf('database'));
    expect(await findRunning('database')).toEqual([]);
  });

  it('attacks do not run when sent to the content area', { timeout: 180_000 }, async () => {
    await writeByApi();
    expect(await findRunning('api')).toEqual([]);
  });
});

it('the allowed elements of an article are kept', async () => {
  const { slug } = await writer.writePost({
    title: 'Good things',
    slug: addressOf('good', 0),
    content: `<h2>Head</h2><p><strong>b</strong> <em>i</em> <a href="https://example.com/" title="t">a</a></p>
<ul><li><p>u</p></li></ul><ol start="3"><li><p>o</p></li></ol><blockquote><p>q</p></blockquote><pre><code>c</code></pre>
<table><tbody><tr><th>h</th><td align="right">d</td></tr></tbody></table><p><img src="/icon-192.png" alt="Mark"></p>`,
  });
  const page = await newPage();
  await page.goto(`${appUrl}/blog/${slug}`);
  const selectors = ['h2', 'strong', 'em', 'a[href="https://example.com/"]', 'ul li', 'ol[start="3"] li', 'blockquote'];
  for (const selector of [...selectors, 'pre code', 'table td[align=right]', 'img[alt=Mark]']) {
    expect(await page.locator('.article-text').locator(selector).count(), selector).toBe(1);
  }
});
