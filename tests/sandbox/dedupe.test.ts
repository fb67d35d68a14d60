import { beforeEach, expect, test } from 'vitest';
import { frontDesk, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();
const withCheckField = (invoice: string, fields: Record<string, unknown> = {}) => ({
  amount: '75.00',
  invoice,
  'check-field': 'invoice',
  'check-field-mid': true,
  ...fields,
});

beforeEach(async () => {
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { dedupe: 'commit' });
});

/** Sends a sale again while the gateway still holds the first call. Returns the number of charges afterwards. */
async function chargesWhileFirstIsInFlight(): Promise<number> {
  const invoice = uniqueName('INV');
  const [first, second] = [await world.jwt(), await world.jwt()];
  await world.control('faults', { on: '/rest/v2/mobile/transactions/sale', do: 'late', ms: 400 });
  const firstSale = world.sale(first, withCheckField(invoice));
  while ((await world.get<unknown[]>('/_sandbox/faults')).json.length > 0);
  const answers = [await world.sale(second, withCheckField(invoice)), await firstSale];
  expect(answers.map((answer) => answer.json.payload.transaction?.result)).toEqual(['APPROVED', 'APPROVED']);
  return (await world.charges(`invoice=${invoice}`)).length;
}

test('a repeated check field returns the original transaction from any terminal of the merchant', async () => {
  const invoice = uniqueName('INV');
  const first = await world.sale(await world.jwt(), withCheckField(invoice, { 'order-id': 'a' }));
  const second = await world.sale(await world.jwt(), withCheckField(invoice, { 'order-id': 'b' }), frontDesk.apiKey);
  expect(second.status).toBe(200);
  expect(second.json.payload.transaction).toMatchObject({ id: first.json.payload.transaction?.id, 'order-id': 'a' });
  expect(await world.charges(`invoice=${invoice}`)).toHaveLength(1);
});

test('another amount or value, an earlier decline, or no check field makes a new charge', async () => {
  const invoice = uniqueName('INV');
  await world.sale(await world.jwt('4000000000000002'), withCheckField(invoice));
  await world.sale(await world.jwt(), withCheckField(invoice));
  await world.sale(await world.jwt(), withCheckField(invoice, { amount: '75.01' }));
  await world.sale(await world.jwt(), withCheckField(invoice, { 'check-field': undefined }));
  const results = (await world.charges(`invoice=${invoice}`)).map((charge) => charge.result);
  expect(results).toEqual(['DECLINED', 'APPROVED', 'APPROVED', 'APPROVED']);
});

test('with commit, a call in flight counts, so two concurrent calls charge once', async () => {
  expect(await chargesWhileFirstIsInFlight()).toBe(1);
});

test('with arrival, only finished payments count, so a concurrent call charges twice', async () => {
  await world.control('settings', { dedupe: 'arrival' });
  expect(await chargesWhileFirstIsInFlight()).toBe(2);
  const invoice = uniqueName('INV');
  await world.sale(await world.jwt(), withCheckField(invoice));
  await world.sale(await world.jwt(), withCheckField(invoice));
  expect(await world.charges(`invoice=${invoice}`)).toHaveLength(1);
});

test('with none, nothing is compared', async () => {
  await world.control('settings', { dedupe: 'none' });
  expect(await chargesWhileFirstIsInFlight()).toBe(2);
  const invoice = uniqueName('INV');
  await world.sale(await world.jwt(), withCheckField(invoice));
  await world.sale(await world.jwt(), withCheckField(invoice));
  expect(await world.charges(`invoice=${invoice}`)).toHaveLength(2);
});

test('the terminal’s own duplicate rule returns an error when configured to', async () => {
  const settings = {
    'check-duplicate-transaction-settings': { enabled: 'true', 'if-duplicate-found-respond-with-error': true },
  };
  await world.post('/rest/v2/settings/transaction/duplicates', settings, { 'api-key': frontDesk.apiKey });
  const sell = async () =>
    world.sale(await world.jwt(), { amount: '611.17', invoice: uniqueName('INV') }, frontDesk.apiKey);
  expect((await sell()).status).toBe(200);
  const second = await sell();
  expect([second.status, second.json.payload.error?.['result-code']]).toEqual([402, '032']);
});
