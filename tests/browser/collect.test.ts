import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { overdueRows, serveMailings, serveOwedList } from '#tests/support/servers/mailings-server';
import { phone, useMerchant } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const OVERDUE = '/openInvoices?sort=due_date&status=overdue';
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const progressBanner = (page: Page) => page.getByRole('region', { name: 'Emailing links' });
const row = (page: Page, number: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });

async function open(rows: OpenInvoiceItem[], options: Parameters<typeof newPage>[0] = {}) {
  const page = await merchantPage(options);
  await serveOwedList(page, rows);
  await serveMailings(page);
  await page.goto(`${product.appUrl}${OVERDUE}`);
  await page.getByRole('checkbox', { name: 'Select this page' }).waitFor();
  return page;
}

describe('selection on a phone', () => {
  it('shows its bar at the bottom without covering the last row', async () => {
    const page = await open(
      overdueRows(3, (at) => (at === 2 ? { email: '' } : {})),
      phone,
    );
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await bar(page).getByRole('button', { name: 'Email 2 links' }).waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const [last, foot] = [await row(page, 'INV-1040').boundingBox(), await bar(page).boundingBox()];
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page);
    await picture(page, 'collect-picked-phone');
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'collect-picked-dark-phone');
  });
});

describe('bulk pay links', () => {
  it('links reach all overdue invoices in three clicks, are sent by the clinic’s alarm, and mail each payer once', {
    timeout: 120_000,
  }, async () => {
    const page = await merchantPage();
    const bills = [
      await product.makeLink({ due_date: '2026-01-02' }),
      await product.makeLink({ due_date: '2026-01-03' }),
    ];
    await serveOwedList(
      page,
      overdueRows(2, (at) => ({ crm_id: bills[at]?.invoiceId ?? '', invoice_number: bills[at]?.number ?? '' })),
    );
    await page.goto(product.appUrl);
    let presses = 0;
    const press = async (role: 'link' | 'checkbox' | 'button', name: string | RegExp) => {
      presses++;
      await page.getByRole(role, { name }).first().click();
    };
    await press('link', /^Overdue/);
    await press('checkbox', 'Select this page');
    await press('button', 'Email 2 links');
    expect(presses).toBeLessThanOrEqual(4);
    await page.getByText('2 links will be emailed.').waitFor();
    await page.reload();
    await progressBanner(page).or(page.locator('.banner-ok')).first().waitFor();
    for (const { email } of bills)
      await until(
        () => product.mailTo(email),
        (mails) => mails.length > 0,
        60_000,
      );
    await page.locator('.banner-ok').getByText('2 sent.').waitFor({ timeout: 60_000 });
    for (const { email } of bills) expect(await product.mailTo(email)).toHaveLength(1);
  });
});
