import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Device, frontDesk, online, secondDesk, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();
beforeEach(async () => {
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { auto_tap: false, terminal_replies: 'full', terminal_timeout_ms: 120_000 });
});
afterEach(async () => {
  for (const desk of [frontDesk, secondDesk]) await world.touch('offline', desk);
  for (const desk of [frontDesk, secondDesk]) await world.touch('online', desk);
});

const device = async ({ terminalId } = frontDesk) =>
  (await world.get<Device>(`/_sandbox/terminals/${terminalId}`)).json;
const errorOf = ({ json }: Awaited<ReturnType<typeof world.terminalSale>>) => [
  json.payload.error?.['result-code'],
  json.payload.error?.['error-message'],
];

test('a sale waits on the device until the card is tapped, and the device shows the sale', async () => {
  const order = uniqueName('order');
  const sale = world.terminalSale({ amount: '46.40', 'order-id': order, invoice: 'INV-9-0' });
  await expect
    .poll(() => device())
    .toMatchObject({ waiting: { amount: '46.40', order_id: order, invoice: 'INV-9-0' } });
  expect(await world.charges(`order_id=${order}`)).toEqual([]);
  expect((await world.touch('tap', frontDesk, { card: '5555555555554444' })).json.waiting).toBeNull();
  const { status, json } = await sale;
  expect([status, json.payload.transaction?.['last-four']]).toEqual([200, '4444']);
  expect(await world.charges(`order_id=${order}`)).toMatchObject([
    {
      type: 'SALE',
      result: 'APPROVED',
      amount: '46.40',
      terminal_id: frontDesk.terminalId,
      batch_id: expect.any(String),
    },
  ]);
});

test('a tap waits for a sale that is just arriving, and is rejected if none comes', async () => {
  const tap = world.touch('tap');
  const sale = await world.terminalSale({});
  expect([(await tap).status, sale.status]).toEqual([200, 200]);
  expect((await world.touch('tap')).status).toBe(409);
});

test('a decline is recorded, but a cancel and the terminal’s timeout record nothing', async () => {
  const [declined, cancelled, late] = [uniqueName('order'), uniqueName('order'), uniqueName('order')];
  const first = world.terminalSale({ 'order-id': declined });
  await world.touch('decline');
  expect([(await first).status, (await first).json.payload.transaction?.result]).toEqual([402, 'DECLINED']);
  const second = world.terminalSale({ 'order-id': cancelled });
  await world.touch('cancel');
  expect([(await second).status, ...errorOf(await second)]).toEqual([402, '031', 'Transaction cancelled']);
  const third = world.terminalSale({ 'order-id': late });
  await expect.poll(async () => (await device()).waiting?.order_id).toBe(late);
  await world.control('clock', { add_s: 121 });
  expect([(await third).status, ...errorOf(await third)]).toEqual([402, '031', 'Transaction timed out']);
  expect(await world.charges(`order_id=${declined}`)).toMatchObject([{ result: 'DECLINED', batch_id: null }]);
  for (const order of [cancelled, late]) expect(await world.charges(`order_id=${order}`)).toEqual([]);
});

test('a sale times out without a tap', async () => {
  await world.control('settings', { terminal_timeout_ms: 30 });
  expect((await world.terminalSale({})).json.payload.error?.['error-message']).toBe('Transaction timed out');
});

test('a device handles one sale at a time, and another device stays free', async () => {
  const [first, second] = [uniqueName('order'), uniqueName('order')];
  const sale = world.terminalSale({ 'order-id': first });
  await expect.poll(async () => (await device()).waiting?.order_id).toBe(first);
  const busy = await world.terminalSale({ 'order-id': second });
  expect([busy.status, ...errorOf(busy)]).toEqual([400, '001', expect.stringContaining('busy')]);
  const secondSale = world.terminalSale({}, secondDesk);
  await world.touch('tap', secondDesk);
  expect((await secondSale).status).toBe(200);
  await world.touch('tap');
  expect((await sale).status).toBe(200);
  expect(await world.charges(`order_id=${second}`)).toEqual([]);
});

