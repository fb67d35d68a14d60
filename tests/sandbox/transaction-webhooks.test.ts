import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CARD, type Envelope, frontDesk, online, startSandbox, uniqueName } from './start.ts';

/** Stands in for the product: records the webhooks that it receives, as text. */
const received: string[] = [];
let status = 200;
const product = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push(body);
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
afterAll(() => product.close());
const address = `http://127.0.0.1:${(product.address() as AddressInfo).port}`;

const world = await startSandbox();
beforeEach(async () => {
  received.length = 0;
  status = 200;
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { auto_tap: true, webhooks_first: true, webhook_urls: { transactions: address } });
});

type Hook = Envelope & { signature: string };
const hooks = () => received.map((text) => JSON.parse(text) as Hook);
const payloadText = (body: string) => body.slice(body.indexOf('"payload":') + 10, body.lastIndexOf(',"signature"'));
const isSigned = (body: string, publicKey: string, text = payloadText(body)) =>
  verify(
    'sha384',
    Buffer.from(text),
    createPublicKey({ key: Buffer.from(publicKey, 'hex'), format: 'der', type: 'spki' }),
    Buffer.from((JSON.parse(body) as Hook).signature, 'hex'),
  );
const sell = async (body: Record<string, unknown> = {}) =>
  (await world.sale(await world.jwt(), { 'order-id': uniqueName('order'), ...body })).json.payload.transaction;
const readWebhooks = async (id: unknown) =>
  (await world.get<{ event: string; attempts: { outcome: string }[] }[]>(`/_sandbox/webhooks/${id}`)).json;

test('a sale sends a webhook in its envelope, signed by its terminal over the exact payload text', async () => {
  const sale = await sell({ billing: { 'first-name': 'Zoë', street: 'a/b' } });
  expect(hooks()).toMatchObject([{ code: '200', status: 'success', payload: { transaction: { id: sale?.id } } }]);
  const [body = ''] = received;
  expect(isSigned(body, online.publicKey)).toBe(true);
  expect(isSigned(body, frontDesk.publicKey)).toBe(false);
  expect(isSigned(body, online.publicKey, payloadText(body).replace('184.00', '184.01'))).toBe(false);
  // A receiver that serializes the payload again gets different text.
  expect(isSigned(body, online.publicKey, JSON.stringify(hooks()[0]?.payload))).toBe(false);
});

test('declines, device sales, voids, refunds and bank debits send webhooks, but repeated answers do not', async () => {
  const repeated = { invoice: uniqueName('INV'), 'check-field': 'invoice' };
  const sale = await sell(repeated);
  await sell(repeated);
  const followUp = (type: string) =>
    world.post('/rest/v2/transactions', { type, id: sale?.id, amount: '1.00' }, { 'api-key': online.apiKey });
  await followUp('REFUND');
  await world.sale(await world.jwt(CARD.declined), {});
  await world.terminalSale({});
  const voidable = await sell();
  await world.post('/rest/v2/transactions', { type: 'VOID', id: voidable?.id }, { 'api-key': online.apiKey });
  await debit();
  expect(hooks().map(({ payload }) => `${payload.transaction?.type} ${payload.transaction?.result}`)).toEqual([
    'SALE APPROVED',
    'REFUND APPROVED',
    'SALE DECLINED',
    'SALE APPROVED',
    'SALE APPROVED',
    'VOID APPROVED',
    'DEBIT APPROVED',
  ]);
});

test('a lost reply does not hold back the webhook, and a sale that records nothing sends none', async () => {
  await world.control('faults', { on: 'gateway', do: 'drop-after' });
  await expect(sell()).rejects.toThrow();
  await world.sale(await world.jwt(CARD.fails), {});
  expect(hooks()).toHaveLength(1);
});

test('a webhook comes before the reply or independently of it, depending on the setting', async () => {
  await sell();
  expect(received).toHaveLength(1);
  await world.control('settings', { webhooks_first: false });
  await sell();
  await expect.poll(() => received.length).toBe(2);
});

test('a webhook that fails is attempted three times', async () => {
  status = 500;
  const sale = await sell();
  await expect.poll(async () => (await readWebhooks(sale?.id))[0]?.attempts.length, { timeout: 5000 }).toBe(3);
  expect(await readWebhooks(sale?.id)).toMatchObject([{ event: 'Sale', attempts: [{ outcome: '500' }, {}, {}] }]);
});

