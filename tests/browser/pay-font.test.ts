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
 * The browser does not wait for a font as it does for a style, so on a busy machine one cold load may paint too early.
 * All attempts fail only if the page requests the font too late.
 */
const ATTEMPTS = 8;

/** Runs a function with a page in a new browser context, whose cache is empty. */
async function inNewContext<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ locale: 'en-US' });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/**
 * Returns the fonts in which the text of an element is shown. The pages keep the font of their first paint
 * (`font-display: optional`), so a later call gives the same result.
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

/** Opens a page and waits for its first paint, which is before the load event if a font is late. */
async function openUntilPainted(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
}

describe('pay page of a first-time visitor', () => {
  it('preloads the brand font at the start of the body, not in the head, before any content', async () => {
    const answer = await fetch((await product.makeLink()).address);
    const [head = '', body = ''] = (await answer.text()).split(/<body[^>]*>/);
    const preload =
      /^\s*<link rel="preload" href="\/_astro\/payer\.[\w-]+\.woff2" as="font" type="font\/woff2" crossorigin>/;
    expect(body).toMatch(preload);
    expect(head + answer.headers.get('link')).not.toMatch(/as="?font/);
  });

  it('is first painted in the brand font when the font file arrives at once', async () => {
    const { address } = await product.makeLink();
    const attempts: unknown[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const fonts = await inNewContext(async (page) => {
        await openUntilPainted(page, address);
        await page.evaluate(() => document.fonts.ready);
        return fontsOf(page, '.payer-business');
      });
      if (fonts.length === 1 && fonts[0]?.name === BRAND && fonts[0].isOurs) return;
      attempts.push(fonts);
    }
    expect.fail(`none of ${ATTEMPTS} loads was painted in the brand font: ${JSON.stringify(attempts)}`);
  });

  it('is painted in a device font when the brand font is late, and shifts nothing when it arrives', async () => {
    const { address } = await product.makeLink();
    await inNewContext(async (page) => {
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      let requestCount = 0;
      await page.route('**/*.woff2', async (route) => {
        requestCount += 1;
        await isReleased;
        await route.continue();
      });
      await watchShifts(page);
      await openUntilPainted(page, address);
      const [firstFont] = await fontsOf(page, '.payer-business');
      expect(firstFont?.isOurs).toBe(false);
      const box = () => page.locator('.bill').evaluate((bill) => bill.getBoundingClientRect().height);
      const before = await box();
      release();
      await page.evaluate(() => document.fonts.ready);
      expect(requestCount).toBeGreaterThan(0);
      expect(await fontsOf(page, '.payer-business')).toEqual([firstFont]);
      expect(await box()).toBe(before);
      expect(await shiftsOf(page)).toBeLessThanOrEqual(0.01);
    });
  });

  it('has every English and Spanish character in the preloaded part of the font', async () => {
    const { address } = await product.makeLink();
    const css = readFileSync('site/styles/fonts-optional.css', 'utf8');
    const [, ranges = ''] = /payer\.woff2[^}]*unicode-range:([^;]*);/.exec(css) ?? [];
    const characters = [...ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].flatMap(([, from = '', to = from]) => {
      const [first, last] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    });
    expect(characters.length).toBeGreaterThan(190);
    for (const character of '$€£¿¡ñÁüº·–—“”’…') expect(characters).toContain(character);
    await inNewContext(async (page) => {
      await openUntilPainted(page, address);
      // The paragraph uses only that file, so a missing character shows another font.
      await page.evaluate(async (text) => {
        const faces = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
        const [, url = ''] = /url\("([^"]*\/payer\.[^"]+)"\)/.exec(faces.map(({ cssText }) => cssText).join('')) ?? [];
        document.fonts.add(await new FontFace('Ahead', `url(${url})`).load());
        const paragraph = document.createElement('p');
        paragraph.id = 'every-sign';
        paragraph.style.fontFamily = 'Ahead';
        paragraph.textContent = text;
        document.body.appendChild(paragraph);
      }, characters.join(''));
      expect(await fontsOf(page, '#every-sign')).toEqual([{ name: BRAND, isOurs: true }]);
    });
  });
});
