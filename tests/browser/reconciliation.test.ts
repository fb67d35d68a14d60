import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { DESK, serveBatch, serveChecks, view } from '#tests/support/servers/checks-server';
import { onlineTerminal } from '#tests/support/wire';
import { phone, useMerchant } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

describe('payments to check', () => {
  it('fit on a phone screen', async () => {
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

  it('is reconciled with our ledger beside its transactions', async () => {
    const page = await merchantPage();
    const { payId, number } = await product.makeLink({ amount: '41.30' });
    expect((await product.pay(payId, await product.form())).status).toBe(200);
    await page.goto(`${product.appUrl}/transactions?terminal=${onlineTerminal().terminalId}`);
    await page.getByRole('link', { name: number }).first().waitFor();
    await match(page)
      .getByText(/^\d+ of \d+ lines agree with our books/)
      .waitFor();
    // Other tests lose answers for payments of this batch, which are its only differences.
    expect(await match(page).getByText(number).count()).toBe(0);
  });

  it('shows that all lines and sums agree', async () => {
    const page = await merchantPage();
    const sums = ['sales', 'refunds', 'net'].map((what) => ({ what, lines: '41.30', batch: '41.30', agrees: true }));
    const lines = view.differences.map((line) => ({ ...line, verdict: 'matched', ours: line.amount }));
    await serveBatch(page, { answer: { lines, sums } });
    await page.goto(`${product.appUrl}/transactions?terminal=${DESK}`);
    await match(page).getByText('3 of 3 lines agree with our books.').waitFor();
    expect(await match(page).getByText('Agrees').count()).toBe(3);
    await expectAccessible(page);
    await picture(page, 'batch-match');
  });
});
