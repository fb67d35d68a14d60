import { describe, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { signature } from '#tests/support/content/png';
import { until, useProduct } from '#tests/support/product/product';
import { ask, expectError, expectRefused } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings, sql } from './expect-money.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { appUrl } = product;
const { pay, read, statusOf } = payerOf(product);

/** Makes the synced invoice stale, so that the next read asks the CRM. */
const makeOld = (invoiceId: string) => sql(product, 'UPDATE invoices SET read_at = 0 WHERE invoice_id = ?', invoiceId);

describe('an invoice behind a pay link', () => {
  it('shows exactly the fields a payer may see', async () => {
    const link = await product.makeLink({
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' } as {
        name: string;
      },
    });
    const view = await read(`/api/invoices/${link.payId}`);
    expect(view.status).toBe(200);
    expect(JSON.parse(view.text)).toEqual({
      invoice: { invoice_number: link.number, amount_due: '184.00', due_date: '2099-12-24' },
      customer: { first_name: 'Marta', last_name: 'Núñez' },
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
      publicKey: terminals.find(({ channel }) => channel === 'ecommerce')?.publicKey,
      sandbox: true,
      sdk: {
        provider: 'Clearent',
        scriptUrl: `${product.sandboxUrl}/js-sdk/js/clearent-host.js`,
        baseUrl: product.sandboxUrl,
      },
      // The local account shows payers the line items of their bill.
      line_items: [{ name: 'Consultation', quantity: '1', total: '184.00' }],
      line_item_count: 1,
    });
    expect(await statusOf(link.payId)).toEqual({ state: 'none' });
  });

  it('shows number, amount, due date, customer and company before any script runs', async () => {
    const link = await product.makeLink();
    const page = await read(`/make/payment/${link.payId}`);
    expect(page.status).toBe(200);
    const text = textOfHtml(page.text);
    for (const part of [
      link.number,
      '$184.00',
      'Due Dec 24, 2099',
      'Marta Núñez',
      'Núñez Studio LLC',
      product.account.name,
    ]) {
      expect(text).toContain(part);
    }
    expect(page.text).not.toContain(link.invoiceId);
    expect(page.text).not.toContain(link.email);
  });
});

describe('a card payment', () => {
  it('is charged and settled once, and its receipt agrees with the ledger everywhere', async () => {
    const link = await product.makeLink();
    const form = await product.form({ amountShown: '184.00' });
    const { status: code, reply } = await pay(link.payId, form);
    expect(code).toBe(200);
    await expectPaidOnce(product, link, '184.00');
    const [entry] = (await readBookings(product, link)).ledger;
    const [charge] = await product.charges(link.number);
    expect(reply).toEqual({
      code: '200',
      status: 'success',
      payload: {
        payloadType: 'transaction',
        transaction: {
          id: charge?.id,
          amount: '184.00',
          card: 'VISA •••• 1111',
          'authorization-code': expect.stringMatching(/^\w{6}$/),
          result: 'APPROVED',
          date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      },
      receiptUrl: expect.stringMatching(/^\/receipt\/[\w-]{22,}$/),
    });
    expect(charge).toMatchObject({ type: 'SALE', order_id: entry?.attempt_id, invoice: `${link.invoiceId}-1` });

    const mails = await until(
      () => product.mailTo(link.email),
      (list) => list.length > 0,
    );
    expect(mails).toHaveLength(1);
    const page = await read(reply.receiptUrl ?? '');
    expect(page.status).toBe(200);
    const texts = [mails[0]?.text ?? '', textOfHtml(mails[0]?.html ?? ''), textOfHtml(page.text)];
    for (const text of texts) {
      for (const part of [
        product.account.name,
        '$184.00 USD',
        link.number,
        'Marta Núñez',
        'VISA •••• 1111',
        entry?.provider_txn_id ?? '',
        reply.payload.transaction?.['authorization-code'] ?? '',
        'Approved',
      ]) {
        expect(text).toContain(part);
      }
      expect(text.match(/\$[\d,.]+ USD/g)?.every((amount) => amount === '$184.00 USD')).toBe(true);
      expect(text).not.toContain('411111');
    }
    expect(mails[0]?.subject).toBe(`Receipt for invoice ${link.number} from ${product.account.name}`);
    expect(mails[0]?.text).toContain(`${appUrl}${reply.receiptUrl}`);

    const image = await fetch(`${appUrl}${reply.receiptUrl}/signature.png`);
    expect(image.headers.get('content-type')).toBe('image/png');
    const expectedImage = Buffer.from(signature().split(',')[1] ?? '', 'base64');
    expect(Buffer.from(await image.arrayBuffer()).equals(expectedImage)).toBe(true);
  });

  it('returns the same bytes for a repeated card token, and mails no second receipt', async () => {
    const link = await product.makeLink();
    const form = await product.form();
    const first = await pay(link.payId, form);
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length > 0,
    );
    const repeats = await Promise.all([1, 2, 3].map(() => pay(link.payId, form)));
    expect(repeats.map(({ status, text }) => [status, text])).toEqual(repeats.map(() => [200, first.text]));
    await expectPaidOnce(product, link, '184.00');
    await product.runSchedule();
    expect(await product.mailTo(link.email)).toHaveLength(1);
  });

  it('shows as paid wherever the link is opened afterwards, even if the CRM disagrees', async () => {
    const link = await product.makeLink();
    const { reply } = await pay(link.payId, await product.form());
    await makeOld(link.invoiceId);
    const view = await read(`/api/invoices/${link.payId}`);
    expect(view.status).toBe(200);
    expect(JSON.parse(view.text).invoice.amount_due).toBe('0.00');
    expect(await statusOf(link.payId)).toMatchObject({
      state: 'paid',
      transaction: reply.payload.transaction,
      receiptUrl: reply.receiptUrl,
    });
    const page = await read(`/make/payment/${link.payId}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(reply.receiptUrl);
    expect(page.text).not.toContain('pay-view');
    expect((await read(`/api/invoices/${link.invoiceId}`)).status).toBe(404);
  });

  it('shows the reason of a decline, leaves the link open, and lets the next card pay', async () => {
    const link = await product.makeLink();
    const declined = await pay(
      link.payId,
      await product.form({ paymentDetails: await product.cardToken('4000000000000002') }),
    );
    const body = expectRefused(declined, 402, 'Card declined');
    expect(body.payload).toEqual({
      payloadType: 'error',
      error: { 'error-message': 'Card declined', 'result-code': expect.any(String) },
    });
    await expectNoMoney(product, link);
    expect(await statusOf(link.payId)).toMatchObject({ state: 'declined' });
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, link, '184.00');
    expect((await readBookings(product, link)).attempts.map(({ state }) => state)).toEqual(['declined', 'approved']);
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length === 1,
    );
  });
});

describe('a receipt', () => {
  it('is not found when it does not exist or its payment failed', async () => {
    const link = await product.makeLink();
    await pay(link.payId, await product.form({ paymentDetails: await product.cardToken('4000000000000002') }));
    const [attempt] = (await readBookings(product, link)).attempts;
    for (const id of ['nothing', String(attempt?.receipt_id), link.payId]) {
      const page = await read(`/receipt/${id}`);
      expect(page.status).toBe(404);
      expect(page.text).not.toContain(link.number);
      expect((await ask(appUrl, `/receipt/${id}/signature.png`)).status).toBe(404);
    }
    expectError(await ask(appUrl, `/api/invoices/${attempt?.receipt_id}`), 404);
  });
});
