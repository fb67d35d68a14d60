import { describe, expect, it } from 'vitest';
import { dataUrl, signature } from '#tests/support/content/png';
import { useProduct } from '#tests/support/product/product';
import { answerOf, ask, expectPrivate, expectRefused, payerAddress } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings } from './expect-money.ts';
import { refusals } from './refusals.ts';

const product = useProduct();
const { appUrl } = product;

const post = (payId: string, body: string | string[], headers: Record<string, string> = {}) =>
  ask(appUrl, `/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...payerAddress(), ...headers },
    body,
  });
const pay = (payId: string, form: unknown, headers?: Record<string, string>) =>
  post(payId, JSON.stringify(form), headers);

describe('payments refused without moving money', () => {
  it.each(refusals.map((row) => [row.name, row] as const))('refuses a payment with %s', async (_name, row) => {
    const invoice = await product.makeLink(row.invoice);
    const form = { ...(await product.form()), ...row.form };
    const answer = await post(invoice.payId, row.bytes?.(form) ?? JSON.stringify(form), row.headers);
    const body = expectRefused(answer, row.status, row.message);
    if (row.fields) expect(body.error?.fields).toEqual(row.fields);
    await expectNoMoney(product, invoice);
  });

  it('refuses a payment from another site’s page', async () => {
    const invoice = await product.makeLink();
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) {
      expectRefused(await pay(invoice.payId, await product.form(), headers), 403);
    }
    await expectNoMoney(product, invoice);
  });

  it('refuses a card token that has expired or was used elsewhere', async () => {
    const [invoice, otherInvoice] = [await product.makeLink(), await product.makeLink()];
    const message = 'Your card details have expired. Please enter them again. You have not been charged.';
    const used = await product.form();
    expect((await pay(otherInvoice.payId, used)).status).toBe(200);
    expectRefused(await pay(invoice.payId, used), 402, message);

    const oldForm = await product.form();
    await product.sandbox('clock', { add_s: 16 * 60 });
    try {
      expectRefused(await pay(invoice.payId, oldForm), 402, message);
    } finally {
      await product.sandbox('clock', { add_s: -16 * 60 });
    }
    await expectNoMoney(product, invoice);
    await expectPaidOnce(product, otherInvoice, '184.00');
  });

  it('refuses the sixth try on a link after five declined cards', async () => {
    const invoice = await product.makeLink();
    const declined = async () => product.form({ paymentDetails: await product.cardToken('4000000000000002') });
    let tries = 0;
    let answer = await pay(invoice.payId, await declined());
    for (; answer.status === 402 && tries < 8; tries++) answer = await pay(invoice.payId, await declined());
    expect(tries).toBeLessThanOrEqual(5);
    expectRefused(answer, 429, 'Too many attempts. Please contact the business. You have not been charged.');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expectRefused(await pay(invoice.payId, await product.form()), 429);
    await expectNoMoney(product, invoice);
  });

  it('refuses an invoice that was already paid here with another card', async () => {
    const invoice = await product.makeLink();
    expect((await pay(invoice.payId, await product.form())).status).toBe(200);
    expectRefused(
      await pay(invoice.payId, await product.form()),
      409,
      'This invoice is already paid. You have not been charged again.',
    );
    await expectPaidOnce(product, invoice, '184.00');
  });
});

describe('payments taken once, for the CRM’s amount', () => {
  it.each([
    ['a name of many scripts', { firstName: "O'Brien-Núñez 李", lastName: '=1+1; DROP TABLE ledger' }],
    ['a foreign zip and state', { zip: 'SW1A 1AA', state: 'Île-de-France' }],
    ['a zip of letters and an unknown state', { zip: 'ABCDE', state: 'ZZ' }],
    ['a short zip', { zip: '1234' }],
    ['unexpected fields', { amount: '0.01', status: 'paid', merchantId: '1', invoice: { balance: '0.01' } }],
    ['JavaScript property names', JSON.parse('{"__proto__":{"amount":"0.01"},"constructor":{"prototype":{"zip":""}}}')],
  ])('takes a payment with %s', async (_name, fields: Record<string, unknown>) => {
    const invoice = await product.makeLink();
    const form = { ...(await product.form()), ...fields };
    const answer = await pay(invoice.payId, form);
    expect(answer.status, answer.text).toBe(200);
    expectPrivate(answer);
    await expectPaidOnce(product, invoice, '184.00');
    const { attempts } = await readBookings(product, invoice);
    expect(attempts[0]).toMatchObject({
      payer_first_name: form.firstName,
      payer_last_name: form.lastName,
      payer_state: form.state,
      payer_zip: form.zip,
    });
  });

  it('uses the last of two equal keys', async () => {
    const invoice = await product.makeLink();
    const bytes = JSON.stringify(await product.form()).replace('{', '{"firstName":"","city":7,');
    expect((await post(invoice.payId, bytes)).status).toBe(200);
    await expectPaidOnce(product, invoice, '184.00');
  });

  it('discards data hidden behind the end of a signature', async () => {
    const invoice = await product.makeLink();
    const clean = Buffer.from(signature().split(',')[1] ?? '', 'base64');
    const longer = dataUrl(new Uint8Array([...clean, ...new TextEncoder().encode('<html><script>')]));
    const answer = await pay(invoice.payId, await product.form({ signature: longer }));
    expect(answer.status, answer.text).toBe(200);
    const { receiptUrl } = JSON.parse(answer.text) as { receiptUrl: string };
    const stored = await fetch(`${appUrl}${receiptUrl}/signature.png`);
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await stored.clone().arrayBuffer()).equals(clean)).toBe(true);
    expectPrivate(await answerOf(stored));
  });

  it('returns the first answer when the same card token is sent again', async () => {
    const invoice = await product.makeLink();
    const form = await product.form();
    const first = await pay(invoice.payId, form);
    const second = await pay(invoice.payId, form);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    await expectPaidOnce(product, invoice, '184.00');
  });
});
