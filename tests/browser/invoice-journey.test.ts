import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useMerchant } from './merchant.ts';
import { draw, expectText, fillForm, heading, openForm, payButton, payerPage, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const image = (page: Page) => page.getByAltText('Your signature');

/** The pixels that an image shows, from any kind of source. */
const pixelsOf = (target: Locator) =>
  target.evaluate(async (element) => {
    const source = element as HTMLImageElement;
    await source.decode();
    const canvas = document.createElement('canvas');
    canvas.width = source.naturalWidth;
    canvas.height = source.naturalHeight;
    canvas.getContext('2d')?.drawImage(source, 0, 0);
    return canvas.toDataURL();
  });

/** Opens the preview of a new CRM invoice as a merchant. */
async function openPreview() {
  const invoice = await product.makeInvoice();
  const page = await merchantPage();
  const show = async () => {
    await page.goto(`${product.appUrl}/invoice/${invoice.invoiceId}`);
    await button(page, 'Save Invoice').waitFor();
    await page.locator('summary', { hasText: 'Signature' }).click();
  };
  await show();
  return { page, show, ...invoice };
}

describe('a merchant with a CRM invoice', () => {
  it('saves a signature, finds it unchanged on reopening, and can remove it', async () => {
    const { page, show, number } = await openPreview();
    await heading(page, number).waitFor();
    await expectText(page.locator('.preview-owed'), '$184.00 owed, due Dec 24, 2099.');
    await expectText(page.getByRole('table', { name: 'Line items' }).getByRole('row').last(), /^Total \$184\.00$/);
    await draw(page);
    await button(page, 'Save Invoice').click();
    await page.getByText(`Signature saved with ${number}.`).waitFor();
    const drawnPixels = await pixelsOf(image(page));
    await show();
    await image(page).waitFor();
    expect(await pixelsOf(image(page))).toBe(drawnPixels);
    await button(page, 'Clear Signature').click();
    await button(page, 'Save Invoice').click();
    await page.getByText(`Signature removed from ${number}.`).waitFor();
    await show();
    await page.getByRole('img', { name: /^Signature pad/ }).waitFor();
  });

  it('mails its pay link, which is paid, and then its receipt', async () => {
    const { page, show, number, email } = await openPreview();
    await button(page, `Email Payment Link, ${number}`).click();
    await button(page, 'Send').click();
    await expectText(page.locator('.banner-ok'), `Payment link sent ${number} went to ${email}.`);
    const [mail] = await product.mailTo(email);
    const address = /\S+\/make\/payment\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(mail?.subject).toContain(number);

    const payer = await payerPage(newPage);
    await openForm(payer, address);
    await fillForm(payer);
    await payButton(payer).click();
    await successHeading(payer).waitFor();

    await show();
    await page.locator('.preview-head').getByText('Paid', { exact: true }).waitFor();
    await button(page, `Email Receipt, ${number}`).click();
    await button(page, 'Send').click();
    await page.getByText('Payment success email sent', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View receipt' }).waitFor();
    expect(await page.locator('.preview-grid').innerText()).toContain('Payment link');
  });

  it('revokes a pay link, which stops working for every payer', async () => {
    const { page, number } = await openPreview();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    await button(page, 'Create a payment link').click();
    const copyLink = async () => {
      await button(page, 'Copy link').click();
      await page.getByText('Payment link copied.').first().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const oldLink = await copyLink();
    await button(page, 'Revoke link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
    await page.getByText(`The old payment link of ${number} no longer works.`).waitFor();
    // The notice of the first copy may still be shown.
    let newLink = oldLink;
    await expect
      .poll(async () => {
        newLink = await copyLink();
        return newLink;
      })
      .not.toBe(oldLink);
    expect((await fetch(oldLink)).status).toBe(410);
    expect((await fetch(newLink)).status).toBe(200);
  });

  it('mails a link from Open Invoices, and the row offers the receipt once the invoice is paid', async () => {
    const { number, email } = await product.makeLink();
    const page = await merchantPage();
    const show = () => page.goto(`${product.appUrl}/openInvoices?q=${number}`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
    // The column or, in a narrower table, the line below the status, whichever is visible.
    const lastEmail = (text: RegExp) => row.getByText(text).filter({ visible: true });
    await show();
    await row.getByRole('button', { name: 'Email Payment Link' }).click();
    await button(page, 'Send').click();
    await expectText(page.locator('.banner-ok'), `Payment link sent ${number} went to ${email}.`);
    await lastEmail(/^Sent \d+:\d\d\s[AP]M$/).waitFor();
    const [mail] = await product.mailTo(email);

    const payer = await payerPage(newPage);
    await openForm(payer, /\S+\/make\/payment\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '');
    await fillForm(payer);
    await payButton(payer).click();
    await successHeading(payer).waitFor();

    await show();
    await row.getByText('Paid here. HubSpot says open: mark it paid there.').waitFor();
    await row.getByRole('button', { name: 'Email Receipt' }).click();
    await button(page, 'Send').click();
    await page.getByText('Payment success email sent', { exact: true }).waitFor();
    await lastEmail(/^Receipt \d+:\d\d\s[AP]M$/).waitFor();
  });
});
