import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser } from '../support/browser/browser.ts';
import { useMerchant } from './merchant.ts';
import {
  cardFrame,
  draw,
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  payButton,
  payerPage,
  succeeded,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

/** Staff switch parts on for the account, if nobody has yet, and open an invoice for them with a deposit. */
async function openInvoice(page: Page, invoiceId: string): Promise<void> {
  await page.goto(`${product.appUrl}/account/parts`);
  const on = page.getByRole('button', { name: 'Let invoices be opened', exact: true });
  await on.or(page.getByRole('button', { name: 'Open no more invoices' })).waitFor();
  if (await on.isVisible()) {
    await on.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Let invoices be opened' }).click();
    await page.getByText('On', { exact: true }).waitFor();
  }
  await page.goto(`${product.appUrl}/invoice/${invoiceId}`);
  await page.getByRole('button', { name: 'Let it be paid in parts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Smallest part/).fill('20');
  await dialog.getByLabel(/^Deposit/).fill('25%');
  await dialog.getByRole('button', { name: 'Let it be paid in parts' }).click();
  // A field of the dialog is called so too.
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Smallest part').waitFor();
}

const choice = (page: Page, name: RegExp) => page.getByRole('radio', { name });

async function payNow(page: Page, button = payButton(page)): Promise<void> {
  await fillDetails(page);
  await fillCard(page);
  await draw(page);
  await button.click();
}

// Many pages one after the other: a busy machine needs its time for them.
const timeout = 240_000;

describe('an invoice in parts', () => {
  it('is opened by staff, takes a deposit and then an amount from its payer, and is paid by the rest', {
    timeout,
  }, async () => {
    const { address, invoiceId, number } = await product.makeLink();
    const staff = await merchantPage();
    await openInvoice(staff, invoiceId);

    const page = await payerPage(newPage, { viewport: PHONE });
    await openForm(page, address);
    await choice(page, /^The full amount \$184\.00$/).waitFor();
    await expectText(payButton(page), 'Pay $184.00');
    expect(await cardFrame(page).getByRole('tab', { name: 'Bank account' }).count()).toBe(0);
    // Without those tabs the form is lower, and its box with it.
    const [plate, card] = await Promise.all(
      ['.card-plate', '.card-plate iframe'].map((part) => page.locator(part).evaluate((it) => it.clientHeight)),
    );
    expect((plate ?? 0) - (card ?? 0)).toBeLessThanOrEqual(16);
    await choice(page, /^Another amount$/).check();
    await page.getByLabel('Another amount', { exact: true }).last().fill('19.99');
    await page.getByText('At least $20.00 now.').waitFor();
    // It names no amount while none is chosen, and says so of it whatever else is missing.
    const nameless = page.getByRole('button', { name: 'Pay', exact: true });
    await nameless.click();
    await page.getByText('Please fill in all required fields:').waitFor();
    await page.getByText('Enter $20.00 to $164.00.').waitFor();
    await page.getByLabel('Another amount', { exact: true }).last().fill('20');
    await page.getByText(/^At least \$20\.00 now\. \$164\.00 will be left, due \w+ \d+, \d{4}\.$/).waitFor();
    await page.getByLabel('Another amount', { exact: true }).last().fill('19.99');
    await payNow(page, nameless);
    await page.getByText('Enter $20.00 to $164.00.').waitFor();
    await expectGood(page, 'pay-part');
    await choice(page, /^Deposit \$46\.00$/).check();
    await expectText(payButton(page), 'Pay $46.00');
    await payButton(page).click();
    await succeeded(page).waitFor();
    await page.getByText('$138.00 is left of $184.00.').waitFor();
    expect(await page.getByText('Paid', { exact: true }).count()).toBe(0);
    await expectGood(page, 'pay-part-paid');
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByText(/^You paid \$46\.00 of \$184\.00\. \$138\.00 is left, due \w+ \d+, \d{4}\.$/).waitFor();
    await expectGood(page, 'receipt-part');

    await staff.reload();
    await staff.getByText('Partly paid').first().waitFor();
    await openForm(page, address);
    await page.getByText(/^\$46\.00 of \$184\.00 is paid: \$46\.00 on \w+ \d+, \d{4}\.$/).waitFor();
    await choice(page, /^All that is left \$138\.00$/).waitFor();
    await payNow(page);
    await succeeded(page).waitFor();
    expect((await product.charges(number)).map(({ amount }) => amount).sort()).toEqual(['138.00', '46.00']);
    await page.goto(address);
    await page.getByText('This invoice is already paid.').waitFor();
  });

  it('asks in Spanish how much is paid', { timeout }, async () => {
    const { address, invoiceId } = await product.makeLink();
    await openInvoice(await merchantPage(), invoiceId);
    const page = await payerPage(newPage, { viewport: PHONE, locale: 'es-US' });
    await page.goto(address);
    await page.getByText('¿Cuánto paga ahora?').waitFor();
    await choice(page, /^Anticipo \$46\.00$/).check();
    await page.getByRole('button', { name: 'Pagar $46.00' }).waitFor();
    await expectGood(page, 'pay-part-es');
  });

  it('shows staff how it stands, and under Account whether there may be more', { timeout }, async () => {
    const { invoiceId } = await product.makeLink();
    const staff = await merchantPage();
    await openInvoice(staff, invoiceId);
    await expectGood(staff, 'invoice-in-parts');
    await staff.goto(`${product.appUrl}/account/parts`);
    await staff.getByRole('button', { name: 'Open no more invoices' }).waitFor();
    await expectGood(staff, 'account-parts');
  });
});