test('an offline device is reported at once, and one that goes offline midway leaves the outcome unknown', async () => {
  await world.touch('offline');
  expect((await world.get<{ terminals: Device[] }>('/_sandbox/state')).json.terminals[0]).toMatchObject({
    terminal_id: frontDesk.terminalId,
    online: false,
  });
  const offline = await world.terminalSale({});
  expect([offline.status, ...errorOf(offline)]).toEqual([400, '001', 'Terminal is not reachable']);
  await world.touch('online');
  const sale = world.terminalSale({});
  await expect.poll(async () => (await device()).waiting).not.toBeNull();
  await world.touch('offline');
  expect([(await sale).status, (await sale).json.payload.error?.['result-code']]).toEqual([500, '049']);
});

test('a caller that disconnects or is cut off changes nothing on the device, which charges the card later', async () => {
  const [abandonedOrder, cutOrder] = [uniqueName('order'), uniqueName('order')];
  const abortController = new AbortController();
  const abandoned = world
    .terminalSale({ 'order-id': abandonedOrder }, frontDesk, { signal: abortController.signal })
    .catch(() => 'gone');
  await expect.poll(async () => (await device()).waiting?.order_id).toBe(abandonedOrder);
  abortController.abort();
  expect(await abandoned).toBe('gone');
  await world.touch('tap');
  expect(await world.charges(`order_id=${abandonedOrder}`)).toMatchObject([{ result: 'APPROVED' }]);
  const cutSale = world.terminalSale({ 'order-id': cutOrder }).catch(() => 'broken');
  await world.touch('cut');
  expect(await cutSale).toBe('broken');
  expect((await device()).waiting?.order_id).toBe(cutOrder);
  await world.touch('tap');
  expect(await world.charges(`order_id=${cutOrder}`)).toMatchObject([{ result: 'APPROVED' }]);
});

test('twenty concurrent taps charge one card', async () => {
  const order = uniqueName('order');
  const sale = world.terminalSale({ 'order-id': order });
  const taps = await Promise.all(Array.from({ length: 20 }, () => world.touch('tap')));
  expect(taps.filter(({ status }) => status === 200)).toHaveLength(1);
  await sale;
  expect(await world.charges(`order_id=${order}`)).toHaveLength(1);
});

test('an invoice value that was already paid returns its payment without waking the device', async () => {
  const paid = { invoice: uniqueName('INV'), amount: '75.00', 'check-field': 'invoice', 'check-field-mid': 'true' };
  const online = await world.sale(await world.jwt(), paid);
  const repeated = await world.terminalSale(paid);
  expect(repeated.json.payload.transaction?.id).toBe(online.json.payload.transaction?.id);
  expect((await device()).waiting).toBeNull();
});

test('a link payment made while the device waits is returned by the tap', async () => {
  const paid = { invoice: uniqueName('INV'), amount: '75.00', 'check-field': 'invoice', 'check-field-mid': true };
  const pendingSale = world.terminalSale(paid);
  await expect.poll(async () => (await device()).waiting).not.toBeNull();
  const online = await world.sale(await world.jwt(), paid);
  await world.touch('tap');
  expect((await pendingSale).json.payload.transaction?.id).toBe(online.json.payload.transaction?.id);
  expect(await world.charges(`invoice=${paid.invoice}`)).toHaveLength(1);
});

test('a bare reply has only the guaranteed fields, and the lookup has the rest', async () => {
  await world.control('settings', { terminal_replies: 'bare', auto_tap: true });
  const order = uniqueName('order');
  const { json } = await world.terminalSale({ 'order-id': order, amount: '31.00' });
  expect(Object.keys(json.payload.transaction ?? {}).sort()).toEqual([
    'authorization-code',
    'display-message',
    'id',
    'result-code',
  ]);
  const lookup = await world.gateway(`/rest/v2/transactions?id=${json.payload.transaction?.id}`, frontDesk.apiKey);
  expect(lookup.json.payload.transaction).toMatchObject({ 'order-id': order, amount: '31.00', 'card-type': 'VISA' });
});

