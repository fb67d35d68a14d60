import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveCustomers } from '#tests/support/servers/list-server';
import { logIn, phone, useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const REFUSED = /Failed to load resource/;

describe('the dashboard', () => {
  it.each(VIEWS)('opens on the batches and has read the first customers (%s)', async (name, options) => {
    const page = await merchantPage(options);
    const customers = await serveCustomers(page, 44);
    await page.goto(product.appUrl);
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Batches Dashboard', level: 2 }).waitFor();
    await expect.poll(() => customers.calls.length).toBe(1);
    expect(customers.calls[0]?.searchParams.get('page')).toBe('1');
    expect(await page.title()).toBe('Batches Dashboard – Tillway');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, `dashboard-${name.replace(' ', '-')}`);
    // Read data is shown at once on a screen that is opened again.
    customers.hold = new Promise(() => undefined);
    if (name.includes('phone')) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByText('Ada Okafor 1', { exact: true }).waitFor();
  });

  it('has its views in a sidebar with addresses of their own', async () => {
    const page = await merchantPage();
    await page.goto(product.appUrl);
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
    await sidebar.getByText('Tillway', { exact: true }).waitFor();
    const first = sidebar.getByRole('link', { name: 'Batches Dashboard' });
    expect(await first.getAttribute('aria-current')).toBe('page');
    const link = sidebar.getByRole('link', { name: 'Open Invoices' });
    await link.click();
    await page.waitForURL(`${product.appUrl}/openInvoices`);
    expect(await link.getAttribute('aria-current')).toBe('page');
    await page.reload();
    await page.getByRole('heading', { name: 'Open Invoices', level: 2 }).waitFor();
  });

  it('has its views behind a button on a phone', async () => {
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

  it('has the parts of Account in a row, in which the current one is in sight', async () => {
    const shown = async (page: Page, name: string) => {
      const box = await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).boundingBox();
      const width = page.viewportSize()?.width ?? 0;
      return box !== null && box.x >= 0 && box.x + box.width <= width;
    };
    const page = await merchantPage(phone);
    await page.goto(`${product.appUrl}/account/records`);
    await page.getByRole('heading', { name: 'Records and closing' }).waitFor();
    await expect.poll(() => shown(page, 'Records and closing')).toBe(true);
    const desk = await merchantPage();
    for (const path of ['/account/team', '/audit']) {
      await desk.goto(`${product.appUrl}${path}`);
      await desk.getByRole('navigation', { name: 'Account' }).waitFor();
      for (const name of ['User Info', 'Records and closing'])
        await expect.poll(() => shown(desk, name), { message: path }).toBe(true);
    }
    const nav = desk.getByRole('navigation', { name: 'Account' });
    const onTrail = await nav.boundingBox();
    await desk.getByRole('link', { name: 'Sessions' }).click();
    await desk.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect((await nav.boundingBox())?.x).toBe(onTrail?.x);
  });

  it('shows the error and a way out when the customers cannot be read', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const customers = await serveCustomers(page, 44);
    customers.state = 'refuses';
    await page.goto(product.appUrl);
    const alert = page.getByRole('alert');
    await alert.getByText('The CRM does not answer. Please try again.').waitFor();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(await page.getByRole('heading', { name: 'Batches Dashboard' }).count()).toBe(0);
    await expectAccessible(page);
    // A failed token renewal is reported in the same place.
    await page.route('**/api/refresh-access-token', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } }),
    );
    await page.getByRole('button', { name: 'Refresh Access Token' }).click();
    await page.getByText('Refresh token failed try again or logout and back in.').waitFor();
    customers.state = 'answers';
    await alert.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Batches Dashboard', level: 2 }).waitFor();
  });

  it('ends the session from its account menu, by the keyboard alone, and every other tab is closed with it', async () => {
    const page = await newPage({ expected: REFUSED });
    await logIn(page, product.appUrl, hubs[0]);
    const other = await page.context().newPage();
    await other.goto(`${product.appUrl}/customers`);
    await other.getByRole('heading', { name: 'Customers' }).waitFor();
    // Calls still under way when the session ends would show an error.
    await page.waitForLoadState('networkidle');

    await page.getByRole('button', { name: 'Account' }).press('Enter');
    await page.getByRole('link', { name: 'Log Out' }).waitFor();
    const passed: string[] = [];
    while (passed.at(-1) !== 'Log Out' && passed.length < 16) {
      await page.keyboard.press('ArrowDown');
      passed.push((await page.evaluate(() => document.activeElement?.textContent)) ?? '');
    }
    expect(passed).toEqual([
      ...[
        'User Info',
        'Sessions',
        'Passkeys and PIN',
        'Team',
        'Audit trail',
        'Records and closing',
        'Approvals',
        'Pay page',
      ],
      ...['Payment in parts', 'HubSpot records', 'Reminders', 'Switch person', 'System', 'Light', 'Dark', 'Log Out'],
    ]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Account, ');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Log Out' }).click();
    await page.waitForURL(`${product.appUrl}/`);
    await page.getByRole('heading', { name: 'Secure Payment Solutions for Modern Business' }).waitFor();

    // When the other tab is shown again, it no longer shows the clinic's data.
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await other.waitForURL(`${product.appUrl}/login`);
  });
});
