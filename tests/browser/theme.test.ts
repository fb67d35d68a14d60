import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { PHONE, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { expectGood } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const DARK = 'oklch(0.172 0.01 180)';
const LIGHT = 'oklch(0.984 0.004 170)';

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const choice = (page: Page) => page.getByRole('contentinfo').getByRole('combobox', { name: 'Theme' });

describe('theme', () => {
  it('is chosen in the footer or account menu, stored in the browser, and used by every page that runs script', async () => {
    const page = await newPage({ theme: 'light' });
    await page.goto(product.appUrl);
    expect([await choice(page).inputValue(), await background(page)]).toEqual(['', LIGHT]);
    await choice(page).selectOption('Dark');
    expect(await background(page)).toBe(DARK);

    await page.goto(`${product.appUrl}/oauth/start`);
    await page.getByRole('radio', { name: hubs[0].name }).check();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await page.waitForURL(`${product.appUrl}/`);
    expect(await background(page)).toBe(DARK);
    // Calls still under way when the session ends would send the page to the login.
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: /^Account, / }).click();
    const themes = page.getByRole('group', { name: 'Theme' });
    await themes.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
    await themes.getByRole('button', { name: 'Light' }).click();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background(page)).toBe(LIGHT);
    await page.goto(`${product.appUrl}/logout`);
    expect([await choice(page).inputValue(), await background(page)]).toEqual(['light', LIGHT]);
    await choice(page).selectOption('System');
    expect(await background(page)).toBe(DARK);
    await page.reload();
    expect([await choice(page).inputValue(), await background(page)]).toEqual(['', DARK]);
  });

  it('is set before the page has a body, which prevents a flash', async () => {
    const page = await newPage({ theme: 'light' });
    await page.goto(product.appUrl);
    await choice(page).selectOption('Dark');
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.body) return;
        observer.disconnect();
        document.documentElement.dataset.seen = getComputedStyle(document.documentElement).colorScheme;
      }).observe(document, { childList: true, subtree: true });
    });
    for (const path of ['/', '/login']) {
      await page.goto(`${product.appUrl}${path}`);
      expect(await page.evaluate(() => document.documentElement.dataset.seen), path).toBe('dark');
    }
  });

  it('follows the system on pay and legal pages, regardless of the choice', async () => {
    const { address } = await product.makeLink();
    const page = await newPage({ theme: 'light', expected: /status of 404/ });
    await page.goto(product.appUrl);
    await choice(page).selectOption('Dark');
    for (const url of [address, `${product.appUrl}/terms`, `${product.appUrl}/make/payment/nothing`]) {
      await page.goto(url);
      expect([await choice(page).count(), await background(page)], url).toEqual([0, LIGHT]);
    }
  });

  it('can be chosen by touch and by keyboard', async () => {
    const page = await newPage({ viewport: PHONE, hasTouch: true });
    await page.goto(`${product.appUrl}/login`);
    const box = await choice(page).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await choice(page).focus();
    await page.keyboard.press('d');
    expect(await background(page)).toBe(DARK);
    await choice(page).selectOption('System');
    await page.goto(product.appUrl);
    await expectGood(page, 'home-theme');
  });
});
