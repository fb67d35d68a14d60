import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { SECRET_HEADER, SETTINGS_HEADER } from '#tests/support/product/remote-database';
import { revokeLinkNow } from '#tests/support/revoke-link';
import { useBrowser } from '../support/browser/browser.ts';
import type { InvoiceFields } from '../support/product/product.ts';
import { sql } from '../whole/expect-money.ts';
import {
  banner,
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

const PAY_CALL = '**/api/invoices/takePaymentSDK/*';

/** Expects a page with one message and a contact, but no form and no script. */
async function expectState(page: Page, address: string, status: number, sentence: string, name: string) {
  const response = await page.goto(address);
  expect(response?.status()).toBe(status);
  expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([sentence]);
  expect(await page.locator('form, iframe, script').count()).toBe(0);
  expect(await page.locator('a[href^="tel:"]').count()).toBe(1);
  expect(await page.locator('a[href^="mailto:"]').count()).toBe(1);
  await expectGood(page, name);
}

describe('a link that cannot be paid', () => {
  it('returns 404 when the link was never issued', async () => {
    const page = await payerPage(newPage, { expected: REFUSED });
    const address = `${product.appUrl}/make/payment/${'A'.repeat(27)}`;
    await expectState(page, address, 404, 'No invoice found', 'state-unknown');
    await page.getByText('Check the link in your email or call the business that sent it.').waitFor();
  });

  it('shows that the link has expired, without payer and amount', async () => {
    const { address, payId } = await product.makeLink();
    await sql(product, 'UPDATE pay_links SET ends_at = ? WHERE pay_id = ?', Date.now() - 1, payId);
    const page = await payerPage(newPage, { expected: REFUSED });
    const sentence = 'This payment link has expired. Please ask for a new one.';
    await expectState(page, address, 410, sentence, 'state-ended');
    expect(await page.locator('body').innerText()).not.toMatch(/Marta|184|withdrawn/);
  });

  it('shows that the link was revoked, while its replacement can be paid', async () => {
    const { address, invoiceId } = await product.makeLink();
    const newLink = await revokeLinkNow(product.deps(), product.account.hubId, invoiceId);
    const page = await payerPage(newPage, { expected: REFUSED });
    const sentence = 'This payment link has expired. Please ask for a new one.';
    await expectState(page, address, 410, sentence, 'state-revoked');
    await page.getByText('The business has withdrawn it. A newer link may already be in your email.').waitFor();
    await openForm(page, `${product.appUrl}/make/payment/${newLink?.payId}`);
    expect(await payButton(page).innerText()).toContain('$184.00');
  });

  const unpayable: [string, InvoiceFields, string][] = [
    ['is paid in the CRM', { status: 'paid' }, 'This invoice is already paid. You have not been charged again.'],
    ['has nothing left to pay', { balance: '0.00' }, 'This invoice has no amount to pay. Please contact the business.'],
    ['is in euros', { currency: 'EUR' }, 'This invoice cannot be paid online.'],
  ];
  for (const [condition, fields, sentence] of unpayable) {
    it(`shows why when the invoice ${condition}`, async () => {
      const { address } = await product.makeLink(fields);
      const page = await payerPage(newPage);
      await expectState(page, address, 200, sentence, `state-${condition.split(' ').at(-1)}`);
    });
  }
});

describe('while online payment is paused', () => {
  const paused = { [SECRET_HEADER]: product.secret, [SETTINGS_HEADER]: '{"PAY_PAGE":"paused"}' };

  it('a pay link shows the pause and a contact', async () => {
    const { address } = await product.makeLink();
    const page = await newPage({ extraHTTPHeaders: paused, expected: REFUSED });
    await expectState(page, address, 503, 'Online payment is paused. You have not been charged.', 'state-paused');
    await page.getByText('Please ask the business how to pay, or open this link again later.').waitFor();
  });

  it('an open form shows that nothing was charged, and pays once the pause is over', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await page.route(PAY_CALL, (route) => route.continue({ headers: { ...route.request().headers(), ...paused } }));
    await payButton(page).click();
    await expectText(
      banner(page),
      'Online payment is paused. You have not been charged. Please ask the business how to pay.',
    );
    await expectGood(page, 'form-paused');
    expect(await product.charges(number)).toEqual([]);

    await page.unroute(PAY_CALL);
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });
});

describe('while the account is being closed', () => {
  const setClosing = (at: number | null) =>
    sql(product, 'UPDATE accounts SET closes_at = ? WHERE account_id = ?', at, product.account.hubId);
  afterEach(() => setClosing(null));

  it('a pay link and an open form show that the business no longer takes payments', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await setClosing(Date.now() + 8 * 86_400_000);
    await payButton(page).click();
    await expectText(
      banner(page),
      'This business no longer takes payments here. You have not been charged. Please contact the business.',
    );
    await expectGood(page, 'form-closing');
    const sentence = `${product.account.name} no longer takes payments here. You have not been charged.`;
    await expectState(page, address, 503, sentence, 'state-closing');
    await page.getByText('Please contact the business.').waitFor();
    expect(await product.charges(number)).toEqual([]);
  });
});

describe('while the CRM does not answer', () => {
  const clearFaults = product.clearFaults;
  afterEach(clearFaults);

  it('the pay page shows no amount and takes no payment, and Retry opens the form once the CRM answers', async () => {
    const { address, invoiceId } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await product.withAlarmsHeld(async () => {
      // The synced invoice is too old to be trusted. `withAlarmsHeld` prevents a sync by the clinic's clock.
      await sql(product, 'UPDATE invoices SET read_at = 0 WHERE invoice_id = ?', invoiceId);
      await product.fault('crm', '500', { times: 1000 });
      const sentence = 'We cannot confirm the amount right now. You have not been charged.';
      await expectState(page, address, 503, sentence, 'state-unavailable');
      expect(await page.locator('body').innerText()).not.toContain('$184');
    });

    await clearFaults();
    await page.getByRole('link', { name: 'Retry' }).click();
    await payButton(page).waitFor();
    expect(page.url()).toBe(address);
  });

  it('an open form shows that nothing was charged, and pays once the CRM answers', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await product.fault('crm', '500', { times: 1000 });
    await payButton(page).click();
    await expectText(banner(page), 'We cannot confirm the amount right now. You have not been charged.');
    expect(await product.charges(number)).toEqual([]);

    await clearFaults();
    await payButton(page).click();
    await successHeading(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });
});
