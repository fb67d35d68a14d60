import { describe, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { until, useProduct } from '#tests/support/product/product';
import { expectRefused } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings, sql } from './expect-money.ts';
import { payerOf, textOfHtml } from './payer.ts';

const product = useProduct();
const { pay, read, statusOf } = payerOf(product);

const fault = (on: string, kind: string, times = 1) => product.fault(on, kind, { times });
const noFaults = product.clearFaults;
/** Makes the synced invoice stale, so that the next read asks the CRM. */
const makeOld = (invoiceId: string) => sql(product, 'UPDATE invoices SET read_at = 0 WHERE invoice_id = ?', invoiceId);
/** Makes the next status inquiry of a payment due, if one is planned: its clock may have been faster. */
const makeInquiryDue = async (invoiceId: string) =>
  sql(product, 'UPDATE payment_attempts SET next_check_at = 0 WHERE invoice_id = ? AND next_check_at > 0', invoiceId);

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

describe('a card payment', () => {
  it.each(['drop-after', '500-after', 'html-after', 'bad-json', 'wrong-amount'])(
    'is pending after a lost answer (%s) until the look-up finds it: one charge, one receipt',
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
      await makeInquiryDue(link.invoiceId);
      // A waiting page asks for the status, and that triggers the status inquiry.
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

  it('is settled by the schedule alone after a lost answer, without an open page', async () => {
    const link = await product.makeLink();
    // Neither the gateway's webhook nor the clinic's clock may settle the payment before the page is read.
    await product.withAlarmsHeld(async () => {
      await fault('gateway', 'webhook-drop');
      await fault('/rest/v2/mobile/transactions/sale', 'drop-after');
      expect((await pay(link.payId, await product.form())).status).toBe(202);
      const page = await read(`/make/payment/${link.payId}`);
      expect(page.text).toContain('"state":"pending"');
    });
    await makeInquiryDue(link.invoiceId);
    await until(
      async () => {
        await product.runSchedule();
        return (await readBookings(product, link)).attempts[0]?.state;
      },
      (state) => state === 'approved',
    );
    await expectPaidOnce(product, link, '184.00');
    await until(
      () => product.mailTo(link.email),
      (mails) => mails.length === 1,
    );
  });

  it('blocks a second try while its hold lasts, even if it never reached the gateway', async () => {
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
    expect(await readBookings(product, link)).toMatchObject({ ledger: [], localStatus: 'submitted' });
    expect(textOfHtml((await read(reply.receiptUrl ?? '')).text)).toContain('Payment submitted');
    expect(await product.mailTo(link.email)).toEqual([]);
    expect((await pay(link.payId, await product.form())).reply.payload.transaction).toBeUndefined();

    await product.sandbox('clock', { add_s: 49 * 3600 });
    try {
      await makeInquiryDue(link.invoiceId);
      await until(
        async () => {
          await product.runSchedule();
          return (await readBookings(product, link)).localStatus;
        },
        (localStatus) => localStatus === 'paid',
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

describe('CRM trouble during a payment', () => {
  it('charges nothing and returns 503 while the CRM is down, and recovers afterwards', async () => {
    const link = await product.makeLink();
    // A sync of the clinic's clock would make the copy of the invoice fresh again.
    await product.withAlarmsHeld(async () => {
      await makeOld(link.invoiceId);
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
    });
    expect((await read(`/make/payment/${link.payId}`)).status).toBe(200);
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    await expectPaidOnce(product, link, '184.00');
  });

  it('renews an expired access token without the payer noticing', async () => {
    const link = await product.makeLink();
    await product.withAlarmsHeld(async () => {
      await makeOld(link.invoiceId);
      await fault('crm', '401-expired', 1);
      expect((await pay(link.payId, await product.form())).status).toBe(200);
    });
    await expectPaidOnce(product, link, '184.00');
  });
});

describe('a gateway that refuses our key', () => {
  it('shows the payer that payments cannot be taken, and charges nothing', async () => {
    const link = await product.makeLink();
    await fault('/rest/v2/mobile/transactions/sale', '401-expired');
    const refused = await pay(link.payId, await product.form());
    expectRefused(refused, 503, 'We cannot take payments right now. You have not been charged.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectNoMoney(product, link);
    expect((await pay(link.payId, await product.form())).status).toBe(200);
    // Other tests pay by this terminal.
    await sql(product, 'UPDATE terminals SET refused_at = NULL WHERE refused_at > ?', 0);
  });
});
