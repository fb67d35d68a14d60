import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import type { PublicInvoice } from '#shared/contracts/payments/payment-answers';
import { bearer } from '#tests/support/consent';
import { readMailsTo, sendInvoiceMail } from '#tests/support/invoice-mails';
import type { TestApp } from '#tests/support/login';
import { preview } from '#tests/support/preview';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';

const readPublicInvoice = async (app: TestApp, payId: string): Promise<PublicInvoice> =>
  (await app.request(`/api/invoices/${payId}`)).json();

describe('an invoice balance in HubSpot', () => {
  it.each(['2473.2965', '0.001', '1e309', '1,184.00', 'NaN', '9999999999999.00'])(
    'of %s is shown as unknown, not as zero, and prevents payment and mail',
    async (balance) => {
      const { app, token } = await makeClinic();
      const { id, email } = await makeBill({ balance });
      const payId = await payIdOf(app, token, id);
      expect((await readPublicInvoice(app, payId)).invoice.amount_due).toBeNull();
      const answer = await app.request(`/make/payment/${payId}`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain('$0.00');
      expect(await payBill(app, payId)).toBe(409);

      expect((await preview(app, token, id)).properties).toMatchObject({
        hs_invoice_status: 'open',
        hs_balance_due: null,
      });
      const list = await app.request('/api/invoices/getOpenInvoices?size=100', { headers: bearer(token) });
      const row = ((await list.json()) as OpenInvoiceItem[]).find(({ crm_id }) => crm_id === id);
      expect(row?.amount_due ?? null).toBeNull();
      const mailAnswer = await sendInvoiceMail(app, token, 'sendPaymentLink', id);
      expect([mailAnswer.status, JSON.stringify(mailAnswer.body)]).toEqual([
        409,
        expect.stringContaining('Correct it there.'),
      ]);
      expect(await readMailsTo(email)).toEqual([]);
    },
  );

  it('with extra zeros after the cents is paid in full', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ amount: '80.00', balance: '80.000' });
    const payId = await payIdOf(app, token, id);
    expect((await readPublicInvoice(app, payId)).invoice.amount_due).toBe('80.00');
    expect(await payBill(app, payId)).toBe(200);
    expect(await env.DB.prepare('SELECT amount_cents FROM ledger').first('amount_cents')).toBe(8000);
  });
});
