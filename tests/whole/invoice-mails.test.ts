import { describe, expect, it } from 'vitest';
import { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { SendMailReply } from '#shared/contracts/lists/lists';
import { bearer } from '#tests/support/consent';
import { signature } from '#tests/support/content/png';
import { until, useProduct } from '#tests/support/product/product';
import { type Ask, ask, expectError, expectPrivate } from './answers.ts';
import { expectNoMoney, expectPaidOnce, sql } from './expect-money.ts';
import { logIn } from './merchant.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { appUrl } = product;
const { pay } = payerOf(product);

const requestAs = (token: string, path: string, options: Ask = {}) =>
  ask(appUrl, path, { ...options, headers: { ...bearer(token), ...options.headers } });
const send = (token: string, kind: 'Link' | 'SuccessEmail', id: string) =>
  requestAs(token, `/api/invoices/sendPayment${kind}/${id}`, { method: 'POST' });
const preview = async (token: string, id: string) =>
  InvoicePreviewReply.parse(JSON.parse((await requestAs(token, `/api/invoices/${id}`)).text));

describe('a clinic’s invoice', () => {
  it('is previewed, signed, mailed and paid by the mailed link, and its receipt is mailed again', async () => {
    const { jar, token } = await logIn(appUrl, 0);
    const bill = await product.makeInvoice();
    const open = await preview(token, bill.invoiceId);
    expect(open).toMatchObject({
      properties: { hs_number: bill.number, hs_invoice_status: 'open', clinic_name: product.account.name },
      pay_link: null,
      email: bill.email,
    });
    const saved = await requestAs(token, `/api/invoices/${bill.invoiceId}/signature`, {
      method: 'PUT',
      headers: { ...jar.header, origin: appUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ signature: signature() }),
    });
    expect(saved.status).toBe(200);

    const mailed = await send(token, 'Link', bill.invoiceId);
    expectPrivate(mailed);
    expect(SendMailReply.parse(JSON.parse(mailed.text))).toMatchObject({ status: 'sent', to: bill.email });
    const [mail] = await product.mailTo(bill.email);
    const payId = /\/make\/payment\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(textOfHtml(mail?.html ?? '')).toContain('$184.00 USD');
    const redirect = await ask(appUrl, `/make/payment/${bill.invoiceId}`, { headers: jar.header });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `/make/payment/${payId}`]);

    expect((await pay(payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, bill, '184.00');
    await until(
      () => product.mailTo(bill.email),
      (mails) => mails.length === 2,
    );
    expect((await send(token, 'SuccessEmail', payId)).status).toBe(200);
    const receipts = (await product.mailTo(bill.email)).slice(1);
    expect(new Set(receipts.map(({ subject, text }) => subject + text)).size).toBe(1);
    expect(await preview(token, bill.invoiceId)).toMatchObject({
      properties: { hs_invoice_status: 'paid', hs_balance_due: '0.00', paid_via: 'Payment link' },
      signature_saved_at: expect.any(String),
      mailed: 'receipt',
    });
  });

  it('is hidden from other accounts on every call, by record id and by pay id', async () => {
    const { token } = await logIn(appUrl, 1);
    const link = await product.makeLink();
    const unknown = await requestAs(token, '/api/invoices/99999999999');
    const calls: [string, string, string?][] = [
      ['GET', ''],
      ['POST', '/link'],
      ['DELETE', '/link'],
      ['PUT', '/signature', JSON.stringify({ signature: signature() })],
      ['DELETE', '/signature'],
    ];
    for (const id of [link.invoiceId, link.payId]) {
      for (const [method, path, body] of calls) {
        const answer = await requestAs(token, `/api/invoices/${id}${path}`, { method, ...(body ? { body } : {}) });
        expectError(answer, 404, 'No invoice found');
        expect(answer.text, `${method} ${path}`).toBe(unknown.text);
      }
      for (const kind of ['Link', 'SuccessEmail'] as const)
        expectError(await send(token, kind, id), 404, 'No invoice found');
      expect((await requestAs(token, `/api/invoices/${id}/signature`)).status).toBe(404);
    }
    expect(await product.mailTo(link.email)).toEqual([]);
    const links = await sql<{ state: string }>(
      product,
      'SELECT state FROM pay_links WHERE invoice_id = ?',
      link.invoiceId,
    );
    expect(links.map(({ state }) => state)).toEqual(['live']);
    await expectNoMoney(product, link);
  });
});

describe('a mail that cannot be sent', () => {
  it('is refused with its reason: no address, not paid yet, just sent', async () => {
    const { token } = await logIn(appUrl, 0);
    const noMail = await product.makeInvoice({ contact: { firstname: 'Otto', lastname: 'Mailless' } });
    expectError(await send(token, 'Link', noMail.invoiceId), 422, 'This customer has no email address in HubSpot.');
    const bill = await product.makeInvoice();
    expectError(await send(token, 'SuccessEmail', bill.invoiceId), 409, 'This invoice has not been paid yet.');
    expect((await send(token, 'Link', bill.invoiceId)).status).toBe(200);
    const second = await send(token, 'Link', bill.invoiceId);
    expectError(second, 429, 'Not sent again: the last email was sent less than a minute ago. Try again in a minute.');
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    const clicks = await Promise.all(Array.from({ length: 30 }, () => send(token, 'Link', bill.invoiceId)));
    expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await product.mailTo(bill.email)).toHaveLength(1);
  });

  it('is not sent from another site’s page, nor from a browser without its refresh token', async () => {
    const { jar, token } = await logIn(appUrl, 0);
    const bill = await product.makeInvoice();
    const sendFrom = (headers: Record<string, string>) =>
      requestAs(token, `/api/invoices/sendPaymentLink/${bill.invoiceId}`, { method: 'POST', headers });
    expectError(await sendFrom({ ...jar.header, origin: 'https://evil.example' }), 403);
    expectError(await sendFrom({ ...jar.header, 'sec-fetch-site': 'cross-site' }), 403);
    expectError(await sendFrom({ origin: appUrl }), 401, 'Please log in again.');
    expect(await product.mailTo(bill.email)).toEqual([]);
    expect((await sendFrom({ ...jar.header, origin: appUrl })).status).toBe(200);
  });

  it('never contains another host’s name, whatever the request’s Host', async () => {
    const { token } = await logIn(appUrl, 0);
    const bill = await product.makeInvoice();
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-host': 'evil.example' };
    const answer = await requestAs(token, `/api/invoices/sendPaymentLink/${bill.invoiceId}`, {
      method: 'POST',
      headers,
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await product.mailTo(bill.email)) + answer.text).not.toContain('evil');
  });
});

describe('markup from the CRM', () => {
  it('stays text in a pay-link mail and plain data in the preview', async () => {
    const { token } = await logIn(appUrl, 0);
    const tag = crypto.randomUUID().slice(0, 8);
    const img = '<img src=x onerror=alert(1)>';
    const bill = await product.makeInvoice({
      number: `${img}${tag}`,
      contact: { firstname: img, lastname: 'Núñez', email: `${tag}@payer.example` },
    });
    expect((await send(token, 'Link', bill.invoiceId)).status).toBe(200);
    const [mail] = await product.mailTo(`${tag}@payer.example`);
    expect(mail?.html).not.toContain('<img');
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    const answer = await requestAs(token, `/api/invoices/${bill.invoiceId}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(InvoicePreviewReply.parse(JSON.parse(answer.text)).properties.customer_name).toContain(img);
  });
});
