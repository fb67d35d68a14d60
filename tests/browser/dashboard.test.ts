import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { logIn, phone, useMerchant } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource/;

describe('dashboard', () => {
  it('collapses its views behind a button on a phone', async () => {
    const page = await merchantPage(phone);
    await page.goto(product.appUrl);
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
    const link = sidebar.getByRole('link', { name: 'Open Invoices' });
    await sidebar.getByRole('button', { name: 'Batches Dashboard' }).tap();
    await link.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
  });

  it('shows the Account sections in a row with the current one in view', async () => {
    const isInView = async (page: Page, name: string) => {
      const box = await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).boundingBox();
      const width = page.viewportSize()?.width ?? 0;
      return box !== null && box.x >= 0 && box.x + box.width <= width;
    };
    const page = await merchantPage(phone);
    await page.goto(`${product.appUrl}/account/records`);
    await page.getByRole('heading', { name: 'Records and closing' }).waitFor();
    await expect.poll(() => isInView(page, 'Records and closing')).toBe(true);
    const desktop = await merchantPage();
    for (const path of ['/account/team', '/audit']) {
      await desktop.goto(`${product.appUrl}${path}`);
      await desktop.getByRole('navigation', { name: 'Account' }).waitFor();
      for (const name of ['User Info', 'Records and closing'])
        await expect.poll(() => isInView(desktop, name), { message: path }).toBe(true);
    }
    const nav = desktop.getByRole('navigation', { name: 'Account' });
    const boxOnTrail = await nav.boundingBox();
    await desktop.getByRole('link', { name: 'Approvals' }).click();
    await desktop.getByRole('heading', { name: 'Approvals' }).waitFor();
    expect((await nav.boundingBox())?.x).toBe(boxOnTrail?.x);
  });

  it('logs out from the account menu by keyboard alone, and closes the session in all other tabs', async () => {
    const page = await newPage({ expected: REFUSED });
    await logIn(page, product.appUrl, hubs[0]);
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${product.appUrl}/customers`);
    await otherTab.getByRole('heading', { name: 'Customers' }).waitFor();
    // Calls that are still under way when the session ends would show an error.
    await page.waitForLoadState('networkidle');

    await page.getByRole('button', { name: 'Account' }).press('Enter');
    await page.getByRole('link', { name: 'Log Out' }).waitFor();
    const focusedItems: string[] = [];
    while (focusedItems.at(-1) !== 'Log Out' && focusedItems.length < 16) {
      await page.keyboard.press('ArrowDown');
      focusedItems.push((await page.evaluate(() => document.activeElement?.textContent)) ?? '');
    }
    expect(focusedItems).toEqual([
      ...['User Info', 'Team', 'Audit trail', 'Records and closing', 'Approvals', 'Payments settings', 'Switch person'],
      ...['System', 'Light', 'Dark', 'Log Out'],
    ]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Account, ');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Log Out' }).click();
    await page.waitForURL(`${product.appUrl}/`);
    await page.getByRole('heading', { name: 'Secure Payment Solutions for Modern Business' }).waitFor();

    // When the other tab is shown again, it no longer shows the clinic's data.
    await otherTab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    // Two checks may redirect the tab at once; the first navigation is then aborted.
    await expect.poll(() => otherTab.url()).toBe(`${product.appUrl}/login`);
  });
});
