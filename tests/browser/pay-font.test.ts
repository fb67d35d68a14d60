import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '#tests/support/browser/browser';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shift';
import { useProduct } from '#tests/support/product/product';

const product = useProduct();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const BRAND = 'Hanken Grotesk';
/**
 * One cold loading may lose its race on a busy machine, since the browser does not wait for a font as it does for a
 * style; that all of so many lose it does not happen unless the page asks for the font too late.
 */
const LOADINGS = 8;

/** A page of a browser that has never been here: its context has no file in its cache. */
async function inNewContext<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ locale: 'en-US' });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/**
 * The fonts in which the text of an element is shown. These pages keep the font of their first paint
 * (`font-display: optional`), so it may be asked for at any later time.
 */
async function fontsOf(page: Page, selector: string): Promise<{ name: string; isOurs: boolean }[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => ({ name: familyName, isOurs: isCustomFont }));
}

/** Opens a page and waits until it was painted, which is before its load event where a font is late. */
async function openPainted(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
}

describe('pay page of a first-time visitor', () => {
  it('preloads the brand font at the start of the body, not in the head, before any content', async () => {
    const answer = await fetch((await product.makeLink()).address);
    const [head = '', body = ''] = (await answer.text()).split(/<body[^>]*>/);
    const ahead =
      /^\s*<link rel="preload" href="\/_astro\/payer\.[\w-]+\.woff2" as="font" type="font\/woff2" crossorigin>/;
    expect(body).toMatch(ahead);
    expect(head + answer.headers.get('link')).not.toMatch(/as="?font/);
  });

  it('is first painted in the brand font when its file arrives at once', async () => {
    const { address } = await product.makeLink();
    const seen: unknown[] = [];
    for (let loading = 0; loading < LOADINGS; loading++) {
      const fonts = await inNewContext(async (page) => {
        await openPainted(page, address);
        await page.evaluate(() => document.fonts.ready);
        return fontsOf(page, '.payer-business');
      });
      if (fonts.length === 1 && fonts[0]?.name === BRAND && fonts[0].isOurs) return;
      seen.push(fonts);
    }
    expect.fail(`no loading of ${LOADINGS} had it: ${JSON.stringify(seen)}`);
  });

  it('is painted in a device font when the brand font is late, and shifts nothing when it arrives', async () => {
    const { address } = await product.makeLink();
    await inNewContext(async (page) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = 0;
      await page.route('**/*.woff2', async (route) => {
        asked += 1;
        await held;
        await route.continue();
      });
      await watchShifts(page);
      await openPainted(page, address);
      const [painted] = await fontsOf(page, '.payer-business');
      expect(painted?.isOurs).toBe(false);
      const box = () => page.locator('.bill').evaluate((bill) => bill.getBoundingClientRect().height);
      const before = await box();
      release();
      await page.evaluate(() => document.fonts.ready);
      expect(asked).toBeGreaterThan(0);
      expect(await fontsOf(page, '.payer-business')).toEqual([painted]);
      expect(await box()).toBe(before);
      expect(await shiftsOf(page)).toBeLessThanOrEqual(0.01);
    });
  });

  it('has every English and Spanish character in the preloaded part of the font', async () => {
    const { address } = await product.makeLink();
    const css = readFileSync('site/styles/fonts-optional.css', 'utf8');
    const [, ranges = ''] = /payer\.woff2[^}]*unicode-range:([^;]*);/.exec(css) ?? [];
    const signs = [...ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].flatMap(([, from = '', to = from]) => {
      const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      return Array.from({ length: last - first + 1 }, (_one, at) => String.fromCodePoint(first + at));
    });
    expect(signs.length).toBeGreaterThan(190);
    for (const sign of '$€£¿¡ñÁüº·–—“”’…') expect(signs).toContain(sign);
    await inNewContext(async (page) => {
      await openPainted(page, address);
      // A paragraph in that file alone, so that a sign which it lacks shows another font.
      await page.evaluate(async (text) => {
        const faces = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
        const [, url = ''] = /url\("([^"]*\/payer\.[^"]+)"\)/.exec(faces.map(({ cssText }) => cssText).join('')) ?? [];
        document.fonts.add(await new FontFace('Ahead', `url(${url})`).load());
        const every = document.createElement('p');
        every.id = 'every-sign';
        every.style.fontFamily = 'Ahead';
        every.textContent = text;
        document.body.appendChild(every);
      }, signs.join(''));
      expect(await fontsOf(page, '#every-sign')).toEqual([{ name: BRAND, isOurs: true }]);
    });
  });
});
