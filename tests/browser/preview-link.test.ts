import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PageOptions, useBrowser } from '#tests/support/browser/browser';
import { holdTime } from '#tests/support/browser/held-time';
import { useProduct } from '#tests/support/product/product';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';
import { expectFocus, expectGood, expectText } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '902';

async function open(changes: Changes = {}, options: PageOptions = {}) {
  const page = await merchantPage(options);
  const server = await servePreview(page, ID, changes);
  await page.goto(`${product.appUrl}/invoice/${ID}`);
  await button(page, 'Save Invoice').waitFor();
  return { page, server };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const mailLink = (page: Page) => page.getByRole('button', { name: 'Email Payment Link' });
const mailReceipt = (page: Page) => page.getByRole('button', { name: 'Email Receipt' });

describe('from the preview', () => {
  it("the payment link is mailed: 'Payment link sent', and it stands among the mails", async () => {
    const { page, server } = await open();
    await mailLink(page).click();
    await expectText(page.locator('.banner-ok'), 'Payment link sent INV-1042 went to marta@payer.example.');
    expect(server.writes.map(({ what }) => what)).toEqual([`POST /invoices/sendPaymentLink/${ID}`]);
    await page.locator('.preview-facts').getByText('Payment link, sent').waitFor();
    await page.locator('.life').getByText('marta@payer.example').waitFor();
    await expectGood(page, 'preview-mailed');
    await button(page, 'Close message').click();
    await page.getByText('Payment link sent').waitFor({ state: 'detached' });
  });

  it("a mail that fails says 'Error sending payment link', why and what to do", async () => {
    const just = { mailed: 'pay-link' as const, mailed_at: new Date().toISOString() };
    const { page, server } = await open(just, { expected: /429/ });
    server.refusal = {
      on: /^POST/,
      status: 429,
      code: 'too-many',
      message: 'Not sent again: the last email left less than a minute ago. Try again in a minute.',
    };
    await mailLink(page).click();
    await expectText(
      page.getByRole('alert'),
      'Error sending payment link INV-1042: Not sent again: the last email left less than a minute ago. Try again in a minute.',
    );
    await expectGood(page, 'preview-mail-failed');
  });

  it('a mail that came back says so, and whose address has to be corrected: no other goes there', async () => {
    const { page, server } = await open({
      customer_id: '501',
      ...{ mailed: 'pay-link', mailed_at: '2026-03-02T15:42:00Z' },
      delivery: 'bounced',
      bad_address: 'bounced',
    });
    await page.getByText('Sent Mar 2, 2026, came back').waitFor();
    await expectText(
      page.locator('.banner-warn'),
      'Mail to marta@payer.example came back. Correct the address in HubSpot. Then press Check again. Until then, copy the pay link or take the payment here. Check again',
    );
    expect(await mailLink(page).isDisabled()).toBe(true);
    await page.getByText('No email arrives there').waitFor();
    await expect.poll(() => page.locator('main a.button-primary').allInnerTexts()).toEqual(['Take payment']);
    await expectGood(page, 'preview-mail-came-back');
    if (server.invoice) Object.assign(server.invoice, { bad_address: null, delivery: null, email: 'm@payer.example' });
    await button(page, 'Check again').click();
    await expect.poll(() => mailLink(page).isEnabled()).toBe(true);
    expect(await page.locator('.banner-warn').count()).toBe(0);
  });

  it('a new mail to a corrected address is asked about, and not called delivered', async () => {
    const { page } = await open({
      ...{ mailed: 'pay-link', mailed_at: '2026-03-02T15:42:00Z' },
      delivery: 'bounced',
      bad_address: null,
    });
    await mailLink(page).click();
    await button(page, 'Send anyway').click();
    await page.getByText(/^Sent \d+:\d\d\s[AP]M$/).waitFor();
  });

  it('a mail that the mail service has yet to take is not called sent', async () => {
    const { page, server } = await open();
    server.mail.status = 'queued';
    await mailLink(page).click();
    await page.getByText('INV-1042 is waiting for the mail service.').waitFor();
    expect(await page.getByText('Payment link sent').count()).toBe(0);
  });

  it('no link is offered in another currency, and the page says why', async () => {
    const { page } = await open({ properties: { hs_currency: 'EUR' }, pay_link: null });
    await page.getByText('Invoices in EUR cannot be paid online.').waitFor();
    for (const name of ['Copy link', 'Revoke link', 'Make a pay link'])
      expect(await button(page, name).count()).toBe(0);
    expect(await mailLink(page).count()).toBe(0);
    expect(await page.getByText(/^(Works until|Ended|There is no pay link)/).count()).toBe(0);
    await expectGood(page, 'preview-currency');
  });

  it('nothing is mailed where the CRM knows no address, and the page says why', async () => {
    const { page } = await open({ email: '', customer_id: '501' });
    expect(await mailLink(page).isDisabled()).toBe(true);
    await page.getByText('No email address in HubSpot', { exact: true }).waitFor();
    await page.getByText('There is no email address in HubSpot. Enter one there.').waitFor();
    await expectGood(page, 'preview-no-address');
  });

  it("a paid invoice mails its receipt: 'Payment success email sent', or 'Error sending payment success email'", async () => {
    const { page, server } = await open(
      {
        properties: {
          hs_invoice_status: 'paid',
          hs_balance_due: '0.00',
          payment_date: '2026-03-04T15:42:00Z',
          ...{ payment_method: 'Visa 1111', paid_via: 'Online', transaction_id: '8442', receipt_id: 'R-1042' },
        },
        ...{ mailed: 'pay-link', mailed_at: '2026-03-02T15:42:00Z', receipt_url: '/receipt/abc', pay_link: null },
      },
      { expected: /503/ },
    );
    expect(await mailLink(page).count()).toBe(0);
    expect(await button(page, 'Copy link').count()).toBe(0);
    await expectText(page.locator('.preview-owed'), '$220.50 paid Mar 4, 2026.');
    expect(await page.getByRole('link', { name: 'View receipt' }).getAttribute('href')).toMatch(/\/receipt\/abc$/);
    await mailReceipt(page).click();
    await page.getByText('Payment success email sent', { exact: true }).waitFor();
    await expectGood(page, 'preview-paid');
    server.refusal = { on: /^POST/, status: 503, code: 'x', message: 'HubSpot is not answering. No email was sent.' };
    await mailReceipt(page).click();
    await expectText(
      page.getByRole('alert'),
      'Error sending payment success email INV-1042: HubSpot is not answering. No email was sent.',
    );
  });

  it('a paid invoice sends an itemised receipt after one question, and a press that failed is asked for again', async () => {
    const { page, server } = await open(
      {
        properties: {
          ...{ hs_invoice_status: 'paid', hs_balance_due: '0.00' },
          ...{ payment_date: '2026-03-04T15:42:00Z', payment_method: 'Visa 1111' },
          ...{ paid_via: 'Online', transaction_id: '8442', receipt_id: 'R-1042' },
        },
        ...{
          mailed: 'pay-link' as const,
          mailed_at: '2026-03-02T15:42:00Z',
          receipt_url: '/receipt/abc',
          pay_link: null,
        },
      },
      { expected: /503/ },
    );
    const ask = () => page.getByRole('button', { name: 'Send itemised receipt INV-1042' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send itemised receipt?' });
    await ask();
    await dialog.getByText('The receipt goes to marta@payer.example with each item of the bill.').waitFor();
    await expectGood(page, 'preview-itemised');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(server.writes).toEqual([]);
    await ask();
    server.refusal = { on: /^POST/, status: 503, code: 'x', message: 'HubSpot is not answering. No email was sent.' };
    const lost = page.waitForRequest('**/itemised-receipt');
    await dialog.getByRole('button', { name: 'Send itemised receipt' }).click();
    await dialog.getByText('HubSpot is not answering. No email was sent.').waitFor();
    server.refusal = null;
    await dialog.getByRole('button', { name: 'Send itemised receipt' }).click();
    await page.getByText('The itemised receipt of INV-1042 went to marta@payer.example.').waitFor();
    const body = (await lost).postDataJSON();
    expect(server.writes).toEqual([{ what: `POST /invoices/${ID}/itemised-receipt`, body }]);
    await page.locator('.preview-facts').getByText('Receipt, sent').waitFor();
  });

  it('the pay link is copied, or shown to be copied by hand where the browser refuses', async () => {
    const { page } = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    await page.getByText('Works until Jan 23, 2099.').waitFor();
    await button(page, 'Copy link').click();
    await page.getByText('Pay link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/make\/payment\/first0+$/);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    });
    await button(page, 'Copy link').click();
    expect(await page.getByRole('textbox', { name: 'Pay link' }).inputValue()).toMatch(/\/make\/payment\/first0+$/);
    expect(await page.getByText('Pay link copied.').count(), 'what was said of the first press').toBe(0);
    await expectGood(page, 'preview-copy-refused');
  });

  it('the pay link is revoked only when asked twice, and another takes its place', async () => {
    const { page, server } = await open({}, { expected: /503/ });
    await button(page, 'Revoke link').click();
    const dialog = page.getByRole('dialog', { name: 'Revoke the pay link of INV-1042?' });
    await dialog.getByText('$220.50').waitFor();
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await expectGood(page, 'preview-revoke');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocus(button(page, 'Revoke link'));
    expect(server.writes).toEqual([]);

    server.refusal = { on: /^DELETE/, status: 503, code: 'x', message: 'The CRM is not answering. Please try again.' };
    await button(page, 'Revoke link').click();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await dialog.getByText('The CRM is not answering. Please try again.').waitFor();
    await expectGood(page, 'preview-revoke-failed');
    server.refusal = null;
    // Undo is offered for ten seconds, and looked at for as long as that takes.
    const goOn = await holdTime(page);
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await dialog.waitFor({ state: 'detached' });
    const bar = page.getByText('The pay link of INV-1042 will be revoked');
    await bar.waitFor();
    await expectFocus(button(page, 'Undo'));
    await expectGood(page, 'preview-revoke-undo');
    await page.keyboard.press('Enter');
    await page.getByText('The pay link of INV-1042 stays.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await goOn();
    await expectFocus(button(page, 'Revoke link'));
    const [revoked, undone] = [`DELETE /invoices/${ID}/link`, `DELETE /invoices/${ID}/link/revocation`];
    expect(server.writes.map(({ what }) => what)).toEqual([revoked, undone]);

    await button(page, 'Revoke link').click();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await bar.waitFor();
    await page.getByText('The old pay link of INV-1042 no longer works.').waitFor();
    await expectFocus(button(page, 'Revoke link'));
    expect(server.writes.map(({ what }) => what).slice(2)).toEqual([revoked, `POST /invoices/${ID}/link`]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.appUrl });
    await button(page, 'Copy link').click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/second0+$/);
  });

  it('a pay link is made where there is none or the last one has ended', async () => {
    const { page } = await open({ pay_link: null });
    await page.getByText('There is no pay link yet.').waitFor();
    await button(page, 'Make a pay link').click();
    await page.getByText('Works until Jan 23, 2099.').waitFor();
    await button(page, 'Copy link').waitFor();
  });
});

describe('the footer text', () => {
  it('is edited in its place by an admin, and a refusal keeps what was typed', async () => {
    const { page, server } = await open({}, { expected: /422/ });
    await button(page, 'Edit footer text').click();
    const area = page.getByRole('textbox', { name: 'Footer text' });
    await expectFocus(area);
    await area.fill('Payable within 30 days.\nThank you.');
    await expectGood(page, 'preview-footer');
    server.refusal = {
      on: /footer-text$/,
      status: 422,
      code: 'invalid',
      message: 'Please keep the footer text to 500 characters.',
    };
    await button(page, 'Save footer text').click();
    await page.getByText('Please keep the footer text to 500 characters.').waitFor();
    await expectFocus(area);
    expect(await area.inputValue()).toContain('Payable');
    server.refusal = null;
    await button(page, 'Save footer text').click();
    await page.getByText('Footer text saved.').waitFor();
    await expectText(page.locator('.preview-footer p'), 'Payable within 30 days. Thank you.');
    await expectFocus(button(page, 'Edit footer text'));
    expect(server.writes).toEqual([
      { what: 'PUT /token/footer-text', body: { footer_text: 'Payable within 30 days.\nThank you.' } },
    ]);
  });

  it('is read-only for everyone else', async () => {
    const { page } = await open({ can_edit_footer: false });
    await page.getByText('Thank you. Please call us').waitFor();
    expect(await button(page, 'Edit footer text').count()).toBe(0);
  });
});