test('a webhook can be dropped, sent twice, or delayed so that another overtakes it', async () => {
  await world.control('faults', { on: 'gateway', do: 'webhook-drop' });
  const droppedSale = await sell();
  expect(received).toEqual([]);
  expect((await readWebhooks(droppedSale?.id))[0]?.attempts).toMatchObject([{ outcome: 'dropped' }]);
  await world.control('faults', { on: 'gateway', do: 'webhook-twice' });
  const doubledSale = await sell();
  expect(hooks().map(({ payload }) => payload.transaction?.id)).toEqual([doubledSale?.id, doubledSale?.id]);
  // The test itself ends the delay of the webhook.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await world.control('faults', { on: 'terminal', do: 'webhook-late', ms: 200 });
  await sell();
  const lateSale = await world.terminalSale({});
  const lastSale = await sell();
  expect(hooks().at(-1)?.payload.transaction?.id).toBe(lastSale?.id);
  await vi.advanceTimersByTimeAsync(200);
  await expect.poll(() => hooks().at(-1)?.payload.transaction?.id).toBe(lateSale.json.payload.transaction?.id);
});

test('all webhooks can be sent again any number of times and in another order', async () => {
  const orders = Array.from({ length: 8 }, () => uniqueName('order'));
  for (const order of orders) await sell({ 'order-id': order });
  received.length = 0;
  expect(await world.control('webhooks', { order_ids: orders, times: 20 })).toEqual({ sent: 160 });
  const resent = hooks().map(({ payload }) => String(payload.transaction?.['order-id']));
  for (const order of orders) expect(resent.filter((id) => id === order)).toHaveLength(20);
  expect(resent.slice(0, 20)).not.toEqual(Array(20).fill(resent[0]));
});

async function debit(account = '1234567890') {
  const token = await world.post<Envelope>(
    '/rest/v2/mobilejwt/ach',
    {
      'routing-number': '063100277',
      'account-number': account,
      'account-type': 'Checking',
      'individual-name': 'Jo Doe',
    },
    { 'public-key': online.publicKey },
  );
  const answer = await world.post<Envelope>(
    '/rest/v2/ach/mobile/transactions/debit',
    { type: 'DEBIT', amount: '20.00', 'individual-name': 'Jo Doe', 'order-id': uniqueName('order') },
    { 'api-key': online.apiKey, achmobilejwt: token.json.payload['mobile-jwt']?.jwt ?? '' },
  );
  return String(answer.json.payload.transaction?.id);
}

type Status = { PayLoadType: string; Payload: Record<string, string> & { Payload?: Record<string, string> } };

test('a bank debit sends a webhook for each status, unsigned and with its own field names', async () => {
  const [settledId, returnedId] = [await debit(), await debit('1234567802')];
  const updates = () =>
    received
      .filter((text) => text.includes(settledId) || text.includes(returnedId))
      .map((text) => JSON.parse(text) as Status);
  received.length = 0;
  await world.control('clock', { add_s: 2 * 3600 });
  await expect.poll(() => updates().map(({ PayLoadType }) => PayLoadType)).toEqual(Array(2).fill('ach.status.updated'));
  await world.control('clock', { add_s: 48 * 3600 });
  await expect.poll(() => updates().length).toBe(4);
  expect(updates()).toContainEqual({
    PayLoadType: 'ach.status.settled',
    Payload: expect.objectContaining({ transaction_id: settledId, previous_status: 'Settling', new_status: 'Settled' }),
  });
  expect(updates().find(({ PayLoadType }) => PayLoadType === 'ach.status.returned')?.Payload.Payload).toMatchObject({
    transaction_id: returnedId,
    new_status: 'Returned',
    return_reason_code: 'R02',
  });
});

test('a debit can be settled by hand, and returned even after that', async () => {
  const id = await debit();
  const readDebit = async () =>
    (await world.gateway(`/rest/v2/ach/transactions?id=${id}`)).json.payload['ach-transactions']?.[
      'ach-transaction'
    ][0];
  await world.control(`ach/${id}`, { do: 'settle' });
  expect(await readDebit()).toMatchObject({ status: 'Settled', 'settled-date': expect.any(String) });
  await world.control(`ach/${id}`, { do: 'return', code: 'R10' });
  expect(await readDebit()).toMatchObject({ status: 'Returned', 'returned-code': 'R10' });
  expect((await world.post('/_sandbox/ach/1', { do: 'settle' })).status).toBe(400);
});
