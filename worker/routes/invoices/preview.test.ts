import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { localDay } from '#shared/text/local-day';
import { bearer } from '#tests/support/consent';
import { signature } from '#tests/support/content/png';
import { logIn } from '#tests/support/login';
import { preview, requestInvoice } from '#tests/support/preview';
import { makeBill, makeBillOfOneAccount, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { newInvoice, sharedInvoiceIds } from '#tests/support/wire';

/** Today in the time zone of the business. */
const today = () => localDay(Date.now(), 'America/Indiana/Indianapolis');

describe('the invoice preview', () => {
  it('returns every field of an open invoice, with empty values where nothing is known', async () => {
    const { app, token } = await makeClinic();
    await env.DB.prepare("UPDATE accounts SET address = '214 Maple Street, Carmel, IN 46032'").run();
    const { id, number, email } = await makeBill({
      line_items: [
        { name: 'Exam', price: '64.00', quantity: '1' },
        { name: 'X-ray', price: '60.00', quantity: '2' },
      ],
      amount: '184.00',
      company: { name: 'Núñez Studio LLC', address: '1 Elm St', city: 'Carmel', state: 'IN', zip: '46032' },
    });
    expect(await preview(app, token, id)).toEqual({
      id,
      properties: {
        hs_number: number,
        hs_amount_billed: '184.00',
        hs_balance_due: '184.00',
        hs_due_date: '2027-12-24',
        hs_invoice_date: today(),
        amount_paid: null,
        paid_elsewhere: '0.00',
        unpaid_change: null,
        hs_createdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        hs_lastmodifieddate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        hs_invoice_status: 'open',
        hs_currency: 'USD',
        clinic_name: 'Maple Street Dental',
        clinic_address: '214 Maple Street, Carmel, IN 46032',
        clinic_phone: '(317) 555-0188',
        customer_name: 'Marta Núñez',
        customer_address: '1 Elm St, Carmel, IN 46032',
        payment_method: '',
        payment_date: null,
        paid_via: '',
        transaction_id: '',
        receipt_id: '',
      },
      crm_status: 'open',
      lineItemData: [
        { id: expect.any(String), properties: { name: 'Exam', amount: '64.00', quantity: '1' } },
        { id: expect.any(String), properties: { name: 'X-ray', amount: '60.00', quantity: '2' } },
      ],
      lines_match: true,
      footer_text: expect.stringMatching(/^[A-Z].{20,}\.$/),
      can_edit_footer: true,
      signature_saved_at: null,
      is_deleted_in_crm: false,
      payer_signature: null,
      pay_link: null,
      customer_id: expect.stringMatching(/^\d+$/),
      email,
      mailed_at: null,
      mailed: null,
      delivery: null,
      bad_address: null,
      receipt_url: null,
      payment_id: null,
      can_collect_again: false,
      parts: { is_on: false, is_frozen: false, crm_allows: null, base: null, paid: '0.00' },
      life: {
        sent: null,
        reminded: null,
        opened: null,
        payments: [],
        returned: [],
        undecided: null,
        given_back: [],
        mails: [],
        paid: '0.00',
        refunded: '0.00',
      },
    });
  });

  it('shows the payment from the ledger for an invoice paid here, even if the CRM differs', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ properties: { clinic_name: 'Maple Street Dental, North' } });
    const payId = await payIdOf(app, token, id);
    expect(await payBill(app, payId)).toBe(200);
    const attempt = await env.DB.prepare(
      'SELECT provider_txn_id AS txn, receipt_id AS receipt FROM payment_attempts',
    ).first<{
      txn: string;
      receipt: string;
    }>();
    const view = await preview(app, token, id);
    expect(view).toMatchObject({
      crm_status: 'open',
      properties: {
        hs_invoice_status: 'paid',
        hs_balance_due: '0.00',
        clinic_name: 'Maple Street Dental, North',
        payment_method: 'VISA •••• 1111',
        payment_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        paid_via: 'Payment link',
        transaction_id: attempt?.txn,
        receipt_id: attempt?.receipt,
      },
      payer_signature: { kind: 'drawn', words: '', at: expect.stringMatching(/Z$/) },
      mailed: 'receipt',
      receipt_url: `http://localhost:8787/receipt/${attempt?.receipt}`,
      pay_link: { id: payId, url: `http://localhost:8787/make/payment/${payId}` },
    });
    const receipt = new URL(view.receipt_url ?? '').pathname;
    expect((await app.request(receipt)).status).toBe(200);
  });

  it('shows a bank payment as submitted, not paid, without a payment date', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    expect(await payBill(app, await payIdOf(app, token, id), 'ach')).toBe(202);
    const { properties } = await preview(app, token, id);
    expect(properties).toMatchObject({ hs_invoice_status: 'submitted', payment_date: null, paid_via: 'Payment link' });
    expect(properties.payment_method).toMatch(/6789|Bank account/);
  });

  it('shows only the payment date for an invoice that was paid only in the CRM', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ status: 'paid', properties: { hs_payment_date: '2026-03-05T01:00:00Z' } });
    expect((await preview(app, token, id)).properties).toMatchObject({
      hs_invoice_status: 'paid',
      payment_date: '2026-03-04',
      payment_method: '',
      transaction_id: '',
    });
  });

  it.each([
    ['without a contact', { contact: null, company: null }, { customer_name: '', customer_address: '' }],
    ['of a company', { contact: null, company: { name: 'Núñez Studio LLC' } }, { customer_name: 'Núñez Studio LLC' }],
    ['in euros', { currency: 'EUR' }, { hs_currency: 'EUR', hs_invoice_status: 'open' }],
    ['whose balance is not a number', { balance: 'abc' }, { hs_balance_due: null, hs_amount_billed: '184.00' }],
    ['without a number', { number: null }, { hs_number: '' }],
  ])('is returned for an invoice %s', async (_case, fields, expected) => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ amount: '184.00', ...fields });
    expect((await preview(app, token, id)).properties).toMatchObject(expected);
  });

  it.each([
    [
      'many lines',
      {
        line_items: Array.from({ length: 120 }, () => ({ name: 'Tray', price: '9.75', quantity: '1' })),
        amount: '1170.00',
      },
      true,
    ],
    [
      'a discount',
      { line_items: [{ name: 'Kit', price: '60.00', quantity: '3', amount: '150.00' }], amount: '150.00' },
      true,
    ],
    [
      'no quantity',
      { line_items: [{ name: 'Talk', price: '85.00', quantity: null, amount: '85.00' }], amount: '85.00' },
      true,
    ],
    [
      'a total of only the first line',
      {
        line_items: [
          { name: 'A', price: '68.00' },
          { name: 'B', price: '7.00' },
        ],
        amount: '68.00',
      },
      false,
    ],
    ['no lines', { line_items: [], amount: '212.00' }, false],
  ])('reports whether the lines add up to the billed amount: %s', async (_case, fields, match) => {
    const { app, token } = await makeClinic();
    const view = await preview(app, token, await newInvoice(fields));
    expect(view.lines_match).toBe(match);
    const sum = view.lineItemData.reduce(
      (total, { properties }) => total + Number(properties.amount) * Number(properties.quantity ?? 1),
      0,
    );
    expect(sum.toFixed(2) === view.properties.hs_amount_billed).toBe(match);
  });

  it('includes the saved signature, the footer text, the newest mail and the live link', async () => {
    const { app, token, clock } = await makeClinic();
    await env.DB.prepare(
      "INSERT INTO merchants (account_id, name, claimed_at, status, footer_text) SELECT account_id, 'Maple Dental', 0, 'boarded', 'Ours' FROM accounts",
    ).run();
    const { id } = await makeBill();
    await app.request(`/api/invoices/${id}/signature`, {
      method: 'PUT',
      headers: bearer(token),
      body: JSON.stringify({ signature: signature() }),
    });
    await app.request(`/api/invoices/sendPaymentLink/${id}`, { method: 'POST', headers: bearer(token) });
    const at = new Date(clock.now).toISOString();
    expect(await preview(app, token, id)).toMatchObject({
      properties: { clinic_name: 'Maple Dental' },
      footer_text: 'Ours',
      signature_saved_at: at,
      mailed: 'pay-link',
      mailed_at: at,
      pay_link: { id: await payIdOf(app, token, id) },
    });
    clock.now += 9 * 365 * 86_400_000;
    const laterLogin = await logIn(app, 0);
    expect((await preview(app, laterLogin.token, id)).pay_link).toBeNull();
  });
});

