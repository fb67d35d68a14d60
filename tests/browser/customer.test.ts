import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CustomerReply } from '#shared/contracts/customer';
import { expectAccessible, type PageOptions, picture, useBrowser } from '#tests/support/browser/browser';
import { shiftsOf, watchShifts } from '#tests/support/browser/layout-shift';
import { pdfSheets } from '#tests/support/browser/pdf-text';
import { until, useProduct } from '#tests/support/product/product';
import { DUE, HANNAH, serveCustomer } from '#tests/support/servers/customer-server';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText, heading } from './payer.ts';
import { BACK, counterInvoice, customerBox, device, idOf, invoiceSelect } from './terminals.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const timeout = 240_000;
/** So slow are the answers in which nothing may move. */
const SLOW_MS = 1_500;

/** A merchant on the page of Hannah, as the Worker would tell it. */
async function open(found: CustomerReply | null, options: PageOptions = {}, slowMs = 0): Promise<Page> {
  const page = await merchantPage(options);
  await serveCustomer(page, found, slowMs);
  await watchShifts(page);
  await page.goto(`${product.appUrl}/customers/7`);
  return page;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page of a customer', { timeout }, () => {
  it.each(VIEWS)('says what is owed, what was paid and mailed, and what is next: %s', async (name, options) => {
    const page = await open(HANNAH, options);
    await heading(page, 'Hannah Tran').waitFor();
    const due = new Date(DUE).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
    await expectText(part(page, 'Owes'), `Owes $588.50 1 invoice, due ${due}. Nothing overdue.`);
    await expectText(part(page, 'Payments').getByRole('listitem').first(), /Refund to Visa 1111 INV-1130.*\$52\.55/);
    await expectText(
      part(page, 'Emails').getByRole('listitem'),
      /Receipt for INV-1130 to hannah.tran@example.com.*delivered/,
    );
    await page.getByText('2 days after we send').waitFor();
    expect(await page.getByRole('link', { name: 'Take payment', exact: true }).getAttribute('href')).toBe(
      '/payments?customer=7&invoice=900',
    );
    await page.getByRole('button', { name: 'Email Payment Link, INV-1131' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await picture(page, `customer-${name.replaceAll(' ', '-')}`);
  });

  it('owes nothing, and has neither payments, nor mails, nor a habit', async () => {
    const page = await open({
      ...HANNAH,
      ...{ owed: [], invoices: [], invoice_count: 0, payments: [], mails: [], since: null },
      paid: { amount: '0.00', currency: 'USD', payments: 0, given_back: 0, last_at: null, usual_days: null },
    });
    await expectText(part(page, 'Owes'), 'Owes $0.00 Nothing is owed.');
    for (const none of ['No invoices available.', 'No payments yet.', 'No emails sent.'])
      await page.getByText(none).waitFor();
    expect(await page.getByRole('link', { name: 'Take payment', exact: true }).count()).toBe(0);
    expect(await page.getByText('Pays usually').count()).toBe(0);
    await expectAccessible(page);
  });

  it('has its invoices in the order that is asked for, the newest first', async () => {
    const page = await open(HANNAH);
    const numbers = () => part(page, 'Invoices').getByRole('link').allTextContents();
    await page.getByRole('link', { name: 'INV-1131' }).first().waitFor();
    expect(await numbers()).toEqual(['INV-1131', 'INV-1130', 'INV-1129', 'INV-1128']);
    const head = part(page, 'Invoices').getByRole('columnheader', { name: 'Invoice Number' });
    await head.getByRole('button').click();
    expect(await numbers()).toEqual(['INV-1128', 'INV-1129', 'INV-1130', 'INV-1131']);
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
  });

  it('says that it could not be loaded, and loads on request', async () => {
    const page = await open(null, { expected: /status of 503|internal 503/ });
    await page.getByText('The customer could not be loaded.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await expectAccessible(page);
  });

  it.each(VIEWS)('keeps its edges while answers are slow: %s', async (_name, options) => {
    const page = await open(HANNAH, options, SLOW_MS);
    await page.getByRole('link', { name: 'INV-1131' }).first().waitFor();
    expect(await shiftsOf(page)).toBeLessThanOrEqual(0.02);
  });
});

describe('from the list to the card reader', { timeout }, () => {
  it('a name leads to the customer, and one press to Take Payment with all chosen', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/`);
    const bill = await counterInvoice(page, product);
    await page.evaluate((id) => localStorage.setItem('last_device', id), idOf(BACK));
    await page.goto(`${product.appUrl}/customers?q=${bill.customer.split(' ')[1]}`);
    await page.getByRole('link', { name: bill.customer }).click();
    await heading(page, bill.customer).waitFor();
    await expectText(part(page, 'Owes'), /\$184\.00/);
    await page.getByRole('link', { name: 'Take payment', exact: true }).click();
    await expect.poll(() => invoiceSelect(page).inputValue()).toBe(bill.invoiceId);
    await expect.poll(() => device(page).inputValue()).toBe(idOf(BACK));
    await expect.poll(() => customerBox(page).inputValue()).toBe(bill.customer);
    await page.getByRole('button', { name: 'Proceed to Payment', disabled: false }).waitFor();

    // From the invoice it is one press too.
    await page.goto(`${product.appUrl}/invoice/${bill.invoiceId}`);
    await page.getByRole('link', { name: 'Take payment', exact: true }).click();
    await expect.poll(() => invoiceSelect(page).inputValue()).toBe(bill.invoiceId);
  });

  it('an open link is shown as QR code from the preview', async () => {
    const page = await merchantPage();
    await page.goto(`${product.appUrl}/`);
    const bill = await counterInvoice(page, product);
    await page.goto(`${product.appUrl}/invoice/${bill.invoiceId}`);
    await page.getByRole('button', { name: /^(Show QR code|Make a pay link)$/ }).click();
    await page
      .getByRole('button', { name: 'Show QR code' })
      .click()
      .catch(() => undefined);
    const dialog = page.getByRole('dialog', { name: `Pay ${bill.number} by phone` });
    await dialog.getByRole('img', { name: 'Pay link for $184.00' }).waitFor();
    await dialog.getByText(`${product.appUrl}/make/payment/`).waitFor();
    await expectAccessible(page);
    await picture(page, 'qr-dialog');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('on paper', { timeout }, () => {
  it('an invoice and its receipt are one sheet each, A4 and Letter, with what they are about', async () => {
    const page = await merchantPage();
    const link = await product.makeLink();
    const paid = await product.pay(link.payId, await product.form());
    expect(paid.status).toBe(200);
    await page.goto(`${product.appUrl}/invoice/${link.invoiceId}`);
    await page.getByRole('article', { name: 'Invoice' }).getByText(`Invoice ${link.number}`).waitFor();
    for (const format of ['A4', 'Letter'] as const) {
      const sheets = await pdfSheets(page, format);
      expect(sheets).toHaveLength(1);
      expect(sheets[0]).toContain(`Invoice ${link.number}`);
      expect(sheets[0]).toContain('$184.00');
      expect(sheets[0]).not.toContain('Take payment');
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
