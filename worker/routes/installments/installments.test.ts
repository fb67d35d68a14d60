import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { InvoiceParts } from '#shared/contracts/payments/installments';
import { bearer } from '#tests/support/consent';
import { logInColleague } from '#tests/support/login';
import { payerFields } from '#tests/support/pay-form';
import { makeBill, makeClinic, payIdOf } from '#tests/support/unit/clinic';
import { eventsOf } from '#tests/support/unit/trail';
import { cardToken } from '#tests/support/wire';

const [{ hubId: accountId }] = hubs;

async function makePartsClinic() {
  const setup = await makeClinic();
  const call = (method: string, path: string, body?: object, token = setup.token) =>
    setup.app.request(path, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const { id } = await makeBill();
  const path = `/api/invoices/${id}/parts`;
  const payId = await payIdOf(setup.app, setup.token, id);
  const pay = async (part: object) => {
    const body = { ...payerFields(), paymentDetails: { jwt: await cardToken() }, ...part };
    const answer = await setup.app.request(`/api/invoices/takePaymentSDK/${payId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await setup.app.settled();
    return answer.status;
  };
  const view = async () => InvoiceParts.parse(await (await call('GET', path)).json());
  const openParts = () => call('PUT', path, { least: '20.00', deposit: { percent: 25 } });
  return { ...setup, call, id, path, pay, view, open: openParts };
}

describe('the account’s installment setting', () => {
  it('is off by default, is changed by managers only and records changes in the audit trail', async () => {
    const { app, call, open } = await makePartsClinic();
    expect(await (await call('GET', '/api/parts')).json()).toEqual({ is_on: false });
    expect((await open()).status).toBe(409);
    expect((await call('PUT', '/api/parts', { is_on: 'yes' })).status).toBe(422);
    expect(await (await call('PUT', '/api/parts', { is_on: true })).json()).toEqual({ is_on: true });
    const colleague = await logInColleague(app);
    expect((await call('PUT', '/api/parts', { is_on: false }, colleague)).status).toBe(403);
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'parts.switched');
    expect(events.map(({ after }) => after)).toEqual(['{"on":true}']);
  });
});

describe('the installment routes of an invoice', () => {
  it('open it with a minimum and a deposit, take an installment and close it again', async () => {
    const { call, path, pay, view, open } = await makePartsClinic();
    await call('PUT', '/api/parts', { is_on: true });
    expect(await view()).toMatchObject({ is_on: true, state: 'whole', left: null });
    expect((await call('PUT', path, { least: '92.01', deposit: null })).status).toBe(422);
    expect((await call('PUT', path, { least: 'much', deposit: null })).status).toBe(422);
    expect((await call('PUT', path, { least: '20.00', deposit: { amount: '19.99' } })).status).toBe(422);
    expect((await open()).status).toBe(200);
    expect(await view()).toEqual({
      is_on: true,
      state: 'open',
      base: '184.00',
      paid: '0.00',
      left: '184.00',
      deposit: '46.00',
      range: { least: '20.00', most: '164.00' },
      only: null,
      decision: null,
    });
    expect((await open()).status).toBe(409);
    expect(await pay({ part: { amount: '19.99' } })).toBe(422);
    expect(await pay({ part: { amount: '46.00' } })).toBe(200);
    expect(await view()).toMatchObject({ paid: '46.00', left: '138.00', deposit: null });
    expect(await (await call('DELETE', path)).json()).toMatchObject({ state: 'open', left: '138.00', range: null });
    expect(await pay({ part: { amount: '50.00' } })).toBe(422);
    expect(await pay({ amountShown: '138.00' })).toBe(200);
    expect(await view()).toMatchObject({ state: 'whole' });
    expect((await call('DELETE', path)).status).toBe(409);
    const events = (await eventsOf(accountId))
      .map(({ action }) => action)
      .filter((action) => action.startsWith('parts.'));
    expect(events).toEqual(['parts.switched', 'parts.opened', 'parts.closed']);
  });

  it('show both amounts of a frozen invoice, and accept a decision only on the amount shown', async () => {
    const { call, id, path, pay, view, open } = await makePartsClinic();
    await call('PUT', '/api/parts', { is_on: true });
    await open();
    await pay({ part: { amount: '50.00' } });
    await env.DB.prepare("UPDATE collections SET state = 'frozen', frozen_at = 1 WHERE invoice_id = ?").bind(id).run();
    expect(await pay({ part: { amount: '50.00' } })).toBe(409);
    const decision = { crm: '184.00', ours: '50.00', contains: '184.00', lacks: '134.00' };
    expect(await view()).toMatchObject({ state: 'frozen', decision });
    const decide = (verdict: string, owed: string) => call('POST', `${path}/decision`, { verdict, owed });
    expect((await decide('lacks', '184.00')).status).toBe(409);
    expect((await decide('both', '134.00')).status).toBe(422);
    expect((await decide('lacks', '134.00')).status).toBe(200);
    expect(await view()).toMatchObject({ state: 'open', base: '184.00', paid: '50.00', left: '134.00' });
    expect((await decide('lacks', '134.00')).status).toBe(409);
  });

  it('return 404 for an unknown invoice', async () => {
    const { call } = await makePartsClinic();
    for (const [method, body] of [['GET'], ['PUT', { least: null, deposit: null }], ['DELETE']] as const) {
      await call('PUT', '/api/parts', { is_on: true });
      expect((await call(method, '/api/invoices/999999999999/parts', body)).status).toBe(404);
    }
  });
});
