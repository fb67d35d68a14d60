import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { DESKTOP, PHONE, settle, useBrowser } from '../support/browser/browser.ts';
import { readBookings, sql } from '../whole/expect-money.ts';
import { openInvoice } from './in-parts.ts';
import { useMerchant } from './merchant.ts';
import {
  banner,
  cardNumber,
  confirmingHeading,
  DECLINED,
  expectFocus,
  expectGood,
  expectText,
  fillForm,
  openForm,
  payButton,
  payerPage,
  REFUSED,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const SETTINGS = {
  google_pay: 'ready',
  google_button: 'element',
  google_cancel: 'silent',
  google_amount: 'init',
  google_script: 'simulated',
};
const GOOGLE_SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';
const SALE = '/rest/v2/mobile/transactions/sale';
const accept = (isOn: boolean) => sql(product, 'UPDATE accounts SET takes_google_pay = ?', isOn ? 1 : 0);
beforeAll(() => accept(true));
afterEach(async () => {
  await product.clearFaults();
  await product.sandbox('settings', SETTINGS);
});
afterAll(() => accept(false));

const googlePay = (page: Page) => page.getByRole('button', { name: /^(Pay with|Pagar con) Google Pay$/ });
/** The button once it is in the form. */
const placed = (page: Page) => page.locator('.google-pay').getByRole('button');
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Google Pay (simulated)' });
const tick = (page: Page) => page.locator('#pay-signature-tick');
const pressInSheet = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true }).click();

async function open(options = {}) {
  const link = await product.makeLink();
  const page = await payerPage(newPage, { viewport: PHONE, ...options });
  await openForm(page, link.address);
  await placed(page).waitFor();
  return { link, page };
}

