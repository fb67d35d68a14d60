import { afterEach, expect, test } from 'vitest';
import { dental, startSandbox, uniqueName } from './start.ts';

type PaymentRecord = { invoice: string | null; amount: string; status: string; refunds: string; reference: string };
type LinkList = { results: { to: { toObjectId: number }[] }[] };

const world = await startSandbox();
const crm = await world.crm(dental, 'write');
const HUB = `hubs/${dental.hubId}`;
const PAYMENTS = '/crm/objects/2026-09/commerce_payments';

const changeSettings = (settings: object) => world.control(`${HUB}/settings`, settings);
afterEach(() => world.call(`/_sandbox/${HUB}/settings`, { method: 'DELETE' }));

const addInvoice = async (amount = '60.00') =>
  (await world.control<{ ids: string[] }>(`${HUB}/invoices`, { amount })).ids[0] ?? '';
const recordPayment = (invoice: string, properties: Record<string, string> = {}) =>
  crm.post<{ id: string; message: string }>(PAYMENTS, {
    properties: {
      hs_initial_amount: '60.00',
      hs_initiated_date: '2026-01-05',
      hs_latest_status: 'succeeded',
      ...properties,
    },
    associations: [
      { to: { id: invoice }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 542 }] },
    ],
  });
const stateOf = async (invoice: string) => {
  const { json } = await world.get<{ status: string; balance: string }>(`/_sandbox/${HUB}/invoices/${invoice}`);
  return [json.status, json.balance];
};
const recordsOf = async (invoice: string) =>
  (await world.get<PaymentRecord[]>(`/_sandbox/${HUB}/payments`)).json.filter((payment) => payment.invoice === invoice);

test('the effect of a payment record depends on the account’s settings', async () => {
  const settle = async (payments: string | null, amount = '60.00') => {
    await changeSettings({ payments });
    const invoice = await addInvoice();
    const reply = await recordPayment(invoice, { hs_initial_amount: amount });
    return [reply.status, ...(await stateOf(invoice))];
  };
  expect(await settle(null)).toEqual([403, 'open', '60.00']);
  expect(await settle('off')).toEqual([403, 'open', '60.00']);
  expect(await settle('on')).toEqual([201, 'paid', '0.00']);
  expect(await settle('on', '20.00')).toEqual([201, 'open', '40.00']);
  expect(await settle('record-only')).toEqual([201, 'open', '60.00']);
  expect(await settle('no-parts')).toEqual([201, 'paid', '0.00']);
  expect(await settle('no-parts', '20.00')).toEqual([400, 'open', '60.00']);
});

test('a record above the balance is rejected, and one still processing changes nothing', async () => {
  await changeSettings({ payments: 'on' });
  const invoice = await addInvoice();
  expect((await recordPayment(invoice, { hs_latest_status: 'processing' })).status).toBe(201);
  expect(await stateOf(invoice)).toEqual(['open', '60.00']);
  expect((await recordPayment(invoice)).status).toBe(201);
  expect((await recordPayment(invoice)).status).toBe(400);
  expect(await stateOf(invoice)).toEqual(['paid', '0.00']);
});

test('a refund reopens the balance', async () => {
  await changeSettings({ payments: 'on' });
  const invoice = await addInvoice();
  const { id } = (await recordPayment(invoice, { hs_reference_number: uniqueName('txn') })).json;
  const refund = (refunds: string, status: string) =>
    crm.patch(`${PAYMENTS}/${id}`, { properties: { hs_refunds_amount: refunds, hs_latest_status: status } });
  await refund('25.00', 'partially_refunded');
  expect(await stateOf(invoice)).toEqual(['open', '25.00']);
  await refund('60.00', 'refunded');
  expect(await stateOf(invoice)).toEqual(['open', '60.00']);
  expect(await recordsOf(invoice)).toMatchObject([{ amount: '60.00', status: 'refunded', refunds: '60.00' }]);
});

test('a record is found by its reference at once, and by its invoice after the association lag', async () => {
  await changeSettings({ payments: 'on', association_lag_ms: 90_000 });
  const [invoice, reference] = [await addInvoice(), uniqueName('txn')];
  const { id } = (await recordPayment(invoice, { hs_reference_number: reference })).json;
  const linkedIds = async () =>
    (
      await crm.post<LinkList>('/crm/associations/2026-09/invoices/commerce_payments/batch/read', {
        inputs: [{ id: invoice }],
      })
    ).json.results.flatMap(({ to }) => to.map(({ toObjectId }) => String(toObjectId)));
  const filters = [{ propertyName: 'hs_reference_number', operator: 'EQ', value: reference }];
  const search = await crm.post<{ results: { id: string }[] }>(`${PAYMENTS}/search`, { filterGroups: [{ filters }] });
  expect(search.json.results.map((row) => row.id)).toEqual([id]);
  expect(await linkedIds()).toEqual([]);
  await world.control('clock', { add_s: 91 });
  expect(await linkedIds()).toEqual([id]);
});

test('a record exists if only its answer was lost, but not if its call was lost', async () => {
  await changeSettings({ payments: 'on' });
  const [recordedInvoice, unrecordedInvoice] = [await addInvoice(), await addInvoice()];
  await world.control('faults', { on: PAYMENTS, do: 'drop-after' });
  await expect(recordPayment(recordedInvoice)).rejects.toThrow();
  await world.control('faults', { on: PAYMENTS, do: 'drop-before' });
  await expect(recordPayment(unrecordedInvoice)).rejects.toThrow();
  expect([await recordsOf(recordedInvoice), await recordsOf(unrecordedInvoice)]).toMatchObject([
    [{ amount: '60.00' }],
    [],
  ]);
});

test('a call without the required scope is refused with the name of the scope', async () => {
  const reader = await world.crm(dental);
  const refusal = await reader.post<{ errors: object[] }>(PAYMENTS, { properties: {} });
  expect([refusal.status, refusal.json.errors]).toMatchObject([
    403,
    [{ context: { requiredGranularScopes: ['crm.objects.commercepayments.write'] } }],
  ]);
});
