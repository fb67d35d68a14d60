import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveInvoices } from '#tests/support/servers/list-server';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource|net::ERR_FAILED/;
const open = (page: Page, path: string) => page.goto(product.appUrl + path);
const firstRow = (page: Page) => page.locator('tbody tr:not(.row-skeleton) .at-title').first();

/** Makes a promise and a function that resolves it. */
function makeGate() {
  let open: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}

/** The positions of the list's parts: frame, heads or cards, pager. */
const edges = (page: Page) =>
  page
    .locator('.table, .table thead th, .table tbody tr, .pager')
    .evaluateAll((parts) =>
      parts
        .map((part) => part.getBoundingClientRect())
        .map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round)),
    );

describe('invoice list', () => {
  it.each(VIEWS)('shows a loading message and shifts no edge when the rows arrive (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const server = await serveInvoices(page, 137);
    const { closed, open: answer } = makeGate();
    server.hold = closed;
    // On the second page, every text fits on one line.
    await open(page, '/invoices?page=2');
    await page.getByText('Loading invoices...').waitFor();
    await page.locator('.at-title .skeleton').first().waitFor();
    await expectAccessible(page);
    await picture(page, `invoices-loading-${name.replace(' ', '-')}`);
    const before = await edges(page);
    answer();
    await firstRow(page).waitFor();
    expect(await edges(page)).toEqual(before);
  });
});

describe('the code of a screen', () => {
  it('shows an error when it cannot be loaded, and Retry loads it', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await serveInvoices(page, 137);
    await page.route('**/InvoiceList.*.js', (route) => route.abort());
    await open(page, '/invoices');
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    await page.getByText('This screen could not be loaded.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/InvoiceList.*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await firstRow(page).waitFor();
  });
});
