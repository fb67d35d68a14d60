import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { makeOpenInvoice, serveOpenInvoices } from '#tests/support/servers/open-invoices-server';
import { useMerchant } from './merchant.ts';
import { expectGood, expectText } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

async function open(rows: OpenInvoiceItem[], options: Parameters<typeof newPage>[0] = {}) {
  const page = await merchantPage(options);
  const server = await serveOpenInvoices(page, rows);
  await page.goto(`${product.appUrl}/openInvoices`);
  await page.getByRole('heading', { name: 'Open Invoices' }).waitFor();
  return { page, server };
}

const tenInvoices = () => Array.from({ length: 10 }, (_, at) => makeOpenInvoice(at));
const row = (page: Page, number: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
const lastEmail = (page: Page, number: string) => row(page, number).locator('.at-note');
const MAILED = { kind: 'pay-link', at: '2025-03-04T15:42:00Z', delivery: 'delivered', told_at: null } as const;
const menu = (page: Page, number: string) => page.getByRole('button', { name: `Payment link of ${number}` });

/** Returns `whole` if an open panel is inside the window, directly below or above its button; otherwise the fault. */
async function placeOf(page: Page, button: Locator, panel: Locator): Promise<string> {
  const [buttonBox, panelBox, window] = [await button.boundingBox(), await panel.boundingBox(), page.viewportSize()];
  if (!buttonBox || !panelBox || !window) return 'not there';
  const [right, bottom] = [panelBox.x + panelBox.width, panelBox.y + panelBox.height];
  const isInside = panelBox.x >= 0 && panelBox.y >= 0 && right <= window.width && bottom <= window.height;
  const gap = Math.min(Math.abs(panelBox.y - (buttonBox.y + buttonBox.height)), Math.abs(buttonBox.y - bottom));
  if (!isInside) return `cut off: ${JSON.stringify({ button: buttonBox, panel: panelBox, window })}`;
  return gap < 9 ? 'whole' : `${gap} px away`;
}

describe('Open Invoices', () => {
  it('shows the mail status in a column, below the status when space is short, and on a card', async () => {
    const { page } = await open([makeOpenInvoice(0, { last_email: MAILED }), makeOpenInvoice(2)]);
    const cell = lastEmail(page, 'INV-1042').getByText('payment page not opened');
    const under = row(page, 'INV-1042').locator('.at-state').getByText('payment page not opened');
    for (const [width, isOwn] of [
      [1448, true],
      [1440, false],
      [1100, false],
      [390, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await (isOwn ? cell : under).waitFor();
      await (isOwn ? under : cell).waitFor({ state: 'hidden' });
      await expect.poll(() => page.locator('.table-scrolling').count(), { message: `${width} px` }).toBe(0);
    }
    await expectText(lastEmail(page, 'INV-1040'), 'Last email never');
    await menu(page, 'INV-1042').click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    await expectGood(page, 'open-invoices');
  });

  it.each([
    ['a desk', { width: 1280, height: 620 }],
    ['a phone', { width: 360, height: 640 }],
    ['a phone on its side', { width: 640, height: 360 }],
    ['a page at four times its size', { width: 320, height: 256 }],
  ])('shows a row’s full menu beside its button at any scroll position: %s', async (_, viewport) => {
    const { page } = await open(tenInvoices(), { viewport });
    const button = menu(page, 'INV-1036');
    await button.click();
    const panel = page.locator('.menu:popover-open');
    await panel.waitFor();
    const positions = new Set<number>();
    for (const place of ['end', 'center', 'start', 'nearest'] as const) {
      await button.evaluate((element, block) => element.scrollIntoView({ block, behavior: 'instant' }), place);
      await expect.poll(() => placeOf(page, button, panel)).toBe('whole');
      positions.add(await page.evaluate(() => window.scrollY));
      await page.getByRole('button', { name: 'Revoke link' }).click({ trial: true });
    }
    expect(positions.size, 'the page scrolls').toBeGreaterThan(1);
    await page.setViewportSize({ width: viewport.width - 40, height: viewport.height });
    await expect.poll(() => placeOf(page, button, panel)).toBe('whole');
  });
});
