import { beforeEach, expect, test } from 'vitest';
import { type Batch, type Envelope, frontDesk, online, secondDesk, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();
beforeEach(async () => {
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { auto_tap: true, terminal_replies: 'full', batch_close: 'closed' });
});

const CLOSE = '/rest/v2/terminal/batches/open';
const list = async (query = '', { apiKey } = frontDesk): Promise<Batch[]> =>
  (await world.gateway(`/rest/v2/batches?${query}`, apiKey)).json?.payload.batches?.batch ?? [];
const readOpenBatch = async ({ apiKey } = frontDesk) =>
  (await world.gateway('/rest/v2/batches/open', apiKey)).json?.payload.batch;
const sell = async (amount = '20.00', terminal = frontDesk) =>
  String(
    (await world.terminalSale({ amount, 'order-id': uniqueName('order') }, terminal)).json.payload.transaction?.id,
  );
const followUp = (body: Record<string, string>, { apiKey } = frontDesk) =>
  world.post<Envelope>('/rest/v2/transactions', body, { 'api-key': apiKey });
const codeOf = ({ json }: { json: Envelope }) => json.payload.error?.['result-code'];

test('a counter terminal starts with two closed batches and an open one whose totals match their transactions', async () => {
  const batches = await list();
  expect(batches.map(({ status }) => status)).toEqual(['OPEN', 'CLOSED', 'CLOSED']);
  const charges = await world.charges('');
  for (const batch of batches) {
    const batchCharges = charges.filter(({ batch_id }) => batch_id === batch.id);
    const sum = (type: string) =>
      batchCharges
        .filter((charge) => charge.type === type)
        .reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0);
    expect(batch).toMatchObject({
      'terminal-id': frontDesk.terminalId,
      'terminal-name': 'Front desk 1',
      'sales-count': String(batchCharges.length - 1),
      'sales-total': (sum('SALE') / 100).toFixed(2),
      'refund-count': '1',
      'refund-total': (sum('REFUND') / 100).toFixed(2),
      'net-amount': ((sum('SALE') - sum('REFUND')) / 100).toFixed(2),
    });
  }
  expect(batches[0]).not.toHaveProperty('settled');
  expect(batches[1]).toMatchObject({ settled: expect.any(String), 'confirmation-code': expect.any(String) });
});

test('batches are listed by status, day and page, and those of other terminals only at merchant level', async () => {
  expect(await list('status=CLOSED')).toHaveLength(2);
  expect(await list('status=PENDING')).toEqual([]);
  expect(await list('level=merchant&status=OPEN')).toHaveLength(2);
  const first = await list('page-size=1&page=1&descending=false');
  const second = await list('page-size=1&page=2&descending=false');
  expect(Number(first[0]?.id)).toBeLessThan(Number(second[0]?.id));
  const day = String(first[0]?.['date-opened']).slice(0, 10);
  expect(await list(`start-date=${day}&end-date=${day}`)).toHaveLength(1);
  expect((await world.gateway('/rest/v2/batches', online.apiKey)).status).toBe(204);
  expect((await world.gateway('/rest/v2/batches', 'f'.repeat(32))).status).toBe(401);
});

test('closing gives a batch its code and time, and the next approval opens the next batch', async () => {
  await sell();
  const openBatch = await readOpenBatch();
  const closed = await world.put(CLOSE, frontDesk.apiKey);
  expect(closed.json.payload.batch).toMatchObject({
    id: openBatch?.id,
    status: 'CLOSED',
    settled: expect.any(String),
    'confirmation-code': expect.any(String),
  });
  expect((await world.put(CLOSE, frontDesk.apiKey)).status).toBe(204);
  const plainClose = await world.put('/rest/v2/batches/open', frontDesk.apiKey);
  expect([plainClose.status, codeOf(plainClose)]).toEqual([402, '040']);
  expect(await readOpenBatch()).toBeUndefined();
  const declined = world.terminalSale({ amount: '0.21' });
  await declined;
  expect(await readOpenBatch()).toBeUndefined();
  await sell();
  expect(Number((await readOpenBatch())?.id)).toBeGreaterThan(Number(openBatch?.id));
});

test('twenty concurrent closes close one batch', async () => {
  await sell();
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.put(CLOSE, frontDesk.apiKey)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(204)]);
});

test('a transaction shows a padded batch id only in lookups, and is settled once the batch is closed', async () => {
  const id = await sell();
  const batch = String((await readOpenBatch())?.id);
  const findSale = async () => {
    const day = new Date().toISOString().slice(0, 10);
    const reply = await world.gateway(`/rest/v2/transactions?start-date=${day}&page-size=100`, frontDesk.apiKey);
    return reply.json.payload.transactions?.transaction.find((transaction) => transaction.id === id);
  };
  expect(await findSale()).toMatchObject({ 'batch-string-id': batch.padStart(6, '0'), settled: false, pending: true });
  await world.put(CLOSE, frontDesk.apiKey);
  expect(await findSale()).toMatchObject({ settled: true, pending: false });
});

