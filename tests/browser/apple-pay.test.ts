import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { DESKTOP, PHONE, settle, useBrowser } from '../support/browser/browser.ts';
import { readBookings, sql } from '../whole/expect-money.ts';
import { useMerchant } from './merchant.ts';
import {
  banner,
  cardNumber,
  confirmingHeading,
  DECLINED,
  expectFocus,
  expectGood,
  expectText,
  openForm,
  payerPage,
  REFUSED,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
afterEach(product.clearFaults);

const SALE = '/rest/v2/mobile/transactions/sale';
const accept = (isOn: boolean) =>
  sql(
    product,
    'UPDATE accounts SET takes_apple_pay = ?, apple_pay_host = ?, apple_pay_next_at = NULL',
    isOn ? 1 : 0,
    isOn ? new URL(product.appUrl).hostname : '',
  );
beforeAll(() => accept(true));
afterAll(() => accept(false));

const applePay = (page: Page) => page.getByRole('button', { name: /^(Pay with|Pagar con) Apple Pay$/ });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Apple Pay (simulated)' });
const tick = (page: Page) => page.locator('#pay-signature-tick');
const pressInSheet = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true }).click();

async function open(fields: Parameters<typeof product.makeLink>[0] = {}, options = {}, query = '') {
  const link = await product.makeLink(fields);
  const page = await payerPage(newPage, { viewport: PHONE, ...options });
  await page.goto(`${link.address}${query}`);
  await applePay(page).waitFor();
  return { link, page };
}

describe('Apple Pay', () => {
  it('pays with three touches, without an address: the tick, the button, and the approval', async () => {
    const { link, page } = await open();
    await tick(page).check();
    await applePay(page).click();
    await expectText(sheet(page).locator('p').nth(1), 'Maple Street Dental');
    await expectText(sheet(page).locator('p').nth(2), '$184.00');
    const sent = page.waitForRequest('**/takePaymentSDK/*');
    await pressInSheet(page, 'Approve');
    const body = (await sent).postDataJSON();
    expect(body).toMatchObject({ wallet: 'apple', paymentType: 'card', amountShown: '184.00', lastName: 'Núñez' });
    for (const field of ['address', 'city', 'state', 'zip']) expect(body).not.toHaveProperty(field);
    await successHeading(page).waitFor();
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it.each(['en', 'es'])(
    'is accessible and fits the screen, with the tick above the button, in %s',
    async (language) => {
      const { page } = await open({}, {}, `?lang=${language}`);
      const topOf = async (part: ReturnType<typeof tick>) => (await part.boundingBox())?.y ?? 0;
      expect(await topOf(tick(page))).toBeLessThan(await topOf(applePay(page)));
      expect(await topOf(applePay(page))).toBeLessThan(await topOf(page.locator('#pay-card')));
      await expectGood(page, `pay-apple-${language}`);
    },
  );

  it('moves the focus to the tick if it is missing, and opens no sheet', async () => {
    const { link, page } = await open();
    await applePay(page).click();
    await expectFocus(tick(page));
    expect(await sheet(page).count()).toBe(0);
    expect((await readBookings(product, link)).attempts).toEqual([]);
  });

  it('leaves the form as it was if the sheet is cancelled', async () => {
    const { link, page } = await open();
    await cardNumber(page).fill('4111111111111111');
    await tick(page).check();
    await applePay(page).click();
    await pressInSheet(page, 'Cancel');
    await expect.poll(() => page.locator('form[aria-busy]').count()).toBe(0);
    expect(await banner(page).count()).toBe(0);
    expect(await tick(page).isChecked()).toBe(true);
    expect(await cardNumber(page).inputValue()).toContain('1111');
    expect((await readBookings(product, link)).attempts).toEqual([]);
  });

  it('says that the amount has changed, and charges nothing', async () => {
    const { link, page } = await open({}, { expected: REFUSED });
    await product.sandbox(
      `hubs/${product.account.hubId}/invoices/${link.invoiceId}`,
      { properties: { hs_balance_due: '180.00' } },
      'PATCH',
    );
    await tick(page).check();
    await applePay(page).click();
    await pressInSheet(page, 'Approve');
    await expectText(banner(page), /^The amount due has changed\. .*You have not been charged\./);
    expect(await sheet(page).count()).toBe(0);
    expect((await readBookings(product, link)).attempts).toEqual([]);
  });

  it('shows a decline and a failed sheet, and keeps the card form as the other way', async () => {
    const { page } = await open({}, { expected: REFUSED });
    await tick(page).check();
    await applePay(page).click();
    await pressInSheet(page, 'Fail');
    await expectText(banner(page), /Payment token generation failed: Apple Pay could not verify this page/);
    await applePay(page).click();
    await pressInSheet(page, 'Approve with a declined card');
    await expectText(banner(page), DECLINED);
    await cardNumber(page).waitFor();
  });

  it('waits for the outcome after a lost answer', async () => {
    const { link, page } = await open();
    await product.fault(SALE, 'drop-after');
    await tick(page).check();
    await applePay(page).click();
    await pressInSheet(page, 'Approve');
    await confirmingHeading(page).waitFor();
    await successHeading(page).waitFor({ timeout: 60_000 });
    expect(await product.charges(link.number)).toHaveLength(1);
  });

  it('is not offered on a device without it', async () => {
    await product.sandbox('settings', { apple_pay: 'off' });
    onTestFinished(() => product.sandbox('settings', { apple_pay: 'page' }).then(() => undefined));
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await expect.poll(() => page.locator('.pay-wallet').getAttribute('hidden')).not.toBeNull();
    expect(await applePay(page).count()).toBe(0);
  });

  it('may also be opened by the card frame, which the page permits', async () => {
    await product.sandbox('settings', { apple_pay: 'frame' });
    onTestFinished(() => product.sandbox('settings', { apple_pay: 'page' }).then(() => undefined));
    const { page } = await open();
    expect(await applePay(page).isVisible()).toBe(true);
  });

  it('is switched on by a manager, who sees that the domain is registered', async () => {
    await accept(false);
    const { address } = await product.makeLink();
    const page = await merchantPage({ viewport: DESKTOP });
    await page.goto(`${product.appUrl}/account/payments`);
    const section = page.getByRole('region', { name: 'Apple Pay' });
    await section.getByRole('button', { name: 'Accept Apple Pay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept Apple Pay' }).click();
    await section.getByText('Registered', { exact: true }).waitFor();
    await settle(page);
    const payer = await payerPage(newPage, { viewport: PHONE });
    await openForm(payer, address);
    await applePay(payer).waitFor();
  });
});
