import { describe, expect, it } from 'vitest';
import { until } from '#tests/support/product/product';
import { type Answer, ask, expectError, expectPrivate, expectRefused, payerAddress } from './answers.ts';
import { expectNoMoney, expectPaidOnce, readBookings, sql } from './expect-money.ts';
import { json, type Script, useScriptedVendors, type VendorReply } from './faulty-vendors.ts';

const scripted = await useScriptedVendors();
const { product } = scripted;

const get = (path: string) => ask(product.appUrl, path);
const pay = async (payId: string): Promise<Answer> =>
  ask(product.appUrl, `/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...payerAddress() },
    body: JSON.stringify(await product.form()),
  });

/** Makes the next status inquiry of a payment due, if one is planned. */
const makeInquiryDue = (invoiceId: string) =>
  sql(product, 'UPDATE payment_attempts SET next_check_at = 0 WHERE invoice_id = ? AND next_check_at > 0', invoiceId);

const isRead = (call: string) => /^GET \/crm\/objects\/[\w-]+\/invoices\//.test(call);
const isCrm = (call: string) => call.includes('/crm/');
const html: VendorReply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' };

describe('odd replies of the CRM', () => {
  const broken: [string, Script][] = [
    ['a page with status 200', (call) => (isCrm(call) ? html : undefined)],
    [
      'five megabytes',
      (call) => (isRead(call) ? json({ id: '1', properties: { x: 'y'.repeat(5_000_000) } }) : undefined),
    ],
    ['half of its JSON', (call) => (isRead(call) ? { status: 200, body: '{"id":"1","properties":{' } : undefined)],
    ['an empty 200', (call) => (isRead(call) ? { status: 200 } : undefined)],
    ['a number for a record', (call) => (isRead(call) ? json(7) : undefined)],
    ['429 and no Retry-After, again and again', (call) => (isCrm(call) ? json({ status: 'error' }, 429) : undefined)],
    ['a 404 page of another server', (call) => (isRead(call) ? { ...html, status: 404 } : undefined)],
    [
      'a redirect',
      (call) => (isRead(call) ? { status: 302, headers: { location: 'http://localhost:1/' } } : undefined),
    ],
    ['a missing scope', (call) => (isRead(call) ? json({ category: 'MISSING_SCOPES' }, 403) : undefined)],
  ];

  it.each(broken)('charge nothing and show no amount on the page or in the public call: %s', async (_label, script) => {
    const link = await product.makeLink();
    await scripted.during(script, async () => {
      const refused = await pay(link.payId);
      expectRefused(refused, 503, 'We cannot confirm the amount right now. You have not been charged.');
      expect(refused.headers.get('retry-after')).toBe('30');
      const page = await get(`/make/payment/${link.payId}`);
      expectPrivate(page);
      const view = await get(`/api/invoices/${link.payId}`);
      expectError(view, 503, 'We cannot confirm the amount right now. You have not been charged.');
      for (const reply of [page, view]) {
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '30']);
        expect(reply.text).toContain('We cannot confirm the amount right now. You have not been charged.');
        expect(reply.text).not.toContain('184.00');
      }
    });
    await expectNoMoney(product, link);
    expect((await pay(link.payId)).status).toBe(200);
    await expectPaidOnce(product, link, '184.00');
  });

  it('are retried after one 429 without Retry-After, and the payer only waits a moment', async () => {
    const link = await product.makeLink();
    let refused = 0;
    const script: Script = (call) => (isRead(call) && refused++ === 0 ? json({ status: 'error' }, 429) : undefined);
    expect((await scripted.during(script, () => pay(link.payId))).status).toBe(200);
    expect(refused).toBeGreaterThan(1);
    await expectPaidOnce(product, link, '184.00');
  });

  it('still show a payable invoice without contact, company and due date', async () => {
    const link = await product.makeLink({ contact: null, company: null });
    const minimalInvoice: Script = (call, real) =>
      isRead(call)
        ? real().then((reply) => {
            const { id, properties } = JSON.parse(reply.body ?? '') as {
              id: string;
              properties: Record<string, string>;
            };
            const { hs_number, hs_invoice_status, hs_currency, hs_balance_due } = properties;
            return json({
              id,
              properties: { hs_number, hs_invoice_status, hs_currency, hs_balance_due, hs_due_date: null },
            });
          })
        : undefined;
    await scripted.during(minimalInvoice, async () => {
      const view = await get(`/api/invoices/${link.payId}`);
      expect(view.status).toBe(200);
      expect(JSON.parse(view.text)).toMatchObject({
        invoice: { invoice_number: link.number, amount_due: '184.00', due_date: null },
        customer: { first_name: '', last_name: '' },
        company: { name: '' },
      });
      const page = await get(`/make/payment/${link.payId}`);
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/undefined|>null<|Invalid Date|NaN/);
      const paid = await pay(link.payId);
      expect(paid.status, paid.text).toBe(200);
    });
    await expectPaidOnce(product, link, '184.00');
  });

  it('count null for every linked record as no linked records', async () => {
    const link = await product.makeLink();
    const nulls: Script = (call) =>
      /\/(contacts|companies)\/batch\/read$/.test(call) && call.includes('/crm/objects/')
        ? json({ results: [{ id: '1', properties: { firstname: null, lastname: null, email: null, name: null } }] })
        : undefined;
    const view = await scripted.during(nulls, () => get(`/api/invoices/${link.payId}`));
    expect(view.status).toBe(200);
    expect(JSON.parse(view.text).customer).toEqual({ first_name: '', last_name: '' });
  });

  it('make an invoice without any property unpayable online', async () => {
    const link = await product.makeLink();
    await scripted.during(
      (call) => (isRead(call) ? json({ id: link.invoiceId, properties: {} }) : undefined),
      async () => {
        expectRefused(await pay(link.payId), 409, 'This invoice cannot be paid online.');
        expectError(await get(`/api/invoices/${link.payId}`), 409);
        expect((await get(`/make/payment/${link.payId}`)).status).toBe(200);
      },
    );
    await expectNoMoney(product, link);
  });
});

describe('odd replies of the gateway', () => {
  type Txn = Record<string, unknown>;
  const isSale = (call: string) => call === 'POST /rest/v2/mobile/transactions/sale';
  const altered =
    (change: (txn: Txn) => Txn): Script =>
    (call, real) =>
      isSale(call)
        ? real().then((reply) => {
            const body = JSON.parse(reply.body ?? '') as { payload: { transaction: Txn } };
            return json(
              { ...body, payload: { ...body.payload, transaction: change(body.payload.transaction) } },
              reply.status,
            );
          })
        : undefined;
  const insteadOf =
    (reply: VendorReply): Script =>
    (call, real) =>
      isSale(call) ? real().then(() => reply) : undefined;

  const oddities: [string, Script][] = [
    ['another amount', altered((txn) => ({ ...txn, amount: '184.01' }))],
    ['an invalid amount', altered((txn) => ({ ...txn, amount: 'about 184' }))],
    ['an unknown result', altered((txn) => ({ ...txn, result: 'MAYBE' }))],
    ['no id', altered(({ id: _id, ...txn }) => txn)],
    ['no result', altered(({ result: _result, status: _status, ...txn }) => txn)],
    ['the payment of another attempt', altered((txn) => ({ ...txn, 'order-id': 'ffffffffffffffffffffffffffffffff' }))],
    [
      'XML',
      insteadOf({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: '<response><code>200</code></response>',
      }),
    ],
    ['nothing, with 204', insteadOf({ status: 204 })],
    ['an empty object', insteadOf(json({}))],
    ['a list', insteadOf(json([]))],
    [
      'a duplicate',
      insteadOf(
        json(
          { code: '402', payload: { error: { 'result-code': '032', 'error-message': 'Duplicate Transaction' } } },
          402,
        ),
      ),
    ],
    ['a status that it never uses', insteadOf({ status: 418, body: 'I am a teapot' })],
    ['a redirect', insteadOf({ status: 302, headers: { location: 'http://localhost:1/' } })],
    ['two megabytes', insteadOf(json({ payload: { transaction: { id: 'x'.repeat(2_000_000) } } }))],
  ];

  it.each(oddities)('leave a payment pending until the look-up finds its one charge: %s', async (_label, script) => {
    const link = await product.makeLink();
    // The clinic's clock queries the payment two seconds later, so the pending state is read before that.
    const [answer, stored] = await product.withAlarmsHeld(() =>
      scripted.during(script, async () => [await pay(link.payId), await readBookings(product, link)] as const),
    );
    expect(answer.status, answer.text).toBe(202);
    expectPrivate(answer);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: '202',
      status: 'pending',
      error: { message: 'Your payment is being confirmed. Please do not pay again.' },
    });
    expect(stored).toMatchObject({
      ledger: [],
      localStatus: 'none',
      attempts: [{ state: 'unknown' }],
    });
    await makeInquiryDue(link.invoiceId);
    await until(
      async () => JSON.parse((await get(`/api/invoices/${link.payId}/payment`)).text) as { state: string },
      ({ state }) => state === 'paid',
    );
    await expectPaidOnce(product, link, '184.00');
  });

  it('leave a payment pending when its look-up shows an unknown result, and are read again', async () => {
    const link = await product.makeLink();
    const lookUp: Script = (call, real) => {
      if (isSale(call)) return real().then(() => ({ status: 500, body: '' }));
      if (call !== 'GET /rest/v2/transactions') return undefined;
      return real().then((reply) => ({ ...reply, body: (reply.body ?? '').replaceAll('"APPROVED"', '"UNHEARD OF"') }));
    };
    await scripted.during(lookUp, async () => {
      expect((await pay(link.payId)).status).toBe(202);
      await makeInquiryDue(link.invoiceId);
      expect(JSON.parse((await get(`/api/invoices/${link.payId}/payment`)).text)).toMatchObject({ state: 'pending' });
    });
    await until(
      async () => {
        await makeInquiryDue(link.invoiceId);
        await product.runSchedule();
        return (await readBookings(product, link)).localStatus;
      },
      (localStatus) => localStatus === 'paid',
    );
    await expectPaidOnce(product, link, '184.00');
  });
});
