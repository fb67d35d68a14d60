import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { openInvoice } from './in-parts.ts';
import { useMerchant } from './merchant.ts';
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
import {
  choose,
  clearDevices,
  counterInvoice,
  PAID,
  proceed,
  showDesk,
  touch,
  WAITING,
  waitForSaleText,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const timeout = 240_000;

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

describe('an invoice paid in installments, for staff', { timeout }, () => {
  it('is listed everywhere as partly paid after a part is taken at the desk, and its link is still offered', async () => {
    const page = await merchantPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/`);
    const invoice = await counterInvoice(page, product);
    await openInvoice(page, product.appUrl, invoice.invoiceId);
    await showDesk(page, product);
    await choose(page, invoice);
    const amount = page.getByLabel(/^Amount to take now/);
    await page.getByText('Leave it empty for the remaining $184.00, or enter $20.00 to $164.00.').waitFor();
    await amount.fill('19.99');
    await proceed(page).click();
    await page.getByText('Enter $20.00 to $164.00, or $184.00.').waitFor();
    await expectGood(page, 'take-part');
    await amount.fill('50');
    await proceed(page).click();
    await waitForSaleText(page, WAITING);
    await page.getByText('$50.00').first().waitFor();
    await touch(product, 'tap');
    await waitForSaleText(page, PAID);
    expect((await product.charges(invoice.number)).map(({ amount }) => amount)).toEqual(['50.00']);

    const row = page.getByRole('row').filter({ hasText: invoice.number });
    for (const list of ['openInvoices', 'invoices']) {
      await page.goto(`${product.appUrl}/${list}?q=${invoice.number}`);
      await row.getByText('Partly paid').waitFor();
      await row.getByText('$134.00').waitFor();
    }
    await page.goto(`${product.appUrl}/openInvoices?q=${invoice.number}&status=partly_paid`);
    await row.getByRole('button', { name: `Email Payment Link, ${invoice.number}` }).waitFor();
    await page.goto(`${product.appUrl}/customers?q=${invoice.customer.split(' ')[1]}`);
    await page.getByRole('link', { name: invoice.customer }).click();
    await row.getByText('Partly paid').waitFor();
    await page.getByRole('button', { name: `Email Payment Link, ${invoice.number}` }).waitFor();
    await page.goto(`${product.appUrl}/invoice/${invoice.invoiceId}`);
    await page.getByText('Partly paid').first().waitFor();
    await page.getByRole('button', { name: /^Email Payment Link/ }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Payment link sent').waitFor();
    const bill = await until(
      async () => (await product.mailTo(invoice.email)).find(({ text }) => text.includes('/make/payment/')),
      (mail) => mail !== undefined,
    );
    expect(bill?.text).toContain('Amount due: $134.00 USD');
  });

  it('waits for manual review after its amount was changed in HubSpot, and is paid once staff set the amount owed', async () => {
    const { address, invoiceId, number } = await product.makeLink();
    const staff = await merchantPage();
    await openInvoice(staff, product.appUrl, invoiceId);
    const payer = await payerPage(newPage, { expected: REFUSED });
    await openForm(payer, address);
    await fillForm(payer);
    const changedInvoice = { properties: { hs_balance_due: '150.00' } };
    await product.sandbox(`hubs/${product.account.hubId}/invoices/${invoiceId}`, changedInvoice, 'PATCH');
    await payButton(payer).click();
    await expectText(banner(payer), /The amount due has changed\. Please contact the business\./);
    expect(await product.charges(number)).toEqual([]);

    await staff.goto(`${product.appUrl}/invoice/${invoiceId}`);
    await staff
      .getByText('No payments are taken and no emails sent until someone on your team confirms what is owed.')
      .waitFor();
    await staff
      .getByText(
        'HubSpot shows $150.00. Payers are asked to contact you until someone on your team confirms what is owed.',
      )
      .waitFor();
    await expectGood(staff, 'parts-frozen');
    await staff.getByRole('button', { name: '$150.00 is owed' }).click();
    await staff.getByRole('dialog').getByRole('button', { name: '$150.00 is owed' }).click();
    await staff.getByText('Payers can pay again.').waitFor();
    await openForm(payer, address);
    await fillForm(payer);
    await expectText(payButton(payer), 'Pay $150.00');
    await payButton(payer).click();
    await successHeading(payer).waitFor();
    expect((await product.charges(number)).map(({ amount }) => amount)).toEqual(['150.00']);
  });
});
