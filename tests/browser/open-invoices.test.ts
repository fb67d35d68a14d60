import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { makeOpenInvoice, serveOpenInvoices } from '#tests/support/servers/open-invoices-server';
import { logIn, useMerchant } from './merchant.ts';
import { expectFocus, expectGood, expectText } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const [dental] = hubs;

async function open(rows: OpenInvoiceItem[], options: Parameters<typeof newPage>[0] = {}) {
  const page = await merchantPage(options);
  const server = await serveOpenInvoices(page, rows);
  await page.goto(`${product.appUrl}/openInvoices`);
  await page.getByRole('heading', { name: 'Open Invoices' }).waitFor();
  return { page, server };
}

const ten = () => Array.from({ length: 10 }, (_, at) => makeOpenInvoice(at));
const row = (page: Page, number: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
const lastEmail = (page: Page, number: string) => row(page, number).locator('.at-note');
const MAILED = { kind: 'pay-link', at: '2025-03-04T15:42:00Z', delivery: 'delivered', told_at: null } as const;
const action = (page: Page, number: string) => row(page, number).getByRole('button', { name: /^Email / });
const menu = (page: Page, number: string) => page.getByRole('button', { name: `Pay link of ${number}` });

/** Errors in the position of an open panel. It must be in the window, right under or right above its button. */
async function isBeside(page: Page, button: Locator, panel: Locator): Promise<string> {
  const [of, at, window] = [await button.boundingBox(), await panel.boundingBox(), page.viewportSize()];
  if (!of || !at || !window) return 'not there';
  const isInside = at.x >= 0 && at.y >= 0 && at.x + at.width <= window.width && at.y + at.height <= window.height;
  const gap = Math.min(Math.abs(at.y - (of.y + of.height)), Math.abs(of.y - (at.y + at.height)));
  if (!isInside) return 'cut off';
  return gap < 9 ? 'whole' : `${gap} px away`;
}

describe('Open Invoices', () => {
  it("offers 'Email Receipt' for paid invoices and 'Email Payment Link' for all others", async () => {
    const { page } = await open([
      ...ten().slice(0, 9),
      makeOpenInvoice(10, { status: 'submitted', crm_status: 'open' }),
    ]);
    // The tick of the page comes after the rows.
    await page.getByRole('columnheader', { name: 'Select this page' }).waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((head) => head.replace(/^Select this page\s/, '').trim())).toEqual([
      ...['Action', 'Invoice ID', 'Company', 'Customer', 'Amount', 'Due Date', 'Status', 'Last email'],
    ]);
    expect(await action(page, 'INV-1042').innerText()).toBe('Email Payment Link');
    expect(await action(page, 'INV-1041').innerText()).toBe('Email Receipt');
    expect(await action(page, 'INV-1032').innerText()).toBe('Email Payment Link');
    expect(await menu(page, 'INV-1041').count(), 'a paid invoice needs no link').toBe(0);
    await lastEmail(page, 'INV-1039').getByText('never').waitFor();
    const cells = await row(page, 'INV-1039').locator('th, td').allInnerTexts();
    expect(cells.slice(1).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      'INV-1039',
      expect.stringMatching(/^Brandt and Daughters Heating, Cooling and Plumbing…/),
      'Jonas Brandt',
      '$295.57',
      expect.stringMatching(/^Mar 4, 2026 ?\d+ days late$/),
      'Overdue',
      'never',
    ]);
    await expectText(page.getByRole('link', { name: /^All/ }), 'All 10');
    await expectGood(page, 'open-invoices');
  });

  it('offers nothing for an invoice in another currency, and says why', async () => {
    const euros = makeOpenInvoice(12, { currency: 'EUR', status: 'open', link_ends_at: null });
    const { page } = await open([
      ...ten().slice(0, 8),
      euros,
      makeOpenInvoice(13, { currency: 'EUR', status: 'paid' }),
    ]);
    await row(page, 'INV-1030').getByText('Invoices in EUR cannot be paid online.').waitFor();
    expect(await action(page, 'INV-1030').count()).toBe(0);
    expect(await menu(page, 'INV-1030').count()).toBe(0);
    expect(await action(page, 'INV-1029').innerText()).toBe('Email Receipt');
    await expectGood(page, 'open-invoices-currency');
  });

  it("mails a link: 'Payment link sent', and the row keeps when", async () => {
    const { page, server } = await open(ten());
    await action(page, 'INV-1042').click();
    await expectText(page.locator('.banner-ok'), 'Payment link sent INV-1042 went to payer0@example.test.');
    await lastEmail(page, 'INV-1042')
      .getByText(/^Sent \d+:\d\d\s[AP]M$/)
      .waitFor();
    expect(server.writes).toEqual(['POST /sendPaymentLink/90412']);
    await expectGood(page, 'open-invoices-sent');
    await page.getByRole('button', { name: 'Close message' }).first().click();
    await lastEmail(page, 'INV-1042')
      .getByText(/^Sent \d+:\d\d\s[AP]M$/)
      .waitFor();
  });

  it("mails a receipt: 'Payment success email sent'", async () => {
    const { page, server } = await open(ten());
    await action(page, 'INV-1041').click();
    await page.getByText('Payment success email sent', { exact: true }).waitFor();
    await lastEmail(page, 'INV-1041')
      .getByText(/^Receipt \d+:\d\d\s[AP]M$/)
      .waitFor();
    expect(server.writes).toEqual(['POST /sendPaymentSuccessEmail/90413']);
  });

  it.each([
    ['INV-1042', 'Error sending payment link'],
    ['INV-1041', 'Error sending payment success email'],
  ])('says for %s that it failed and why: %s', async (number, sentence) => {
    const { page, server } = await open(ten(), { expected: /429/ });
    server.refusal = {
      on: /^POST/,
      status: 429,
      code: 'too-many',
      message: 'Not sent again: the last email left less than a minute ago. Try again in a minute.',
    };
    await action(page, number).click();
    await expectText(
      page.getByRole('alert'),
      `${sentence} ${number}: Not sent again: the last email left less than a minute ago. Try again in a minute.`,
    );
    expect(await lastEmail(page, number).getByText('Sent').count()).toBe(0);
    await expect.poll(() => action(page, number).isEnabled()).toBe(true);
    await expectGood(page, 'open-invoices-not-sent');
  });

  it('disables the button where there is no address, and says so', async () => {
    const { page } = await open([makeOpenInvoice(0, { email: '' }), makeOpenInvoice(1)]);
    await row(page, 'INV-1042').getByText('No email address in HubSpot').waitFor();
    expect(await action(page, 'INV-1042').isDisabled()).toBe(true);
    expect(await action(page, 'INV-1041').isDisabled()).toBe(false);
  });

  it('shows a payment made here while the CRM still says otherwise', async () => {
    const { page } = await open([
      makeOpenInvoice(0, { status: 'paid', crm_status: 'open' }),
      makeOpenInvoice(1, { status: 'paid', crm_status: 'paid', last_email: MAILED }),
      makeOpenInvoice(2, { last_email: MAILED }),
    ]);
    await row(page, 'INV-1042').getByText('Paid here. HubSpot says open: mark it paid there.').waitFor();
    await lastEmail(page, 'INV-1041').getByText('Sent Mar 4, 2025', { exact: true }).waitFor();
    await lastEmail(page, 'INV-1040').getByText('pay page not opened').waitFor();
    expect(await row(page, 'INV-1041').getByText('Paid here').count()).toBe(0);
    await expectGood(page, 'open-invoices-paid-here');
  });

  it('says what the mails came to in a column, under the status where there is no room for one, and on a card', async () => {
    const { page } = await open([makeOpenInvoice(0, { last_email: MAILED }), makeOpenInvoice(2)]);
    const cell = lastEmail(page, 'INV-1042').getByText('pay page not opened');
    const under = row(page, 'INV-1042').locator('.at-state').getByText('pay page not opened');
    await cell.waitFor();
    for (const [width, isOwn] of [
      [1240, true],
      [1232, false],
      [1100, false],
      [390, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await (isOwn ? cell : under).waitFor();
      await (isOwn ? under : cell).waitFor({ state: 'hidden' });
      await expect.poll(() => page.locator('.table-scrolling').count(), { message: `${width} px` }).toBe(0);
    }
    await expectText(lastEmail(page, 'INV-1040'), 'Last email never');
  });

  it('asks for what is owed first, and the list of every state keeps its order by status', async () => {
    const page = await merchantPage();
    await serveOpenInvoices(page, ten());
    const asked = page.waitForRequest(/getOpenInvoices/);
    await page.goto(`${product.appUrl}/openInvoices`);
    expect(new URL((await asked).url()).searchParams.get('sort')).toBe('status');
    await page.getByRole('columnheader', { name: 'Status' }).and(page.locator('[aria-sort=ascending]')).waitFor();
  });

  it.each([
    ['a desk', { width: 1280, height: 620 }],
    ['a phone', { width: 360, height: 640 }],
    ['a phone on its side', { width: 640, height: 360 }],
    ['a page at four times its size', { width: 320, height: 256 }],
  ])('shows the full menu of a row beside it at any scroll position: %s', async (_, viewport) => {
    const { page } = await open(ten(), { viewport });
    const button = menu(page, 'INV-1036');
    await button.click();
    const panel = page.locator('.menu:popover-open');
    await panel.waitFor();
    const positions = new Set<number>();
    for (const place of ['end', 'center', 'start', 'nearest'] as const) {
      await button.evaluate((element, block) => element.scrollIntoView({ block, behavior: 'instant' }), place);
      await expect.poll(() => isBeside(page, button, panel)).toBe('whole');
      positions.add(await page.evaluate(() => window.scrollY));
      await page.getByRole('button', { name: 'Revoke link' }).click({ trial: true });
    }
    expect(positions.size, 'it was scrolled').toBeGreaterThan(1);
    await page.setViewportSize({ width: viewport.width - 40, height: viewport.height });
    await expect.poll(() => isBeside(page, button, panel)).toBe('whole');
  });

  it('copies the pay link from the menu of a row, by keyboard too', async () => {
    const { page } = await open(ten());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    await menu(page, 'INV-1033').click();
    await expectGood(page, 'open-invoices-menu');
    await menu(page, 'INV-1042').click();
    await page.keyboard.press('ArrowDown');
    await expectFocus(page.getByRole('button', { name: 'Copy link' }));
    await page.keyboard.press('Enter');
    await page.getByText('Pay link copied.').waitFor();
    await expectFocus(menu(page, 'INV-1042'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${product.appUrl}/make/payment/${'pay0'.padEnd(22, '0')}`,
    );
    await menu(page, 'INV-1042').click();
    await page.keyboard.press('Escape');
    await expectFocus(menu(page, 'INV-1042'));
    expect(await page.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
  });

  it("copies a link that begins with the product's own address, under any host name of this browser", async () => {
    const elsewhere = product.appUrl.replace('localhost', '127.0.0.1');
    const page = await newPage();
    await logIn(page, elsewhere, dental);
    await serveOpenInvoices(page, ten());
    const asked = page.waitForResponse(`${elsewhere}/app_url`);
    await page.goto(`${elsewhere}/openInvoices`);
    await (await asked).finished();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: elsewhere });
    await menu(page, 'INV-1042').click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Pay link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${product.appUrl}/make/payment/${'pay0'.padEnd(22, '0')}`,
    );
  });

  it('shows the address in the menu where the browser does not let a page copy', async () => {
    const { page } = await open(ten());
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    await menu(page, 'INV-1042').click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expectText(
      page.locator('.menu').getByRole('alert'),
      `Your browser does not let this page copy. Copy the address yourself: ${product.appUrl}/make/payment/${'pay0'.padEnd(22, '0')}`,
    );
    await expectGood(page, 'open-invoices-uncopied');
  });

  it('revokes a pay link only when asked twice, and copies the new one from then on', async () => {
    const { page, server } = await open(ten());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    const ask = async () => {
      await menu(page, 'INV-1042').click();
      await page.getByRole('button', { name: 'Revoke link' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Revoke the pay link of INV-1042?' });
    await ask();
    await dialog.getByText('$184.00').waitFor();
    await expectGood(page, 'open-invoices-revoke');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(server.writes).toEqual([]);
    await ask();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText('The old pay link of INV-1042 no longer works.').waitFor();
    expect(server.writes).toEqual(['DELETE /90412/link', 'POST /90412/link']);
    await expectFocus(menu(page, 'INV-1042'));
    await menu(page, 'INV-1042').click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/replaced0+$/);
  });

  it('tells loading, nothing, no match and old data apart', async () => {
    const { page, server } = await open([]);
    await page.getByText('No invoices available.').waitFor();
    await expectGood(page, 'open-invoices-empty');
    await page.getByRole('searchbox').fill('1042x');
    await page.getByText('No invoice matches "1042x".').waitFor();
    server.rows = ten();
    server.headers = { 'x-data-stale': 'true', 'x-data-as-of': '2026-03-04T15:42:00Z' };
    let release = () => {};
    server.hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.goto(`${product.appUrl}/openInvoices`);
    await page.getByText('Loading invoices...').waitFor();
    await expectGood(page, 'open-invoices-loading');
    server.hold = null;
    release();
    await page.getByText('HubSpot is not answering.').waitFor();
    await row(page, 'INV-1042').waitFor();
    await expectGood(page, 'open-invoices-stale');
    server.headers = {};
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('HubSpot is not answering.').waitFor({ state: 'detached' });
  });
});