test('a void removes the sale from the totals and works only while the batch is open', async () => {
  const [otherId, voidedId] = [await sell('20.00', secondDesk), await sell('30.00', secondDesk)];
  const batchBefore = await readOpenBatch(secondDesk);
  expect((await followUp({ type: 'VOID', id: voidedId }, secondDesk)).status).toBe(200);
  const batchAfter = await readOpenBatch(secondDesk);
  expect(Number(batchBefore?.['sales-total']) - Number(batchAfter?.['sales-total'])).toBeCloseTo(30);
  await world.put(CLOSE, secondDesk.apiKey);
  expect(codeOf(await followUp({ type: 'VOID', id: otherId }, secondDesk))).toBe('013');
  const refund = await followUp({ type: 'REFUND', id: otherId, amount: '20.00' }, secondDesk);
  expect(refund.json.payload.transaction).toMatchObject({ type: 'REFUND', 'ref-id': otherId });
  expect(await readOpenBatch(secondDesk)).toMatchObject({
    'sales-count': '0',
    'refund-total': '20.00',
    'net-amount': '-20.00',
    'total-count': '1',
  });
});

test('a partly refunded sale cannot be voided, and neither can a void', async () => {
  const id = await sell('30.00');
  await followUp({ type: 'REFUND', id, amount: '10.00' });
  expect(codeOf(await followUp({ type: 'VOID', id }))).toBe('013');
  const voidReply = await followUp({ type: 'VOID', id: await sell() });
  expect(codeOf(await followUp({ type: 'VOID', id: String(voidReply.json.payload.transaction?.id) }))).toBe('013');
});

test('fifty concurrent refunds never refund more than was paid', async () => {
  const id = await sell('20.00');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => followUp({ type: 'REFUND', id, amount: `${1 + (index % 7)}.00` })),
  );
  const refunded = answers
    .filter(({ status }) => status === 200)
    .reduce((sum, { json }) => sum + Number(json.payload.transaction?.amount), 0);
  expect(refunded).toBe(20);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(['025']));
});

test('a slow close leaves the batch pending, and the batch takes no further sale', async () => {
  await sell();
  await world.control('settings', { batch_close: 'pending' });
  const { id } = (await world.put(CLOSE, frontDesk.apiKey)).json.payload.batch ?? {};
  const status = async () => (await list()).find((batch) => batch.id === id)?.status;
  expect(await status()).toBe('PENDING');
  await sell();
  expect((await readOpenBatch())?.id).not.toBe(id);
  await world.control('clock', { add_s: 6 });
  expect(await status()).toBe('CLOSED');
});

test('a failed close can be retried', async () => {
  await sell();
  const batchId = (await readOpenBatch())?.id;
  await world.control('settings', { batch_close: 'failed' });
  const failed = await world.put(CLOSE, frontDesk.apiKey);
  expect([failed.status, codeOf(failed)]).toEqual([500, '002']);
  expect((await list('status=FAILED')).map(({ id }) => id)).toEqual([batchId]);
  await world.control('settings', { batch_close: 'closed' });
  expect((await world.put(CLOSE, frontDesk.apiKey)).json.payload.batch?.id).toBe(batchId);
});

test('a batch may close automatically', async () => {
  await sell();
  expect((await world.touch('close-batch')).status).toBe(200);
  expect(await readOpenBatch()).toBeUndefined();
  expect((await world.touch('close-batch')).status).toBe(409);
});

test('online payments have their own batches, closed by the plain call', async () => {
  await world.sale(await world.jwt(), { amount: '20.00' });
  expect((await world.put(CLOSE, online.apiKey)).status).toBe(402);
  expect((await world.put('/rest/v2/batches/open')).json.payload.batch).toMatchObject({ 'sales-total': '20.00' });
});

test('a caller that requests XML gets XML, and a fault can force it', async () => {
  const requestAs = (accept: string) =>
    world.call('/rest/v2/batches/open', { headers: { 'api-key': secondDesk.apiKey, accept } });
  await sell('20.00', secondDesk);
  expect((await requestAs('application/xml')).text).toContain('<payload type="batch"><batch><id>');
  expect((await requestAs('application/json')).json).toBeDefined();
  await world.control('faults', { on: '/rest/v2/mobile/transactions/sale', do: 'xml' });
  const sale = await world.sale(await world.jwt('4000000000000002'), {});
  expect([sale.status, sale.text]).toEqual([402, expect.stringContaining('<payload type="errorTransaction">')]);
});
