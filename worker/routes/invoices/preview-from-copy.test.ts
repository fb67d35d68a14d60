import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { preview, requestInvoice } from '#tests/support/preview';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { clearFaults, control, writeCrm } from '#tests/support/wire';

afterEach(() => clearFaults());

describe('an invoice while the CRM does not answer', () => {
  it('is shown from the synced record, without lines, marked as stale, with its local status', async () => {
    const { app, token } = await makeClinic();
    const { id, number, email } = await makeBill();
    const freshResponse = await requestInvoice(app, token, id);
    expect(freshResponse.headers.get('x-data-stale')).toBeNull();
    const asOf = freshResponse.headers.get('x-data-as-of');
    expect(await payBill(app, await payIdOf(app, token, id))).toBe(200);
    await control('faults', { on: 'crm', do: '500', times: 100 });
    const staleResponse = await requestInvoice(app, token, id);
    expect([staleResponse.status, staleResponse.headers.get('x-data-stale')]).toEqual([200, 'true']);
    expect(Date.parse(staleResponse.headers.get('x-data-as-of') ?? '')).toBeGreaterThanOrEqual(Date.parse(asOf ?? ''));
    expect(await staleResponse.json()).toMatchObject({
      properties: {
        hs_number: number,
        hs_invoice_status: 'paid',
        customer_name: 'Marta Núñez',
        hs_balance_due: '0.00',
      },
      lineItemData: [],
      lines_match: true,
      email,
    });
  });

  it('returns 503 without a synced record and leaves the session open', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    for (const fault of ['500', 'html-502', '401-expired', '429']) {
      await control('faults', { on: '/crm/', do: fault, times: 100 });
      const answer = await requestInvoice(app, token, id);
      expect([answer.status, answer.headers.get('retry-after')], fault).toEqual([503, '30']);
      await clearFaults();
    }
    expect((await preview(app, token, id)).id).toBe(id);
  });

  it('is not shown from a record marked deleted, and returns 404 once the CRM confirms the deletion', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill();
    await preview(app, token, id);
    await env.DB.prepare('UPDATE invoices SET deleted_at = 1 WHERE invoice_id = ?').bind(id).run();
    await control('faults', { on: 'crm', do: '500', times: 100 });
    expect((await requestInvoice(app, token, id)).status).toBe(503);
    await clearFaults();
    await writeCrm('DELETE', `/crm/v3/objects/invoices/${id}`);
    expect((await requestInvoice(app, token, id)).status).toBe(404);
  });
});