test('faults on a terminal affect only device sales, and a tapped charge stays on record', async () => {
  await world.control('settings', { auto_tap: true });
  const order = uniqueName('order');
  await world.control('faults', { on: 'terminal', do: 'drop-after' });
  await world.sale(await world.jwt(), {});
  expect(await world.terminalSale({ 'order-id': order }).catch(() => 'cut')).toBe('cut');
  expect(await world.charges(`order_id=${order}`)).toHaveLength(1);
});

test('a pending device sale and its charge survive a restart', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { tmpdir } = await import('node:os');
  const { listenSandbox } = await import('#sandbox/listen');
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const start = () => listenSandbox({ file: join(folder, 's.sqlite'), port: 0, productUrl: 'http://localhost:1' });
  const first = await start();
  const body = JSON.stringify({
    amount: '20.00',
    'order-id': 'kept',
    'software-type': 't',
    'software-type-version': '1',
  });
  const lostSale = fetch(`${first.url}/rest/v2/terminal/transactions/sale`, {
    method: 'POST',
    headers: { 'api-key': frontDesk.apiKey },
    body,
  }).catch(() => 'lost');
  const devicePath = `/_sandbox/terminals/${frontDesk.terminalId}`;
  await expect
    .poll(async () => (await fetch(first.url + devicePath)).json())
    .toMatchObject({ waiting: { order_id: 'kept' } });
  await first.close();
  expect(await lostSale).toBe('lost');
  const second = await start();
  expect((await fetch(second.url + devicePath, { method: 'POST', body: '{"do":"tap"}' })).status).toBe(200);
  expect(await (await fetch(`${second.url}/_sandbox/charges?order_id=kept`)).json()).toHaveLength(1);
  await second.close();
});

test('a reset frees the devices and disconnects all waiting callers', async () => {
  const sandbox = await startSandbox(onTestFinished);
  const sale = sandbox.terminalSale({ 'order-id': 'before' }).catch(() => 'cut');
  const pending = async () => (await sandbox.get<Device>(`/_sandbox/terminals/${frontDesk.terminalId}`)).json.waiting;
  await expect.poll(pending).not.toBeNull();
  await sandbox.control('reset', {});
  expect([await sale, await pending()]).toEqual(['cut', null]);
});

test.each([
  ['no amount', { amount: undefined }, frontDesk],
  ['nothing to pay', { amount: '0.00' }, frontDesk],
  ['a terminal for online payments', {}, online],
])('a sale with %s does not wake the device', async (_label, body, terminal) => {
  expect((await world.terminalSale(body, terminal)).status).toBeGreaterThanOrEqual(400);
  expect((await device()).waiting).toBeNull();
});

test('the device page shows the waiting sale and has working buttons', async () => {
  const list = await world.get('/terminals');
  expect(list.text).toContain(`/terminals/${frontDesk.terminalId}`);
  expect(list.text).not.toContain(`/terminals/${online.terminalId}`);
  const path = `/terminals/${frontDesk.terminalId}`;
  expect((await world.get(path)).text).toContain('Nothing to pay');
  const order = uniqueName('order');
  const sale = world.terminalSale({ amount: '12.34', 'order-id': order });
  await expect.poll(async () => (await world.get(path)).text).toContain('$12.34');
  const press = (action: string, fields = {}) =>
    world.call(path, { method: 'POST', body: new URLSearchParams({ do: action, ...fields }) });
  expect((await press('tap', { card: '378282246310005' })).status).toBe(303);
  expect((await sale).json.payload.transaction?.['card-type']).toBe('AMEX');
  expect((await press('explode')).status).toBe(400);
  await press('offline');
  expect((await world.get(path)).text).toContain('Offline');
});
