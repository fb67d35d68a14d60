import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { WriteBack } from '#shared/contracts/payments/write-back';
import { localMoment } from '#shared/text/local-day';
import { bearer } from '#tests/support/consent';
import { logInColleague } from '#tests/support/login';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';

const [{ hubId: accountId }] = hubs;

async function makeWriteBackClinic() {
  const setup = await makeClinic();
  const call = (method: string, path: string, body?: object, token = setup.token) =>
    setup.app.request(path, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const view = async () => WriteBack.parse(await (await call('GET', '/api/write-back')).json());
  return { ...setup, call, view };
}

describe('the write-back setting', () => {
  it('is off by default, is changed by administrators only and records changes in the audit trail', async () => {
    const { app, call, view } = await makeWriteBackClinic();
    expect(await view()).toMatchObject({ is_on: false, trouble: '' });
    expect((await call('PUT', '/api/write-back', { is_on: true })).status).toBe(200);
    expect(await view()).toMatchObject({ is_on: true });
    expect((await call('PUT', '/api/write-back', { is_on: 'yes' })).status).toBe(422);
    const colleague = await logInColleague(app);
    expect((await call('PUT', '/api/write-back', { is_on: false }, colleague)).status).toBe(403);
    await call('PUT', '/api/write-back', { is_on: false });
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'write-back.changed');
    expect(events.map(({ after }) => after)).toEqual(['{"on":true}', '{"on":false}']);
  });
});

describe('payments not recorded in the CRM', () => {
  it('are listed and exported as CSV until they are recorded by hand', async () => {
    const { app, token, call, view } = await makeWriteBackClinic();
    const bill = await makeBill();
    expect(await payBill(app, await payIdOf(app, token, bill.id))).toBe(200);
    const [payment] = (await view()).unrecorded;
    expect(payment).toMatchObject({ invoice_number: bill.number, state: 'not-told', is_yours: true });
    const file = await (await call('GET', '/api/write-back?format=csv')).text();
    expect(file).toContain(bill.number);
    const paidAt = Date.parse(payment?.paid_at ?? '');
    expect(file).toContain(`"${localMoment(paidAt, 'America/Indiana/Indianapolis')}"`);
    const path = `/api/write-back/payments/${payment?.id}`;
    expect((await call('PUT', path, { note: ' ' })).status).toBe(422);
    expect((await call('PUT', path, { note: 'Entered by Marta' })).status).toBe(200);
    expect((await view()).unrecorded).toEqual([]);
    expect((await call('PUT', path, { note: 'Again' })).status).toBe(409);
    expect((await call('PUT', '/api/write-back/payments/none', { note: 'None' })).status).toBe(409);
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'payment.recorded-by-hand');
    expect(events.map(({ after }) => after)).toEqual(['{"note":"Entered by Marta"}']);
    expect(await env.DB.prepare("SELECT state FROM crm_writes WHERE state = 'by_hand'").first('state')).toBe('by_hand');
  });
});
