import { describe, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { signature } from '#tests/support/png';
import { until } from '#tests/support/product';
import { type Answer, answerOf, ask, expectError, expectPrivate, expectRefused, payerAddress } from './answers.ts';
import { booked, expectNoMoney, expectPaidOnce, type Product, sql, useWholeProduct } from './books.ts';

const product: Product = useWholeProduct();
const { appUrl } = product;

type Reply = {
  code: string;
  status: string;
  payload: { payloadType: string; transaction?: Record<string, string>; error?: Record<string, string> };
  receiptUrl?: string;
  error?: { code: string; message: string };
};

const pay = async (payId: string, form: unknown): Promise<Answer & { reply: Reply }> => {
  const answer = await answerOf(await product.pay(payId, form, payerAddress()));
  expectPrivate(answer);
  return { ...answer, reply: JSON.parse(answer.text) as Reply };
};
const read = async (path: string) => {
  const answer = await ask(appUrl, path);
  expectPrivate(answer);
  return {
    ...answer,
    json: answer.headers.get('content-type')?.includes('json') ? JSON.parse(answer.text) : undefined,
  };
};
const statusOf = (payId: string) => read(`/api/invoices/${payId}/payment`).then(({ json }) => json);
const fault = (on: string, kind: string, times = 1) => product.sandbox('faults', { on, do: kind, times });
const noFaults = () => product.sandbox('faults', undefined, 'DELETE');
/** The copy of the invoice counts as old, so that the next look reads the CRM. */
const age = (invoiceId: string) => sql(product, 'UPDATE invoices SET read_at = 0 WHERE invoice_id = ?', invoiceId);
const words = (html: string) =>
  html
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

async function bankToken(account = '000123456789') {
  const online = terminals.find(({ channel }) => channel === 'ecommerce');
  const response = await fetch(`${product.sandboxUrl}/rest/v2/mobilejwt/ach`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': online?.publicKey ?? '' },
    body: JSON.stringify({
      'routing-number': '021000021',
      'account-number': account,
      'account-type': 'Checking',
      'individual-name': 'Marta Núñez',
    }),
  });
  const { payload } = (await response.json()) as { payload: { 'mobile-jwt': { jwt: string } } };
  return payload['mobile-jwt'];
}