describe('Google Pay', () => {
  it('pays with three touches, without an address: the tick, Google’s button, and the approval', async () => {
    const { link, page } = await open();
    await tick(page).check();
    await googlePay(page).click();
    await expectText(sheet(page).locator('p').nth(1), 'Maple Street Dental');
    await expectText(sheet(page).locator('p').nth(2), '$184.00');
    const sent = page.waitForRequest('**/takePaymentSDK/*');
    await pressInSheet(page, 'Approve');
    const body = (await sent).postDataJSON();
    expect(body).toMatchObject({ wallet: 'google', paymentType: 'card', amountShown: '184.00', lastName: 'Núñez' });
    for (const field of ['address', 'city', 'state', 'zip']) expect(body).not.toHaveProperty(field);
    await successHeading(page).waitFor();
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it.each(['en', 'es'])(
    'is accessible and fits the screen, with the tick above the button, in %s',
    async (language) => {
      const { address } = await product.makeLink();
      const page = await payerPage(newPage, { viewport: PHONE });
      await page.goto(`${address}?lang=${language}`);
      await placed(page).waitFor();
      const topOf = async (part: ReturnType<typeof tick>) => (await part.boundingBox())?.y ?? 0;
      expect(await topOf(tick(page))).toBeLessThan(await topOf(googlePay(page)));
      expect(await topOf(googlePay(page))).toBeLessThan(await topOf(page.locator('#pay-card')));
      await expectGood(page, `pay-google-${language}`);
    },
  );

  it('runs Google’s own script under the policy of the page', async () => {
    const script = await (await fetch(`${product.sandboxUrl}/gp/p/js/pay.js`)).text();
    await product.sandbox('settings', { google_script: 'google' });
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await page.route(GOOGLE_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    const asked = page.waitForRequest(GOOGLE_SCRIPT);
    await openForm(page, address);
    await asked;
    await placed(page).waitFor();
  });

  it('moves the focus to the tick if it is missing, and opens no sheet', async () => {
    const { link, page } = await open();
    await googlePay(page).click();
    await expectFocus(tick(page));
    expect(await sheet(page).count()).toBe(0);
    expect((await readBookings(product, link)).attempts).toEqual([]);
  });

  it.each(['silent', 'error'])(
    'leaves the form as it was if the sheet is cancelled, reported as %s',
    async (google_cancel) => {
      await product.sandbox('settings', { google_cancel });
      const { link, page } = await open();
      await cardNumber(page).fill('4111111111111111');
      await tick(page).check();
      await googlePay(page).click();
      await pressInSheet(page, 'Cancel');
      await expect.poll(() => sheet(page).count()).toBe(0);
      await settle(page);
      expect(await banner(page).count()).toBe(0);
      expect(await tick(page).isChecked()).toBe(true);
      expect(await cardNumber(page).inputValue()).toContain('1111');
      expect((await readBookings(product, link)).attempts).toEqual([]);
    },
  );

  it('says that the amount has changed, and charges nothing', async () => {
    const { link, page } = await open({ expected: REFUSED });
    await tick(page).check();
    await googlePay(page).click();
    await product.sandbox(
      `hubs/${product.account.hubId}/invoices/${link.invoiceId}`,
      { properties: { hs_balance_due: '180.00' } },
      'PATCH',
    );
    await pressInSheet(page, 'Approve');
    await expectText(banner(page), /^The amount due has changed\. .*You have not been charged\./);
    expect((await readBookings(product, link)).attempts).toEqual([]);
  });

  it('shows a decline and a failed sheet, and keeps the card form as the other way', async () => {
    const { page } = await open({ expected: REFUSED });
    await tick(page).check();
    await googlePay(page).click();
    await pressInSheet(page, 'Fail');
    await expectText(banner(page), /Payment token generation failed: Google Pay could not read this page/);
    await googlePay(page).click();
    await pressInSheet(page, 'Approve with a declined card');
    await expectText(banner(page), DECLINED);
    await cardNumber(page).waitFor();
    await googlePay(page).waitFor();
  });

  it('waits for the outcome after a lost answer', async () => {
    const { link, page } = await open();
    await product.fault(SALE, 'drop-after');
    await tick(page).check();
    await googlePay(page).click();
    await pressInSheet(page, 'Approve');
    await confirmingHeading(page).waitFor();
    await successHeading(page).waitFor({ timeout: 60_000 });
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it('shows the chosen installment on the sheet, and charges that', { timeout: 240_000 }, async () => {
    const link = await product.makeLink();
    await openInvoice(await merchantPage(), product.appUrl, link.invoiceId);
    const page = await payerPage(newPage, { viewport: DESKTOP });
    await openForm(page, link.address);
    await placed(page).waitFor();
    await tick(page).check();
    await page.getByRole('radio', { name: /^Deposit/ }).check();
    // The button is drawn anew for the other amount; until then it opens no sheet.
    await expect
      .poll(async () => {
        if ((await sheet(page).count()) === 0) await googlePay(page).click();
        return sheet(page).count();
      })
      .toBe(1);
    await expectText(sheet(page).locator('p').nth(2), '$46.00');
    const sent = page.waitForRequest('**/takePaymentSDK/*');
    await pressInSheet(page, 'Approve');
    expect((await sent).postDataJSON()).toMatchObject({ wallet: 'google', part: { amount: '46.00' } });
    await successHeading(page).waitFor();
    const { attempts } = await readBookings(product, link);
    expect(attempts).toMatchObject([{ state: 'approved', wallet: 'google', amount_cents: 4600 }]);
  });

  it('charges once if the payer pays by card while the sheet is open', async () => {
    const { link, page } = await open({ viewport: DESKTOP });
    await fillForm(page);
    await googlePay(page).click();
    await payButton(page).click();
    await successHeading(page).waitFor();
    await pressInSheet(page, 'Approve');
    await settle(page);
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it('also works if the provider’s script draws the button beside the card fields', async () => {
    await product.sandbox('settings', { google_button: 'form' });
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await googlePay(page).click();
    await expectFocus(tick(page));
    await tick(page).check();
    await googlePay(page).click();
    await pressInSheet(page, 'Approve');
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('is not offered on a device without it', async () => {
    await product.sandbox('settings', { google_pay: 'off' });
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await expect.poll(() => page.locator('.pay-wallet').getAttribute('hidden'), { timeout: 60_000 }).not.toBeNull();
    expect(await googlePay(page).count()).toBe(0);
  });

  it('is switched on by a manager, and pay pages offer it at once', async () => {
    await accept(false);
    const { address } = await product.makeLink();
    const page = await merchantPage({ viewport: DESKTOP });
    await page.goto(`${product.appUrl}/account/payments`);
    const section = page.getByRole('region', { name: 'Google Pay' });
    await section.getByRole('button', { name: 'Accept Google Pay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept Google Pay' }).click();
    await section.getByText('Accepted', { exact: true }).waitFor();
    const payer = await payerPage(newPage, { viewport: PHONE });
    await openForm(payer, address);
    await googlePay(payer).waitFor();
  });
});
