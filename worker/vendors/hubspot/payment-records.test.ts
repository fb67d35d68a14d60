import { afterEach, describe, expect, it, vi } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { clearFaults, control, sandboxUrl } from '#tests/support/wire';
import { createHubSpot } from './hubspot.ts';
import type { NewPaymentRecord } from './payment-records-port.ts';

const [, harbor] = hubs;
const crm = () =>
  createHubSpot({
    baseUrl: sandboxUrl(),
    authorizeBase: sandboxUrl(),
    redirectUri: 'http://localhost:8787/oauth',
    clientId: crmApp.clientId,
    clientSecret: crmApp.clientSecret,
    timeoutMs: 5000,
  });
const PATH = '/crm/objects/2026-09/commerce_payments';
let count = 0;

async function makePayableInvoice(refreshToken: string = harbor.writerRefreshToken) {
  const created = await control<{ ids: string[] }>(`hubs/${harbor.hubId}/invoices`, { amount: '184.00' });
  const invoiceId = created.ids[0] ?? '';
  const { accessToken } = await crm().refreshTokens(refreshToken);
  const payment: NewPaymentRecord = {
    invoiceId,
    contactId: '',
    amountCents: 18_400,
    givenBackCents: 0,
    currency: 'USD',
    paidAt: Date.UTC(2026, 2, 4),
    method: 'card',
    lastFour: '1111',
    reference: `txn-${Date.now()}-${count++}`,
    email: '',
    comment: 'Tillway a1',
  };
  return { invoiceId, token: accessToken, payment, records: crm().paymentRecords };
}

describe('HubSpot payment records', () => {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await clearFaults();
  });

  it('pay an invoice, are listed with their reference and follow refunds', async () => {
    const { invoiceId, token, payment, records } = await makePayableInvoice();
    expect(await records.listRecords(token, invoiceId)).toEqual([]);
    expect(await records.readBalance(token, invoiceId)).toEqual({
      isPaid: false,
      balanceCents: 18_400,
      billedCents: 18_400,
    });
    const created = await records.createRecord(token, payment);
    if (created.kind !== 'written') throw new Error(created.kind);
    const { id } = created;
    expect(await records.listRecords(token, invoiceId)).toEqual([
      { id, reference: payment.reference, givenBackCents: 0 },
    ]);
    expect(await records.readBalance(token, invoiceId)).toMatchObject({ isPaid: true, balanceCents: 0 });
    const change = { amountCents: 18_400, givenBackCents: 400, comment: 'Tillway a1, refunded' };
    expect(await records.changeRecord(token, id, change)).toEqual({ kind: 'written', id });
    expect(await records.readBalance(token, invoiceId)).toMatchObject({ isPaid: false, balanceCents: 400 });
    expect(await records.listRecords(token, invoiceId)).toMatchObject([{ givenBackCents: 400 }]);
    expect(await records.readBalance(token, '1')).toBeNull();
  });

  it('report a missing scope as not allowed, and a refusal with its message', async () => {
    const { payment, records, token } = await makePayableInvoice();
    const narrow = await makePayableInvoice(harbor.refreshToken);
    expect(await records.createRecord(narrow.token, payment)).toEqual({ kind: 'not-allowed' });
    expect(await records.createRecord(token, { ...payment, amountCents: 99_900 })).toEqual({
      kind: 'refused',
      said: 'The total of payments cannot exceed the amount due on the invoice.',
    });
  });

  it.each([
    ['drop-before', 'unanswered'],
    ['drop-after', 'unanswered'],
    ['500', 'unanswered'],
    ['html-502', 'unanswered'],
    ['html-after', 'unanswered'],
    ['bad-json', 'unanswered'],
    ['redirect', 'unanswered'],
    ['429', 'later'],
  ])('report %s as %s', async (fault, kind) => {
    const { payment, records, token } = await makePayableInvoice();
    await control('faults', { on: PATH, do: fault, times: 1, account: harbor.hubId });
    expect((await records.createRecord(token, payment)).kind).toBe(kind);
  });

  it.each([
    [400, { message: 'No' }, 'refused'],
    [400, '<html>', 'unanswered'],
    [408, { message: 'Slow' }, 'unanswered'],
    [423, { message: 'Locked' }, 'later'],
    [477, {}, 'later'],
    [200, { id: '1', properties: {} }, 'unanswered'],
  ])('report status %i with body %j as %s', async (status, body, kind) => {
    const { payment, records, token } = await makePayableInvoice();
    vi.stubGlobal(
      'fetch',
      async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
    );
    expect((await records.createRecord(token, payment)).kind).toBe(kind);
  });
});