describe('an invoice behind a pay link', () => {
  it('shows exactly the fields that a payer may see', async () => {
    const link = await product.makeLink({
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' } as {
        name: string;
      },
    });
    const { status, json } = await read(`/api/invoices/${link.payId}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      invoice: { invoice_number: link.number, amount_due: '184.00', due_date: '2026-12-24' },
      customer: { first_name: 'Marta', last_name: 'Núñez' },
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
      publicKey: terminals.find(({ channel }) => channel === 'ecommerce')?.publicKey,
      sandbox: true,
      sdk: {
        provider: 'Clearent',
        scriptUrl: `${product.sandboxUrl}/js-sdk/js/clearent-host.js`,
        baseUrl: product.sandboxUrl,
      },
    });
    expect(await statusOf(link.payId)).toEqual({ state: 'none' });
  });

  it('stands on its page with number, amount, due date, customer and company before any script runs', async () => {
    const link = await product.makeLink();
    const page = await read(`/make/payment/${link.payId}`);
    expect(page.status).toBe(200);
    const text = words(page.text);
    for (const part of [
      link.number,
      '$184.00',
      'Due Dec 24, 2026',
      'Marta Núñez',
      'Núñez Studio LLC',
      product.hub.name,
    ]) {
      expect(text).toContain(part);
    }
    expect(page.text).not.toContain(link.invoiceId);
    expect(page.text).not.toContain(link.email);
  });
});

describe('a card payment', () => {
  it('is charged once, booked once, and its receipt says everywhere what the ledger says', async () => {
    const link = await product.makeLink();
    const form = await product.form({ amountShown: '184.00' });
    const { status: code, reply } = await pay(link.payId, form);
    expect(code).toBe(200);
    await expectPaidOnce(product, link, '184.00');
    const [entry] = booked(product, link).ledger;
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
        },
      },
      receiptUrl: expect.stringMatching(/^\/receipt\/[\w-]{22,}$/),
    });
    expect(charge).toMatchObject({ type: 'SALE', order_id: entry?.attempt_id, invoice: `${link.number}-1` });

    const mails = await until(
      () => product.mailTo(link.email),
      (found) => found.length > 0,
    );
    expect(mails).toHaveLength(1);
    const page = await read(reply.receiptUrl ?? '');
    expect(page.status).toBe(200);
    const said = [mails[0]?.text ?? '', words(mails[0]?.html ?? ''), words(page.text)];
    for (const text of said) {
      for (const part of [
        product.hub.name,
        '$184.00 USD',
        link.number,
        'Marta Núñez',
        'VISA •••• 1111',
        entry?.provider_txn_id ?? '',
        reply.payload.transaction?.['authorization-code'] ?? '',
        'APPROVED',
      ]) {
        expect(text).toContain(part);
      }
      expect(text.match(/\$[\d,.]+ USD/g)?.every((amount) => amount === '$184.00 USD')).toBe(true);
      expect(text).not.toContain('411111');
    }
    expect(mails[0]?.subject).toBe(`Receipt for invoice ${link.number} from ${product.hub.name}`);
    expect(mails[0]?.text).toContain(`${appUrl}${reply.receiptUrl}`);

    const drawn = await fetch(`${appUrl}${reply.receiptUrl}/signature.png`);
    expect(drawn.headers.get('content-type')).toBe('image/png');
    const sent = Buffer.from(signature().split(',')[1] ?? '', 'base64');
    expect(Buffer.from(await drawn.arrayBuffer()).equals(sent)).toBe(true);
  });

  it('answers the same bytes when the same card token comes again, and mails no second receipt', async () => {
    const link = await product.makeLink();
    const form = await product.form();
    const first = await pay(link.payId, form);
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length > 0,
    );
    const again = await Promise.all([1, 2, 3].map(() => pay(link.payId, form)));
    expect(again.map(({ status, text }) => [status, text])).toEqual(again.map(() => [200, first.text]));
    await expectPaidOnce(product, link, '184.00');
    await product.runSchedule();
    expect(await product.mailTo(link.email)).toHaveLength(1);
  });

  it('shows as paid wherever the link is opened afterwards, whatever the CRM still says', async () => {
    const link = await product.makeLink();
    const { reply } = await pay(link.payId, await product.form());
    age(link.invoiceId);
    const { status, json } = await read(`/api/invoices/${link.payId}`);
    expect([status, json.invoice.amount_due]).toEqual([200, '0.00']);
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

  it('that is declined names the reason, leaves the link open, and the next card pays', async () => {
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
    expect(booked(product, link).attempts.map(({ state }) => state)).toEqual(['declined', 'approved']);
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length === 1,
    );
  });

  it.each(['drop-after', '500-after', 'html-after', 'bad-json', 'wrong-amount'])(
    'whose answer is lost (%s) is pending until the gateway tells: one charge, one receipt',
    async (kind) => {
      const link = await product.makeLink();
      await fault('/rest/v2/mobile/transactions/sale', kind);
      const { status: code, reply } = await pay(link.payId, await product.form());
      expect(code).toBe(202);
      expect(reply).toMatchObject({
        code: '202',
        status: 'pending',
        payload: { payloadType: 'pending' },
        error: { message: 'Your payment is being confirmed. Please do not pay again.' },
      });
      expect(reply.payload.transaction).toBeUndefined();
      // Whoever waits on the page asks, and the question itself makes the product look.
      const paid = await until(
        () => statusOf(link.payId),
        ({ state }) => state === 'paid',
      );
      expect(paid.receiptUrl).toMatch(/^\/receipt\//);
      await expectPaidOnce(product, link, '184.00');
      await until(
        () => product.mailTo(link.email),
        (mails) => mails.length > 0,
      );
      await product.runSchedule();
      expect(await product.mailTo(link.email)).toHaveLength(1);
      expectRefused(await pay(link.payId, await product.form()), 409);
    },
  );

  it('whose answer is lost is settled by the schedule alone, with nobody on the page', async () => {
    const link = await product.makeLink();
    await fault('/rest/v2/mobile/transactions/sale', 'drop-after');
    expect((await pay(link.payId, await product.form())).status).toBe(202);
    const page = await read(`/make/payment/${link.payId}`);
    expect(page.text).toContain('"state":"pending"');
    await until(
      async () => {
        await product.runSchedule();
        return booked(product, link).attempts[0]?.state;
      },
      (state) => state === 'approved',
    );
    await expectPaidOnce(product, link, '184.00');
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length === 1,
    );
  });

  it('that never reached the gateway stays closed to a second try while its hold lasts', async () => {
    const link = await product.makeLink();
    await fault('/rest/v2/mobile/transactions/sale', 'drop-before');
    expect((await pay(link.payId, await product.form())).status).toBe(202);
    const second = await pay(link.payId, await product.form());
    expect([second.status, second.reply.status]).toEqual([202, 'pending']);
    expect(await product.charges(link.number)).toEqual([]);
    await expectNoMoney(product, link);
  });
});

describe('a bank payment', () => {
  it('is submitted, not paid, until the bank has settled it', async () => {
    const link = await product.makeLink();
    const { status: code, reply } = await pay(
      link.payId,
      await product.form({ paymentType: 'ach', paymentDetails: await bankToken() }),
    );
    expect(code).toBe(202);
    expect(reply).toMatchObject({
      status: 'pending',
      payload: { payloadType: 'transaction' },
      error: { message: 'Payment submitted.' },
    });
    expect(reply.payload.transaction?.amount).toBe('184.00');
    expect(await statusOf(link.payId)).toMatchObject({ state: 'submitted', receiptUrl: reply.receiptUrl });
    expect(booked(product, link)).toMatchObject({ ledger: [], overlay: 'submitted' });
    expect(words((await read(reply.receiptUrl ?? '')).text)).toContain('Payment submitted');
    expect(await product.mailTo(link.email)).toEqual([]);
    expect((await pay(link.payId, await product.form())).reply.payload.transaction).toBeUndefined();

    await product.sandbox('clock', { add_s: 49 * 3600 });
    try {
      sql(product, 'UPDATE payment_attempts SET next_check_at = 0 WHERE invoice_id = ?', link.invoiceId);
      await until(
        async () => {
          await product.runSchedule();
          return booked(product, link).overlay;
        },
        (overlay) => overlay === 'paid',
      );
    } finally {
      await product.sandbox('clock', { add_s: -49 * 3600 });
    }
    await expectPaidOnce(product, link, '184.00');
    const [mail] = await until(
      () => product.mailTo(link.email),
      (mails) => mails.length === 1,
    );
    expect(mail?.text).toContain('Bank account');
  });
});

describe('while the CRM is down', () => {
  it('nobody is charged, the page says so with 503, and both work again afterwards', async () => {
    const link = await product.makeLink();
    age(link.invoiceId);
    await fault('crm', '500', 50);
    try {
      const refused = await pay(link.payId, await product.form());
      expectRefused(refused, 503, 'We cannot confirm the amount right now. You have not been charged.');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const page = await read(`/make/payment/${link.payId}`);
      expect(page.status).toBe(503);
      expect(page.headers.get('retry-after')).toBe('30');
      expect(page.text).not.toContain('pay-view');
      await expectNoMoney(product, link);
    } finally {
      await noFaults();
    }
    expect((await read(`/make/payment/${link.payId}`)).status).toBe(200);
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, link, '184.00');
  });

  it('an expired access token is renewed on the way and the payer sees nothing of it', async () => {
    const link = await product.makeLink();
    age(link.invoiceId);
    await fault('crm', '401-expired', 1);
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, link, '184.00');
  });
});

describe('while the gateway refuses our key', () => {
  it('the payer is told that payments cannot be taken, and nothing is charged', async () => {
    const link = await product.makeLink();
    await fault('/rest/v2/mobile/transactions/sale', '401-expired');
    const refused = await pay(link.payId, await product.form());
    expectRefused(refused, 503, 'We cannot take payments right now. You have not been charged.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectNoMoney(product, link);
    expect((await pay(link.payId, await product.form())).status).toBe(200);
  });
});

describe('a receipt', () => {
  it('that does not exist, or of a payment that failed, is not found', async () => {
    const link = await product.makeLink();
    await pay(link.payId, await product.form({ paymentDetails: await product.cardToken('4000000000000002') }));
    const [attempt] = booked(product, link).attempts;
    for (const id of ['nothing', String(attempt?.receipt_id), link.payId]) {
      const page = await read(`/receipt/${id}`);
      expect(page.status).toBe(404);
      expect(page.text).not.toContain(link.number);
      expect((await ask(appUrl, `/receipt/${id}/signature.png`)).status).toBe(404);
    }
    expectError(await ask(appUrl, `/api/invoices/${attempt?.receipt_id}`), 404);
  });
});