describe('access to an invoice', () => {
  it('is granted to its own account by invoice id or pay id, and to the payer only by pay id', async () => {
    const { app, token } = await makeClinic();
    const otherLogin = await logIn(app, 1);
    const { id, number } = await makeBillOfOneAccount();
    const payId = await payIdOf(app, token, id);
    const statusAndText = async (answer: Response) => [answer.status, await answer.text()] as const;

    expect((await preview(app, token, payId)).id).toBe(id);
    const payer = await app.request(`/api/invoices/${payId}`);
    expect(Object.keys((await payer.json()) as object)).toEqual([
      'invoice',
      'customer',
      'company',
      'publicKey',
      'sandbox',
      'sdk',
    ]);

    const notFoundAnswer = await statusAndText(await requestInvoice(app, otherLogin.token, '99999999999'));
    expect(notFoundAnswer[0]).toBe(404);
    expect(notFoundAnswer[1]).toContain('No invoice found');
    for (const foreignId of [id, payId, 'nothing', '%00', "1'--", '9'.repeat(300)])
      expect(await statusAndText(await requestInvoice(app, otherLogin.token, foreignId))).toEqual(notFoundAnswer);
    expect(await statusAndText(await app.request(`/api/invoices/${id}`))).toEqual(notFoundAnswer);
    for (const authorization of ['Bearer', 'Bearer a.b.c', `Bearer ${token}x`, 'Basic eDp5']) {
      for (const name of [id, payId]) {
        const answer = await app.request(`/api/invoices/${name}`, { headers: { authorization } });
        expect([answer.status, (await answer.text()).includes(number)]).toEqual([401, false]);
      }
    }
  });

  it('is limited to the account’s own invoice when two accounts share a record id', async () => {
    const { app, token } = await makeClinic();
    const otherLogin = await logIn(app, 1);
    const [id = ''] = await sharedInvoiceIds();
    const [ownInvoice, otherInvoice] = [await preview(app, token, id), await preview(app, otherLogin.token, id)];
    expect(ownInvoice.properties.hs_number).toMatch(/^INV-/);
    expect(otherInvoice.properties.hs_number).toMatch(/^HP-/);
    expect(ownInvoice.email).not.toBe(otherInvoice.email);
    expect(new Set(ownInvoice.lineItemData.map(({ properties }) => properties.name))).not.toEqual(
      new Set(otherInvoice.lineItemData.map(({ properties }) => properties.name)),
    );
    expect([ownInvoice, otherInvoice].map(({ properties }) => properties.clinic_name)).toEqual([
      'Maple Street Dental',
      'harborphysio.example',
    ]);
  });
});
