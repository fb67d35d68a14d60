import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { paymentOf, servePayments } from '#tests/support/servers/payments-server';
import { useColleagues } from './colleagues.ts';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const { adminPage, paidInvoice } = useColleagues(product, newPage);

/** Opens the list of the day, one click from the dashboard. */
async function openDay(page: Page): Promise<void> {
  await page.goto(product.appUrl);
  await page.getByRole('link', { name: /, all payments of today$/ }).click();
  await page.getByRole('heading', { name: 'Payments', level: 2 }).waitFor();
}
const net = (page: Page) => page.locator('.payment-totals').getByText(/^Net/).locator('..').getByRole('definition');

describe('the list of all payments', () => {
  it('leads from the dashboard to a refund in three clicks', async () => {
    const { invoiceId } = await paidInvoice();
    // The last proof of the shared session may be too old.
    const page = await adminPage();
    await openDay(page);
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="/invoice/${invoiceId}"]`) });
    await row.getByRole('button', { name: /^Void or refund/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Billed twice');
    await dialog.getByRole('button', { name: /^(Void|Refund) \$/ }).click();
    await page.getByText(/^(Voided|Refunded) \$/).waitFor();
    await expect.poll(() => row.first().innerText()).toMatch(/Voided|Refunded/);
  });

  it('saves a file with the sum that is shown', async () => {
    const { number } = await paidInvoice();
    const page = await adminPage();
    await openDay(page);
    // Other tests make payments at the same time.
    await page.getByRole('searchbox').fill(number);
    await page.getByText('1-1 of 1').waitFor();
    await page.getByRole('button', { name: 'This month' }).click();
    await page.getByRole('button', { name: 'This month', pressed: true }).waitFor();
    await page.getByText('1-1 of 1').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await (await saving).path();
    const [head = '', ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    const column = head.split(',').indexOf('"Amount"');
    expect(rows.map((row) => row.slice(1, -1).split('","')[column])).toEqual(['184.00']);
    expect(await net(page).innerText()).toBe('$184.00');
  });

  it.each(VIEWS)('fits the screen and is accessible (%s)', async (name, options) => {
    const page = await merchantPage(options);
    await servePayments(
      page,
      [
        paymentOf(),
        paymentOf({ id: 'txn-2', status: 'refund', amount: '-38.40', counted: '-38.40', can_go_back: false }),
        paymentOf({ id: 'txn-3', status: 'voided', counted: '0.00', can_go_back: false, payer: 'Vesna Ruiz' }),
        paymentOf({ id: 'txn-4', status: 'partly_refunded', method: 'ach', card: '', terminal: '', by: '' }),
      ],
      { unknown: { count: 1, amount: '187.15' } },
    );
    await page.goto(`${product.appUrl}/transactions/all`);
    await page.getByText('1 with no outcome yet').waitFor();
    await expectAccessible(page);
    await picture(page, `payment-list-${name.replace(' ', '-')}`);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });
});
