import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, type PageOptions, picture, useBrowser, WITH_MOTION } from '#tests/support/browser/browser';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shift';
import { pdfSheets } from '#tests/support/browser/pdf-text';
import { until, useProduct } from '#tests/support/product/product';
import { HANNAH, serveCustomer } from '#tests/support/servers/customer-server';
import { phone, useMerchant, VIEWS } from './merchant.ts';
import { expectText, heading } from './payer.ts';
import { BACK, counterInvoice, customerBox, device, idOf, invoiceSelect } from './terminals.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(WITH_MOTION), product.appUrl);
const timeout = 240_000;
/** Delay (ms) of the responses while no layout may shift. */
const SLOW_MS = 1_500;

/** Opens the page of a customer as a merchant, with canned responses. */
async function open(customer: typeof HANNAH, options: PageOptions = {}, slowMs = 0): Promise<Page> {
  const page = await merchantPage(options);
  await serveCustomer(page, customer, slowMs);
  await watchShifts(page);
  await page.goto(`${product.appUrl}/customers/7`);
  return page;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('customer page', { timeout }, () => {
  it('fits a phone', async () => {
    const page = await open(HANNAH, { theme: 'dark', ...phone });
    await heading(page, 'Hannah Tran').waitFor();
    await page.getByRole('button', { name: 'Email Payment Link, INV-1131' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, 'customer-dark-phone');
  });

  it.each(VIEWS)('shifts no layout while responses are slow: %s', async (_name, options) => {
    const page = await open(HANNAH, options, SLOW_MS);
    await page.getByRole('link', { name: 'INV-1131' }).first().waitFor();
    expect(await shiftsOf(page)).toBeLessThanOrEqual(0.02);
  });
});

describe('customer shortcuts', { timeout }, () => {
  it('the list leads to the customer, and one click opens Take Payment with everything selected', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/`);
    const bill = await counterInvoice(page, product);
    await page.evaluate((id) => localStorage.setItem('last_device', id), idOf(BACK));
    await page.goto(`${product.appUrl}/customers?q=${bill.customer.split(' ')[1]}`);
    await page.getByRole('link', { name: bill.customer }).click();
    await heading(page, bill.customer).waitFor();
    await expectText(part(page, 'Owes'), /\$184\.00/);
    await page.getByRole('main').getByRole('link', { name: 'Take Payment', exact: true }).click();
    await expect.poll(() => invoiceSelect(page).inputValue()).toBe(bill.invoiceId);
    await expect.poll(() => device(page).inputValue()).toBe(idOf(BACK));
    await expect.poll(() => customerBox(page).inputValue()).toBe(bill.customer);
    await page.getByRole('button', { name: 'Proceed to Payment', disabled: false }).waitFor();

    // The preview of the invoice has the same link.
    await page.goto(`${product.appUrl}/invoice/${bill.invoiceId}`);
    await page.getByRole('main').getByRole('link', { name: 'Take Payment', exact: true }).click();
    await expect.poll(() => invoiceSelect(page).inputValue()).toBe(bill.invoiceId);
  });

  it('the preview shows an open pay link as a QR code', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/`);
    const bill = await counterInvoice(page, product);
    await page.goto(`${product.appUrl}/invoice/${bill.invoiceId}`);
    await page.getByRole('button', { name: /^(Show QR code|Create a payment link)$/ }).click();
    await page
      .getByRole('button', { name: 'Show QR code' })
      .click()
      .catch(() => undefined);
    const dialog = page.getByRole('dialog', { name: `Pay ${bill.number} by phone` });
    await dialog.getByRole('img', { name: 'Payment link for $184.00' }).waitFor();
    await dialog.getByText(`${product.appUrl}/make/payment/`).waitFor();
    await expectAccessible(page);
    await picture(page, 'qr-dialog');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('printing', { timeout }, () => {
  it('prints an invoice and its receipt on one sheet each, A4 and Letter, with their content', async () => {
    const page = await merchantPage();
    const link = await product.makeLink();
    const payment = await product.pay(link.payId, await product.form());
    expect(payment.status).toBe(200);
    await page.goto(`${product.appUrl}/invoice/${link.invoiceId}`);
    await page.getByRole('article', { name: 'Invoice' }).getByText(`Invoice ${link.number}`).waitFor();
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = await pdfSheets(page, format);
      expect(sheets).toHaveLength(1);
      expect(sheets[0]).toContain(`Invoice ${link.number}`);
      expect(sheets[0]).toContain('$184.00');
      expect(sheets[0]).not.toContain('Take Payment');
    }
    const address = await until(
      async () => page.getByRole('link', { name: 'View receipt' }).first().getAttribute('href'),
      (href) => href !== null,
    );
    await page.goto(new URL(address ?? '', product.appUrl).href);
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = await pdfSheets(page, format);
      expect(sheets).toHaveLength(1);
      expect(sheets[0]).toContain(link.number);
      expect(sheets[0]).toContain('$184.00 USD');
    }
  });
});
