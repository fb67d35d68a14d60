import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkDoubleText } from '#tests/support/browser/beyond-axe';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { busyToday, serveBatches, serveToday } from '#tests/support/servers/today-server';
import { phone, useMerchant } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const summary = (page: Page) => page.locator('.today');
const textOf = async (page: Page) => (await summary(page).innerText()).replace(/\s+/g, ' ');

describe('summary at the top of the dashboard', () => {
  it('fits a phone with its table open', async () => {
    const page = await merchantPage({ theme: 'dark', ...phone });
    await serveBatches(page, await serveToday(page, busyToday()));
    await page.goto(product.appUrl);
    await page.getByText('$753.35').first().waitFor();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('figure').getByRole('row').count()).toBe(16);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await page.getByText('Show as table').click();
    await picture(page, 'today-dark-phone');
  });

  it('cuts no seven-digit amount at twice the text size', async () => {
    const page = await merchantPage();
    const large = { count: 1096, amount: '1234567.89' };
    await serveToday(page, { ...busyToday(), owed: large, overdue: { ...large, oldest_days: 174 }, to_check: large });
    await page.goto(product.appUrl);
    await page.getByText('$1,234,567.89').first().waitFor();
    expect(await checkDoubleText(page)).toEqual([]);
  });

  it('includes a payment after it was made', async () => {
    const link = await product.makeLink({ amount: '41.30' });
    expect((await product.pay(link.payId, await product.form())).status).toBe(200);
    const page = await merchantPage();
    await page.goto(product.appUrl);
    const row = page
      .getByRole('region', { name: 'Latest payments' })
      .getByRole('listitem')
      .filter({ hasText: link.number });
    await row.waitFor();
    expect(await row.innerText()).toContain('$41.30');
    expect(await textOf(page)).toMatch(/Taken today \$[\d,]+\.\d\d .*\d+ payments?/);
  });
});
