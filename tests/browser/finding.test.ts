import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { checkDoubleText } from '#tests/support/browser/beyond-axe';
import { picture, settle, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { phone, useMerchant, waitForShortcuts } from './merchant.ts';
import { expectFocus, expectGood } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' });
const results = (page: Page) => page.getByRole('listbox', { name: 'Results' });
const options = (page: Page) => results(page).getByRole('option');
const selectedOption = (page: Page) => results(page).getByRole('option', { selected: true });

/** Creates an invoice and opens a screen that lists it, so that the CRM copy has it. */
async function makeListedInvoice(page: Page, lastname: string) {
  const firstname = 'Hannah';
  const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
  const invoice = await product.makeLink({ contact: { firstname, lastname, email } });
  await page.goto(`${product.appUrl}/openInvoices?q=${invoice.number}`);
  await page.getByRole('link', { name: invoice.number, exact: true }).waitFor();
  return invoice;
}

describe('command palette', { timeout: 120_000 }, () => {
  it('finds an invoice by keyboard alone and mails its link two clicks after the search', async () => {
    const page = await merchantPage();
    const { number } = await makeListedInvoice(page, 'Quill');
    await page.goto(`${product.appUrl}/customers`);
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    await waitForShortcuts(page);
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type(number);
    await options(page).filter({ hasText: number }).first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^\d results?$/ })
      .waitFor();
    expect(await selectedOption(page).innerText()).toContain(number);
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(await selectedOption(page).getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/invoice\//);
    await page.getByRole('button', { name: /^Email Payment Link/ }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Payment link sent', { exact: true }).waitFor();
  });

  it('groups customers, invoices, places and actions, and announces the number of results', async () => {
    const page = await merchantPage();
    // The seed has a customer of this name too.
    const lastname = 'Tran';
    const { number } = await makeListedInvoice(page, lastname);
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await field(page).fill(lastname);
    await options(page).filter({ hasText: number }).first().waitFor();
    const groups = results(page).getByRole('group');
    await expect.poll(() => groups.count()).toBe(4);
    for (const name of ['Customers', 'Invoices', 'Do', 'All results'])
      await page.getByRole('group', { name, exact: true }).waitFor();
    expect(await page.locator('.palette mark').first().innerText()).toBe(lastname);
    await options(page)
      .filter({ hasText: /^Email payment link for / })
      .waitFor();
    expect(await options(page).last().innerText()).toMatch(/^All \d+ invoices$/);
    await expectGood(page, 'palette');
    const [width, inner] = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      const list = document.querySelector('.palette-list');
      return [list?.scrollWidth ?? 0, list?.clientWidth ?? 0];
    });
    expect(width).toBeLessThanOrEqual(inner);
    await page.evaluate(() => document.documentElement.removeAttribute('style'));

    await page.keyboard.press('ArrowUp');
    expect(await selectedOption(page).innerText()).toMatch(/^All \d+ invoices$/);
    await page.keyboard.press('ArrowDown');
    expect(await selectedOption(page).innerText()).toContain('Tran');
    await field(page).fill('qqzzqq');
    await page.getByRole('status').filter({ hasText: 'Nothing found for "qqzzqq".' }).waitFor();
    await field(page).fill('analytics');
    await options(page).filter({ hasText: 'Payment Analytics' }).waitFor();
    const tabOpening = page.context().waitForEvent('page');
    await page.keyboard.press('Control+Enter');
    const tab = await tabOpening;
    await expect.poll(() => new URL(tab.url()).pathname).toBe('/analytics');
    await field(page).waitFor();
  });

  it('returns the focus when it closes and offers recent places again', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/invoices`);
    await page.getByRole('heading', { name: 'Invoices' }).waitFor();
    await waitForShortcuts(page);
    await page.getByRole('link', { name: 'Customers' }).click();
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    const jump = page.getByRole('button', { name: 'Search or jump to' });
    await jump.press('Enter');
    await page.getByRole('group', { name: 'Last places' }).getByRole('option', { name: 'Invoices' }).waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await expectFocus(jump);
  });

  it('fills the screen of a phone, and offers only places and actions without a network', async () => {
    const page = await merchantPage({ ...phone, expected: /Failed to load|ERR_INTERNET/ });
    await page.goto(`${product.appUrl}/customers`);
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Search or jump to' }).tap();
    await field(page).waitFor();
    await settle(page);
    const box = await page.getByRole('dialog').boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 390, 844]);
    await field(page).fill('Tran');
    await options(page).filter({ hasText: 'Tran' }).first().waitFor();
    await picture(page, 'palette-phone');
    await page.context().setOffline(true);
    await field(page).fill('invo');
    await page.getByText('You are offline. Customers and invoices are not searched.').waitFor();
    await results(page).getByRole('group', { name: 'Go to' }).waitFor();
    expect(await results(page).getByRole('group').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Close' }).tap();
    await field(page).waitFor({ state: 'detached' });
  });
});

describe('keyboard shortcuts', { timeout: 120_000 }, () => {
  it('shortcuts open screens, and the single-letter ones can be switched off', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/invoices`);
    await page.getByRole('heading', { name: 'Invoices' }).waitFor();
    await waitForShortcuts(page);
    await page.keyboard.press('/');
    expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('p?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('p?');
    await page.getByRole('heading', { name: 'Invoices' }).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.waitForURL(/openInvoices/);
    await page.getByRole('heading', { name: 'Open Invoices', level: 2 }).waitFor();
    expect(await page.title()).toBe('Open Invoices – Tillway');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.getByRole('heading', { name: 'Keys' }).waitFor();
    await help.getByRole('checkbox', { name: /single letters/i }).uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('p');
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).pathname).toBe('/openInvoices');
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await help.getByRole('checkbox', { name: /single letters/i }).check();
    await help.getByRole('button', { name: 'Close' }).click();
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('p');
    await page.waitForURL(/payments/);
  });
});

