import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { revokePayLink } from '#worker/domain/pay-links/issue';
import { useBrowser } from '../support/browser/browser.ts';
import type { InvoiceFields } from '../support/product/product.ts';
import { sql } from '../whole/books.ts';
import {
  banner,
  expectGood,
  expectText,
  fillForm,
  openForm,
  payButton,
  payerPage,
  REFUSED,
  succeeded,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

/** A page with one message: no form and no script, but always a contact. */
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
  it('is not found when it was never issued', async () => {
    const page = await payerPage(newPage, { expected: REFUSED });
    const address = `${product.appUrl}/make/payment/${'A'.repeat(27)}`;
    await expectState(page, address, 404, 'No invoice found', 'state-unknown');
    await page.getByText('Check the link in your email or call the business that sent it.').waitFor();
  });

  it('has expired when its time is over, and names no payer and no amount', async () => {
    const { address, payId } = await product.makeLink();
    await sql(product, 'UPDATE pay_links SET ends_at = ? WHERE pay_id = ?', Date.now() - 1, payId);
    const page = await payerPage(newPage, { expected: REFUSED });
    const sentence = 'This payment link has expired. Please ask for a new one.';
    await expectState(page, address, 410, sentence, 'state-ended');
    expect(await page.locator('body').innerText()).not.toMatch(/Marta|184|withdrawn/);
  });

  it('is withdrawn when it was revoked, and says so, while the new one can be paid', async () => {
    const { address, invoiceId } = await product.makeLink();
    const fresh = await revokePayLink(product.deps(), product.account.hubId, invoiceId);
    const page = await payerPage(newPage, { expected: REFUSED });
    const sentence = 'This payment link has expired. Please ask for a new one.';
    await expectState(page, address, 410, sentence, 'state-revoked');
    await page.getByText('The business has withdrawn it. A newer link may already be in your email.').waitFor();
    await openForm(page, `${product.appUrl}/make/payment/${fresh?.payId}`);
    expect(await payButton(page).innerText()).toContain('$184.00');
  });

  const closed: [string, InvoiceFields, string][] = [
    ['is paid in the CRM', { status: 'paid' }, 'This invoice is already paid. You have not been charged again.'],
    ['has nothing left to pay', { balance: '0.00' }, 'This invoice has no amount to pay. Please contact the business.'],
    ['is in euros', { currency: 'EUR' }, 'This invoice cannot be paid online.'],
  ];
  for (const [story, fields, sentence] of closed) {
    it(`says so when the invoice ${story}`, async () => {
      const { address } = await product.makeLink(fields);
      const page = await payerPage(newPage);
      await expectState(page, address, 200, sentence, `state-${story.split(' ').at(-1)}`);
    });
  }
});

describe('while the CRM does not answer', () => {
  const noFaults = product.clearFaults;
  afterEach(noFaults);

  it('no amount is shown and nothing can be paid, and Retry opens the form once it answers', async () => {
    const { address, invoiceId } = await product.makeLink();
    // The synced invoice is too old to be trusted.
    await sql(product, 'UPDATE invoices SET read_at = 0 WHERE invoice_id = ?', invoiceId);
    await product.fault('crm', '500', { times: 1000 });
    const page = await payerPage(newPage, { expected: REFUSED });
    const sentence = 'We cannot confirm the amount right now. You have not been charged.';
    await expectState(page, address, 503, sentence, 'state-unavailable');
    expect(await page.locator('body').innerText()).not.toContain('$184');

    await noFaults();
    await page.getByRole('link', { name: 'Retry' }).click();
    await payButton(page).waitFor();
    expect(page.url()).toBe(address);
  });

  it('a form that was open says that nothing was charged, and pays once the CRM answers', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { expected: REFUSED });
    await openForm(page, address);
    await fillForm(page);
    await product.fault('crm', '500', { times: 1000 });
    await payButton(page).click();
    await expectText(banner(page), 'We cannot confirm the amount right now. You have not been charged.');
    expect(await product.charges(number)).toEqual([]);

    await noFaults();
    await payButton(page).click();
    await succeeded(page).waitFor();
    expect(await product.charges(number)).toHaveLength(1);
  });
});
