import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveInvoices } from '#tests/support/servers/list-server';
import { phone, useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const ROW = 'tbody tr:not(.row-skeleton)';
const search = (page: Page) => new URL(page.url()).search;
const range = (page: Page) => page.getByRole('navigation', { name: 'Pages of invoices' }).getByRole('status');
const waitForRange = (page: Page, text: string) => range(page).getByText(text, { exact: false }).waitFor();
/** The first line of each number cell, which is followed by names. */
const numbers = async (page: Page) =>
  (await page.locator(`${ROW} .at-title`).allInnerTexts()).map((text) => text.split('\n')[0]);

/** Returns the box of the first text in the list with this prefix. */
const boxOf = (page: Page) => (prefix: string) =>
  page.locator('tbody').evaluate((list, text) => {
    const texts = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() && !texts.currentNode.textContent?.startsWith(text));
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    return range.getBoundingClientRect().toJSON() as DOMRect;
  }, prefix);

async function openList(page: Page, address = '/invoices'): Promise<void> {
  await page.goto(product.appUrl + address);
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
  await page.locator(`${ROW} .at-title`).first().waitFor();
}

describe('a merchant in the invoice list', () => {
  it.each(VIEWS)('reads customer and company below the number: %s', async (_view, options) => {
    const page = await merchantPage(options);
    await serveInvoices(page, 30);
    await openList(page);
    const names = page.getByText('Marta Núñez, Núñez Studio LLC').first();
    await names.waitFor();
    const [number, below] = await Promise.all(['INV-1042', 'Marta Núñez'].map(boxOf(page)));
    expect(below?.left).toBe(number?.left);
    expect(below?.top).toBeGreaterThanOrEqual(number?.bottom ?? Number.NaN);
    // One line of text.
    expect(below?.height).toBeLessThan(24);
  });

  it.each(['/invoices', '/openInvoices'])(
    'gets the list across the full width of a wide window at %s',
    async (address) => {
      const page = await merchantPage({ viewport: { width: 1920, height: 1000 } });
      await page.goto(product.appUrl + address);
      await page.locator(ROW).first().waitFor();
      const table = await page.locator('.table').boundingBox();
      const [beside] = await page
        .locator('.side')
        .evaluateAll((all) => all.map((side) => side.getBoundingClientRect().right));
      const left = beside ?? 0;
      expect(table?.x).toBe(left + 32);
      expect(table?.width).toBe(1920 - left - 64);
      // The bar above ends at the same right edge.
      const links = await page.getByRole('link', { name: 'Logout' }).boundingBox();
      expect(1920 - (links ? links.x + links.width : 0)).toBe(32);
    },
  );

  it('reads every field of an invoice on a phone without overflow', async () => {
    const page = await merchantPage({ theme: 'dark', ...phone });
    await serveInvoices(page, 137);
    await openList(page);
    expect(await page.getByRole('columnheader').count()).toBe(0);
    await page.getByRole('button', { name: 'More fields' }).first().click();
    await page.locator('.row-open').getByText('Last Modified Date').waitFor();
    const [first] = await page.getByRole('row').filter({ hasText: 'INV-1042' }).allInnerTexts();
    for (const text of ['90412', '$12.00', 'Mar 4, 2026', 'Overdue', 'Preview']) expect(first).toContain(text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, 'invoices-dark-phone');
  });

  it('returns one step back to the list before the search', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 137);
    await openList(page, '/invoices?page=2');
    const box = page.getByRole('searchbox');
    await box.fill('1042x');
    await page.getByText('No invoice matches "1042x".').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await waitForRange(page, '1-10 of 137');
    await page.goBack();
    await page.getByText('No invoice matches "1042x".').waitFor();
    expect(await box.inputValue()).toBe('1042x');
    await page.goBack();
    await waitForRange(page, '11-20 of 137');
    expect(search(page)).toBe('?page=2');
  });

  it('returns from another screen to the same page of the list', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    await openList(page, '/invoices?page=4&sort=hs_number');
    const before = await numbers(page);
    server.hold = new Promise(() => undefined);
    await page.getByRole('link', { name: 'User Info' }).click();
    await page.getByRole('heading', { name: 'User Info' }).waitFor();
    await page.goBack();
    await page.locator(`${ROW} .at-title`).first().waitFor();
    expect(await numbers(page)).toEqual(before);
    expect(search(page)).toBe('?page=4&sort=hs_number');
  });
});

describe('search and paging of CRM invoices', () => {
  it('finds an invoice by number, and shows the last page for a page number past the end', {
    timeout: 120_000,
  }, async () => {
    const { number } = await product.makeInvoice({ amount: '321.50' });
    const page = await merchantPage();
    await openList(page, '/invoices?page=9000');
    await page.waitForURL(/page=\d{1,3}$/);
    // The CRM sync picks up the change by itself.
    await expect
      .poll(
        async () => {
          await page.goto(`${product.appUrl}/invoices?q=${number}`);
          await page.locator(`${ROW}, .table-empty`).first().waitFor();
          return numbers(page);
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toEqual([number]);
    await page.getByRole('cell', { name: '$321.50' }).first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(number);
    await page.getByRole('link', { name: 'Preview' }).click();
    await page.getByRole('heading', { level: 1 }).getByText(number).waitFor();
  });
});

describe('a text too long for its cell', () => {
  const fullText = 'INV-1040-a-number-that-somebody-has-made-far-too-long-for-any-cell';

  it('can be read in full by keyboard and closed with Escape', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 10);
    await openList(page);
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').focus();
    for (let at = 0; at < 3; at++) await page.keyboard.press('Tab');
    const panel = page.locator('.cut-panel:popover-open');
    await panel.waitFor();
    expect(await panel.innerText()).toBe(fullText);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(fullText);
  });
});