describe('keyboard shortcuts on a phone', { timeout: 120_000 }, () => {
  it('the help lists the shortcuts', async () => {
    const page = await merchantPage(phone);
    await page.goto(`${product.appUrl}/invoices`);
    await page.getByRole('heading', { name: 'Invoices' }).waitFor();
    await waitForShortcuts(page);
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.getByRole('link', { name: 'Help', exact: true }).tap();
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.getByRole('heading', { name: 'Keys' }).waitFor();
    await picture(page, 'help-phone');
    await help.getByRole('heading', { name: 'Keys' }).scrollIntoViewIfNeeded();
    await help.getByRole('checkbox', { name: /single letters/i }).scrollIntoViewIfNeeded();
    await settle(page);
    await picture(page, 'help-keys-phone');
  });
});

describe('account menu', { timeout: 120_000 }, () => {
  it.each([
    ['a dashboard view on a desk', '/openInvoices', {}],
    ['another screen on a desk', '/customers', {}],
    ['a dashboard view on a phone', '/analytics', phone],
    ['another screen on a phone', '/invoices', phone],
  ])('shows whose account it is and lets the user choose the theme: %s', async (name, path, view) => {
    const page = await merchantPage(view);
    await page.goto(`${product.appUrl}${path}`);
    await page.waitForLoadState('networkidle');
    const button = page.getByRole('button', { name: /^Account, .+, .+/ });
    await button.click();
    const accountLabel = page.locator('.account-who');
    await accountLabel.waitFor();
    expect(await accountLabel.innerText()).toMatch(/^.+\n.+, administrator/);
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Log Out' }).waitFor();
    const pictureName = `account-menu-${name.replaceAll(' ', '-')}`;
    await picture(page, pictureName);
    // Another size may have a different button, whose menu is closed.
    await expectGood(page, pictureName, false);
    await page.setViewportSize(view === phone ? phone.viewport : { width: 1280, height: 900 });
    await page.keyboard.press('Escape');
    await expectFocus(button);
    if (view !== phone) expect(await checkDoubleText(page)).toEqual([]);
  });
});
