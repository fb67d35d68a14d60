import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { makeInvoice, serveInvoices } from './list-server.ts';
import { phone, useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const ROW = 'tbody tr:not(.row-skeleton)';
const search = (page: Page) => new URL(page.url()).search;
const range = (page: Page) => page.getByRole('navigation', { name: 'Pages of invoices' }).getByRole('status');
const seesRange = (page: Page, text: string) => range(page).getByText(text, { exact: false }).waitFor();
const numbers = (page: Page) => page.locator(`${ROW} .at-title`).allInnerTexts();

async function openList(page: Page, address = '/invoices'): Promise<void> {
  await page.goto(product.appUrl + address);
  await page.getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
  await page.locator(`${ROW} .at-title`).first().waitFor();
}

describe('a merchant in the list of invoices', () => {
  it.each(['/invoices', '/openInvoices'])(
    'gets the full width of a wide window for the list at %s',
    async (address) => {
      const page = await merchantPage({ viewport: { width: 1920, height: 1000 } });
      await page.goto(product.appUrl + address);
      await page.locator(ROW).first().waitFor();
      const table = await page.locator('.table').boundingBox();
      const [beside] = await page
        .locator('.side')
        .evaluateAll((all) => all.map((side) => side.getBoundingClientRect().right));
      const from = beside ?? 0;
      expect(table?.x).toBe(from + 32);
      expect(table?.width).toBe(1920 - from - 64);
      // The bar above ends at the same right edge.
      const links = await page.getByRole('link', { name: 'Logout' }).boundingBox();
      expect(1920 - (links ? links.x + links.width : 0)).toBe(32);
    },
  );

  it.each(VIEWS)('reads every field of an invoice, and nothing covers it (%s)', async (name, options) => {
    const page = await merchantPage(options);
    await serveInvoices(page, 137);
    await openList(page);
    const heads = ['Invoice ID', 'Invoice Number', 'Amount Billed', 'Balance Due', 'Due Date', 'Created Date'];
    if (name.includes('desktop')) {
      for (const head of [...heads, 'Last Modified Date', 'Status', 'Actions']) {
        await page.getByRole('columnheader', { name: head }).waitFor();
      }
    } else {
      await page.getByRole('button', { name: 'More fields' }).first().click();
      await page.locator('.row-open').getByText('Last Modified Date').waitFor();
    }
    const [first] = await page.getByRole('row').filter({ hasText: 'INV-1042' }).allInnerTexts();
    for (const text of ['90412', '$12.00', 'Mar 4, 2026', 'Overdue', 'Preview']) expect(first).toContain(text);
    expect(await page.getByRole('link', { name: 'Preview' }).first().getAttribute('href')).toBe('/invoice/90412');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, `invoices-${name.replace(' ', '-')}`);
  });

  it('sorts by a column in both directions, and the direction is announced', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    await openList(page);
    const head = page.getByRole('columnheader', { name: 'Amount Billed' });
    expect(await page.getByRole('columnheader', { name: 'Created Date' }).getAttribute('aria-sort')).toBe('descending');
    expect(await head.getAttribute('aria-sort')).toBe('none');
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(async () => (await numbers(page))[0]).toBe('INV-1041');
    await head.getByRole('button').press('Enter');
    await expect.poll(async () => (await numbers(page))[0]).toBe('INV-1042');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(search(page)).toBe('?sort=hs_amount_billed');
    expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('hs_amount_billed');
  });

  it('sorts on a phone with a select box', async () => {
    const page = await merchantPage(phone);
    await serveInvoices(page, 30);
    await openList(page);
    await page.getByLabel('Sort').selectOption({ label: 'Balance Due, descending' });
    await page.waitForURL(/sort=-hs_balance_due/);
    expect(await page.getByRole('columnheader').count()).toBe(0);
  });

  it('goes through the pages by every button, and cannot go past the ends', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    await openList(page);
    const button = (name: string) => page.getByRole('button', { name: `${name} page` });
    await seesRange(page, '1-10 of 137');
    expect(await button('First').isDisabled()).toBe(true);
    expect(await button('Previous').isDisabled()).toBe(true);
    await button('Next').click();
    await seesRange(page, '11-20 of 137');
    expect(server.calls.at(-1)?.searchParams.get('cursor')).toBe('after-1');
    expect(await button('Next').evaluate((element) => element === document.activeElement)).toBe(true);
    await button('Last').click();
    await seesRange(page, '131-137 of 137');
    expect(server.calls.at(-1)?.searchParams.has('cursor')).toBe(false);
    expect(await button('Next').isDisabled()).toBe(true);
    expect(await button('Last').isDisabled()).toBe(true);
    await button('Previous').click();
    await seesRange(page, '121-130 of 137');
    expect(server.calls.at(-1)?.searchParams.get('cursor')).toBe('before-14');
    await button('First').click();
    await seesRange(page, '1-10 of 137');
    expect(search(page)).toBe('');
  });

  it('goes to a page by its number; an empty box means the first, a number too high the last', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 137);
    await openList(page);
    const box = page.getByLabel('Go to page');
    await box.fill('3');
    await box.press('Enter');
    await seesRange(page, '21-30 of 137');
    await box.fill('');
    await box.press('Enter');
    await seesRange(page, '1-10 of 137');
    await box.fill('99');
    await seesRange(page, '131-137 of 137');
    expect(await box.inputValue()).toBe('14');
  });

  it('chooses the number of rows of a page', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 137);
    await openList(page, '/invoices?page=3');
    const select = page.getByLabel('Rows per page');
    expect(await select.locator('option').allInnerTexts()).toEqual([10, 20, 30, 40, 50].map((size) => `Show ${size}`));
    await select.selectOption('50');
    await seesRange(page, '1-50 of 137');
    expect(await page.locator('tbody tr').count()).toBe(50);
    expect(search(page)).toBe('?size=50');
  });

  it('searches while typing, and one step back leads to the list before', async () => {
    const page = await merchantPage();
    const server = await serveInvoices(page, 137);
    await page.clock.install();
    await openList(page, '/invoices?page=2');
    const box = page.getByRole('searchbox');
    // Typed without a pause, however long the machine takes for a key.
    await page.clock.pauseAt(Date.now() + 120_000);
    await box.pressSequentially('okafor');
    await page.clock.resume();
    await seesRange(page, '1-10 of');
    await page.waitForURL(/q=okafor/);
    await box.fill('1042x');
    await page.getByText('No invoice matches "1042x".').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await seesRange(page, '1-10 of 137');
    expect(await box.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('No invoice matches "1042x".').waitFor();
    expect(await box.inputValue()).toBe('1042x');
    await page.goBack();
    await seesRange(page, '11-20 of 137');
    expect(search(page)).toBe('?page=2');
    // Only a pause in typing asks the server, not every key.
    const typed = server.calls.map((url) => url.searchParams.get('q') ?? 'x').filter((q) => 'okafor'.startsWith(q));
    expect(typed).toEqual(['okafor']);
  });

  it('filters by status, due date and amount, keeps it over a reload, and exports exactly that', async () => {
    const page = await merchantPage({ acceptDownloads: true });
    const server = await serveInvoices(page, 137);
    await openList(page);
    await page.getByRole('button', { name: 'Filter by status' }).click();
    await page.getByRole('checkbox', { name: 'Open' }).check();
    await page.getByRole('checkbox', { name: 'Paid', exact: true }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filter by due date' }).click();
    await page.getByLabel('Due from').fill('2026-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Filter by amount' }).click();
    await page.getByLabel('Billed from').fill('ten');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter an amount like 10 or 10.50.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Billed from').fill('$1,000');
    await page.getByRole('button', { name: 'Apply' }).click();
    const wanted = Array.from({ length: 137 }, (_, at) => makeInvoice(at)).filter(
      ({ properties: { hs_invoice_status: status, hs_due_date: due, hs_amount_billed: billed } }) =>
        (status === 'open' || status === 'paid') && (due ?? '') >= '2026-01-01' && Number(billed) >= 1000,
    );
    await seesRange(page, `of ${wanted.length}`);
    for (const label of ['Status: Open, Paid', 'Due from Jan 1, 2026', 'From $1,000.00']) {
      await page.getByRole('button', { name: label }).waitFor();
    }
    await page.reload();
    await seesRange(page, `of ${wanted.length}`);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^invoices-\d{4}-\d\d-\d\d\.csv$/);
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toHaveLength(wanted.length);
    const asked = server.calls.at(-1)?.searchParams;
    expect([asked?.get('format'), asked?.get('hs_invoice_status'), asked?.get('page')]).toEqual([
      'csv',
      'open,paid',
      null,
    ]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await seesRange(page, '1-10 of 137');
    expect(search(page)).toBe('');
  });

  it('filters on a phone behind one button that counts', async () => {
    const page = await merchantPage(phone);
    await serveInvoices(page, 137);
    await openList(page, '/invoices?hs_invoice_status=paid');
    const filter = page.getByRole('button', { name: 'Filter 1', exact: true });
    await filter.tap();
    await page.getByRole('button', { name: 'Filter by status' }).tap();
    await page.getByRole('checkbox', { name: 'Paid', exact: true }).uncheck();
    await seesRange(page, '1-10 of 137');
    await expectAccessible(page);
  });

  it('returns from an invoice to the same page', async () => {
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

describe('the invoices of the CRM', () => {
  it('are found by number, and a page number past the end shows the last page', { timeout: 120_000 }, async () => {
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
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(number);
    await page.getByRole('link', { name: 'Preview' }).click();
    await page.getByRole('heading', { level: 1 }).getByText(number).waitFor();
  });
});

describe('a text that is too long for its cell', () => {
  const whole = 'INV-1040-a-number-that-somebody-has-made-far-too-long-for-any-cell';

  it('is cut after 50 characters and read in full by the mouse', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 10);
    await openList(page);
    const cut = page.getByRole('button', { name: whole });
    expect(await cut.locator('[aria-hidden]').innerText()).toBe(`${whole.slice(0, 50)}…`);
    await cut.hover();
    const panel = page.locator('.cut-panel:popover-open');
    await panel.waitFor();
    expect(await panel.innerText()).toBe(whole);
    await expectAccessible(page);
    await panel.hover();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('is read in full by the keyboard and closed by Escape', async () => {
    const page = await merchantPage();
    await serveInvoices(page, 10);
    await openList(page);
    await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').focus();
    for (let at = 0; at < 3; at++) await page.keyboard.press('Tab');
    const panel = page.locator('.cut-panel:popover-open');
    await panel.waitFor();
    expect(await panel.innerText()).toBe(whole);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(whole);
  });

  it('is read in full by touch', async () => {
    const page = await merchantPage(phone);
    await serveInvoices(page, 10);
    await openList(page);
    await page.getByRole('button', { name: whole }).tap();
    const panel = page.locator('.cut-panel:popover-open');
    await panel.waitFor();
    expect(await panel.innerText()).toBe(whole);
    await page.getByRole('heading', { name: 'Invoices' }).tap();
    await panel.waitFor({ state: 'detached' });
  });
});
