import { afterEach, expect, test } from 'vitest';
import { dental, fresh, startSandbox } from './start.ts';

type Told = { invoice: string | null; amount: string; status: string; refunds: string; reference: string };
type Linked = { results: { to: { toObjectId: number }[] }[] };

const world = await startSandbox();
const crm = await world.crm(dental, 'write');
const HUB = `hubs/${dental.hubId}`;
const PAYMENTS = '/crm/objects/2026-09/commerce_payments';

const set = (settings: object) => world.control(`${HUB}/settings`, settings);
afterEach(() => world.call(`/_sandbox/${HUB}/settings`, { method: 'DELETE' }));

const bill = async (amount = '60.00') =>
  (await world.control<{ ids: string[] }>(`${HUB}/invoices`, { amount })).ids[0] ?? '';
const record = (invoice: string, properties: Record<string, string> = {}) =>
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
  (await world.get<Told[]>(`/_sandbox/${HUB}/payments`)).json.filter((payment) => payment.invoice === invoice);

test('the effect of a payment record depends on the account’s settings', async () => {
  const settle = async (payments: string | null, amount = '60.00') => {
    await set({ payments });
    const invoice = await bill();
    const made = await record(invoice, { hs_initial_amount: amount });
    return [made.status, ...(await stateOf(invoice))];
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
  await set({ payments: 'on' });
  const invoice = await bill();
  expect((await record(invoice, { hs_latest_status: 'processing' })).status).toBe(201);
  expect(await stateOf(invoice)).toEqual(['open', '60.00']);
  expect((await record(invoice)).status).toBe(201);
  expect((await record(invoice)).status).toBe(400);
  expect(await stateOf(invoice)).toEqual(['paid', '0.00']);
});

test('a refund reopens the balance', async () => {
  await set({ payments: 'on' });
  const invoice = await bill();
  const { id } = (await record(invoice, { hs_reference_number: fresh('txn') })).json;
  const change = (refunds: string, status: string) =>
    crm.patch(`${PAYMENTS}/${id}`, { properties: { hs_refunds_amount: refunds, hs_latest_status: status } });
  await change('25.00', 'partially_refunded');
  expect(await stateOf(invoice)).toEqual(['open', '25.00']);
  await change('60.00', 'refunded');
  expect(await stateOf(invoice)).toEqual(['open', '60.00']);
  expect(await recordsOf(invoice)).toMatchObject([{ amount: '60.00', status: 'refunded', refunds: '60.00' }]);
});

test('a record is found by its reference at once, and by its invoice after the association lag', async () => {
  await set({ payments: 'on', association_lag_ms: 90_000 });
  const [invoice, reference] = [await bill(), fresh('txn')];
  const { id } = (await record(invoice, { hs_reference_number: reference })).json;
  const linked = async () =>
    (
      await crm.post<Linked>('/crm/associations/2026-09/invoices/commerce_payments/batch/read', {
        inputs: [{ id: invoice }],
      })
    ).json.results.flatMap(({ to }) => to.map(({ toObjectId }) => String(toObjectId)));
  const filters = [{ propertyName: 'hs_reference_number', operator: 'EQ', value: reference }];
  const found = await crm.post<{ results: { id: string }[] }>(`${PAYMENTS}/search`, { filterGroups: [{ filters }] });
  expect(found.json.results.map((one) => one.id)).toEqual([id]);
  expect(await linked()).toEqual([]);
  await world.control('clock', { add_s: 91 });
  expect(await linked()).toEqual([id]);
});

test('a record exists if only its answer was lost, but not if its call was lost', async () => {
  await set({ payments: 'on' });
  const [lost, never] = [await bill(), await bill()];
  await world.control('faults', { on: PAYMENTS, do: 'drop-after' });
  await expect(record(lost)).rejects.toThrow();
  await world.control('faults', { on: PAYMENTS, do: 'drop-before' });
  await expect(record(never)).rejects.toThrow();
  expect([await recordsOf(lost), await recordsOf(never)]).toMatchObject([[{ amount: '60.00' }], []]);
});

test('a call without the required scope is refused with the name of the scope', async () => {
  const reader = await world.crm(dental);
  const refused = await reader.post<{ errors: object[] }>(PAYMENTS, { properties: {} });
  expect([refused.status, refused.json.errors]).toMatchObject([
    403,
    [{ context: { requiredGranularScopes: ['crm.objects.commercepayments.write'] } }],
  ]);
});
