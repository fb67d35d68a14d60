import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveChecks } from '#tests/support/servers/checks-server';
import { onlineTerminal } from '#tests/support/wire';
import { phone, useMerchant } from './merchant.ts';
import { closeOpenBatch } from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

describe('payments to check', () => {
  it('the list fits on a phone screen', async () => {
    const page = await merchantPage({ theme: 'dark', ...phone });
    await serveChecks(page);
    await page.goto(`${product.appUrl}/checks`);
    await page.getByText('Only at the card provider').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, 'checks-dark-phone');
  });
});

describe('a batch', () => {
  const match = (page: Page) => page.getByRole('region', { name: 'Checked against our books' });

  it('is shown with its transactions and with sums that match our ledger', async () => {
    const page = await merchantPage();
    const online = onlineTerminal();
    // Uses a separate batch, because other tests lose responses, which show up as differences in their batch.
    await closeOpenBatch(page, product, online.name);
    const { payId, number } = await product.makeLink({ amount: '41.30' });
    expect((await product.pay(payId, await product.form())).status).toBe(200);
    await page.goto(`${product.appUrl}/transactions?terminal=${online.terminalId}`);
    await page.getByRole('link', { name: number }).first().waitFor();
    await match(page).getByText('Agrees').first().waitFor();
    expect(await match(page).getByText('Agrees').count()).toBe(3);
    await match(page).getByText('1 of 1 lines agree with our books.', { exact: true }).waitFor();
    expect(await match(page).getByText('$41.30').count()).toBeGreaterThan(0);
    await expectAccessible(page);
    await picture(page, 'batch-match');
  });
});
