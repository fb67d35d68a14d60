import { afterEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { bearer } from '#tests/support/consent';
import { useProduct } from '#tests/support/product/product';
import { logIn } from '../whole/merchant.ts';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** Turns reminders off, even after a test that failed halfway. */
afterEach(async () => {
  const { token } = await logIn(product.appUrl, 0);
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const body = JSON.stringify({ steps: [] });
  const { status } = await fetch(`${product.appUrl}/api/reminders`, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`the reminders were not switched off: ${status}`);
});

describe.each(VIEWS)('reminders, %s', (view, options) => {
  it('reminders stay off until days are saved, preview a real mail, and turn off when no day is selected', async () => {
    const page = await merchantPage(options);
    await page.goto(`${product.appUrl}/openInvoices`);
    await page.getByRole('button', { name: 'Reminders: off' }).click();
    const dialog = page.getByRole('dialog', { name: 'When to remind' });
    await dialog.getByRole('heading', { name: 'When to remind (off now)' }).waitFor();
    await expectText(dialog, /With these days \d+ invoices? (is|are) reminded on the next working day/);
    await dialog.getByText('View and pay').waitFor();
    await settle(page);
    await expectAccessible(page);
    const size = page.viewportSize();
    // Tall enough for the whole dialog.
    if (size) await page.setViewportSize({ ...size, height: 1300 });
    await picture(page, `reminders-${view.replace(' ', '-')}`);
    if (size) await page.setViewportSize(size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);

    await dialog.getByRole('button', { name: 'Add a reminder' }).click();
    await dialog.getByRole('textbox', { name: 'Second: days after' }).fill('7');
    await expectText(dialog, /Two reminders are on the same day/);
    await dialog.getByRole('textbox', { name: 'Second: days after' }).fill('21');
    await dialog.getByRole('radio', { name: 'Before' }).check({ force: true });
    await expectText(dialog, / is due on /);
    // The reopened dialog shows the saved steps at once, although GET requests no longer get a response.
    await page.route('**/api/reminders', (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Save reminders' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Restores the steps for the next test: a step that is switched off keeps its days.
    await page.getByRole('button', { name: 'Reminders', exact: true }).click();
    await dialog.getByRole('heading', { name: 'When to remind', exact: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Reminder Second' }).uncheck();
    await dialog.getByRole('button', { name: 'Save reminders' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reminders', exact: true }).click();
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(3);
    for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
    await expectText(dialog, /No day is selected/);
    await dialog.getByRole('button', { name: 'Save reminders' }).click();
    await page.getByRole('button', { name: 'Reminders: off' }).waitFor();
  });
});

describe('reminders in the payments settings', () => {
  it('the account menu leads to the dialog of the reminders', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/customers`);
    await page.getByRole('button', { name: /^Account, / }).click();
    await page.getByRole('link', { name: 'Payments settings' }).click();
    await page.getByRole('button', { name: 'Set up reminders' }).click();
    const dialog = page.getByRole('dialog', { name: 'When to remind' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
