import { expect, test } from 'vitest';
import { forge } from '#tests/support/forge';
import { CARD, type Envelope, frontDesk, online, startSandbox, uniqueName } from './start.ts';

const world = await startSandbox();

test('a sale with a fresh token is approved, recorded and added to the terminal’s open batch', async () => {
  const order = uniqueName('order');
  const { status, json } = await world.sale(await world.jwt(), {
    amount: '46.40',
    invoice: 'INV-7-0',
    'order-id': order,
  });
  expect(status).toBe(200);
  expect(json.payload.transaction).toMatchObject({
    result: 'APPROVED',
    amount: '46.40',
    card: 'XXXXXXXXXXXX1111',
    voided: false,
  });
  expect(json.payload.error).toBeUndefined();
  const [charge] = await world.charges(`order_id=${order}`);
  expect(charge).toMatchObject({
    type: 'SALE',
    result: 'APPROVED',
    amount: '46.40',
    invoice: 'INV-7-0',
    terminal_id: online.terminalId,
  });
  expect(charge?.batch_id).toBe(json.payload.transaction?.['batch-string-id']);
});

test('a decline returns 402 with both the transaction and an error', async () => {
  const order = uniqueName('order');
  const { status, json } = await world.sale(await world.jwt(CARD.declined), { 'order-id': order });
  expect(status).toBe(402);
  expect(json.payload.payloadType).toBe('error');
  expect(json.payload.transaction?.result).toBe('DECLINED');
  expect(json.payload.error?.['error-message']).toBe('Card declined');
  expect(await world.charges(`order_id=${order}`)).toMatchObject([{ result: 'DECLINED', batch_id: null }]);
});

test('the failing card returns 500 and records nothing', async () => {
  const order = uniqueName('order');
  expect((await world.sale(await world.jwt(CARD.fails), { 'order-id': order })).status).toBe(500);
  expect((await world.gateway(`/rest/v2/transactions?order-id=${order}`)).status).toBe(204);
});

test.each([
  ['0.21', 402, '012', 'DECLINED'],
  ['0.49', 200, '000', 'APPROVED'],
  ['0.99', 402, '023', 'DECLINED'],
  ['1.00', 200, '000', 'APPROVED'],
])('an amount below a dollar decides the result: %s answers %i with %s', async (amount, status, code, result) => {
  const answer = await world.sale(await world.jwt(), { amount });
  expect(answer.status).toBe(status);
  expect(answer.json.payload.transaction).toMatchObject({ 'result-code': code, result });
});

test('some amounts are refused with only an error', async () => {
  const order = uniqueName('order');
  const { status, json } = await world.sale(await world.jwt(), { amount: '0.14', 'order-id': order });
  expect([status, json.payload.transaction, json.payload.error?.['result-code']]).toEqual([400, undefined, '009']);
  expect(await world.charges(`order_id=${order}`)).toEqual([]);
});

test('a token works once, for fifteen minutes, and only as signed', async () => {
  const jwt = await world.jwt();
  expect((await world.sale(jwt, {})).status).toBe(200);
  expect((await world.sale(jwt, {})).json.payload.error?.['result-code']).toBe('mobile-jwt-used');
  expect((await world.sale('', {})).status).toBe(400);
  const oldToken = await world.jwt();
  expect((await world.sale(forge(oldToken), {})).status).toBe(400);
  await world.control('clock', { add_s: 15 * 60 + 1 });
  expect((await world.sale(oldToken, {})).json.payload.error?.['result-code']).toBe('mobile-jwt-expired');
});

test('a token contains only type, last four digits, number and expiry', async () => {
  const claims = JSON.parse(Buffer.from((await world.jwt()).split('.')[1] ?? '', 'base64url').toString());
  expect(Object.keys(claims).sort()).toEqual(['exp', 'last-four', 'token', 'type']);
  expect(claims).toMatchObject({ 'last-four': '1111', type: 'MANUAL' });
});

test.each([
  ['a bad check digit', { card: '4111111111111112' }],
  ['a past month', { 'exp-date': '0120' }],
  ['a short security code', { csc: '12' }],
])('no token is issued for %s', async (_label, fields) => {
  const { card = CARD.approved, ...otherFields } = fields as Record<string, string>;
  const answer = await world.cardToken(card, otherFields);
  expect(answer.status).toBe(400);
  expect(answer.json.payload.error?.['result-code']).toMatch(/^mobile-jwt-/);
});

test('unknown keys are refused with 401 and no exchange id', async () => {
  expect((await world.cardToken(CARD.approved, {}, 'ff')).status).toBe(401);
  const { status, json } = await world.sale(await world.jwt(), {}, '0'.repeat(32));
  expect([status, json.payload.error?.['result-code'], 'exchange-id' in json]).toEqual([401, '042', false]);
});

test.each([
  { amount: '184' },
  { amount: '1.005' },
  { amount: '0.00' },
  { type: 'VOID' },
  { 'software-type': undefined },
])('a body with %o is rejected before anything is attempted', async (fields) => {
  const order = uniqueName('order');
  const { status, json } = await world.sale(await world.jwt(), { ...fields, 'order-id': order });
  expect([status, json.payload.error?.['result-code']]).toEqual([400, '041']);
  expect(await world.charges(`order_id=${order}`)).toEqual([]);
});

test('lookups list by order id, return 204 for no match, and include other terminals only at merchant level', async () => {
  const order = uniqueName('order');
  await world.sale(await world.jwt(), { 'order-id': order });
  const path = `/rest/v2/transactions?order-id=${order}`;
  const list = await world.gateway(path);
  expect(list.json.payload.transactions?.transaction).toHaveLength(1);
  expect(list.json.page).toMatchObject({ 'total-elements': 1, last: true });
  expect((await world.gateway(path, frontDesk.apiKey)).status).toBe(204);
  expect((await world.gateway(`${path}&level=merchant`, frontDesk.apiKey)).status).toBe(200);
  const noMatch = await world.gateway(`/rest/v2/transactions?order-id=${uniqueName('order')}`);
  expect([noMatch.status, noMatch.text]).toEqual([204, '']);
});

test('the detail has booleans as text and only the last card digits, and lookups pad the batch id', async () => {
  const sale = await world.sale(await world.jwt(), {});
  const { id, 'batch-string-id': batch } = sale.json.payload.transaction ?? {};
  const detail = (await world.gateway(`/rest/v2/transactions?id=${id}`)).json.payload.transaction;
  expect(detail).toMatchObject({ id, voided: 'false', pending: 'true', card: '1111', status: 'Approved' });
  expect(detail?.['batch-string-id']).toBe(String(batch).padStart(6, '0'));
});

const followUp = (body: Record<string, string>) =>
  world.post<Envelope>('/rest/v2/transactions', body, { 'api-key': online.apiKey });

test('a sale can be voided once while its batch is open, and refunded up to its amount', async () => {
  const sell = async () =>
    String((await world.sale(await world.jwt(), { amount: '50.00' })).json.payload.transaction?.id);
  const voidedId = await sell();
  expect((await followUp({ type: 'VOID', id: voidedId })).json.payload.transaction).toMatchObject({
    type: 'VOID',
    'ref-id': voidedId,
  });
  expect((await followUp({ type: 'VOID', id: voidedId })).json.payload.error?.['result-code']).toBe('024');
  const refundedId = await sell();
  expect((await followUp({ type: 'REFUND', id: refundedId, amount: '30.00' })).status).toBe(200);
  expect(
    (await followUp({ type: 'REFUND', id: refundedId, amount: '20.01' })).json.payload.error?.['result-code'],
  ).toBe('025');
  expect((await followUp({ type: 'REFUND', id: refundedId, amount: '20.00' })).status).toBe(200);
  expect((await followUp({ type: 'REFUND', id: '1', amount: '1.00' })).json.payload.error?.['result-code']).toBe('027');
});

test('a keyed sale is refused, because card numbers must not come from the product’s server', async () => {
  expect((await followUp({ type: 'SALE', amount: '5.00', card: CARD.approved })).status).toBe(400);
});

test('a bank debit is accepted as pending, settles on the sandbox clock, and can be returned', async () => {
  const debit = async (account: string) => {
    const body = {
      'routing-number': '063100277',
      'account-number': account,
      'account-type': 'Checking',
      'individual-name': 'Jo Doe',
    };
    const token = await world.post<Envelope>('/rest/v2/mobilejwt/ach', body, { 'public-key': online.publicKey });
    const headers = { 'api-key': online.apiKey, achmobilejwt: token.json.payload['mobile-jwt']?.jwt ?? '' };
    const answer = await world.post<Envelope>(
      '/rest/v2/ach/mobile/transactions/debit',
      { type: 'DEBIT', amount: '20.00', 'individual-name': 'Jo Doe', 'order-id': uniqueName('order') },
      headers,
    );
    expect([answer.status, answer.json.payload.transaction?.status]).toEqual([200, 'Pending']);
    return String(answer.json.payload.transaction?.id);
  };
  const [settledId, returnedId] = [await debit('1234567890'), await debit('1234567801')];
  const findDebit = async (id: string) =>
    (await world.gateway(`/rest/v2/ach/transactions?id=${id}`)).json.payload['ach-transactions']?.[
      'ach-transaction'
    ][0];
  await world.control('clock', { add_s: 2 * 3600 });
  expect((await findDebit(settledId))?.status).toBe('Settling');
  await world.control('clock', { add_s: 48 * 3600 });
  expect(await findDebit(settledId)).toMatchObject({ status: 'Settled', 'settled-date': expect.any(String) });
  expect(await findDebit(returnedId)).toMatchObject({ status: 'Returned', 'returned-code': 'R01' });
});

test('a bank debit uses either of the vendor’s response names and keeps the given fields', async () => {
  const bank = {
    'routing-number': '063100277',
    'account-number': '1234567890',
    'account-type': 'Savings',
    'individual-name': 'Jo Doe',
  };
  await world.control('settings', { ach_replies: 'ach-transaction' });
  try {
    const token = await world.post<Envelope>('/rest/v2/mobilejwt/ach', bank, { 'public-key': online.publicKey });
    expect(token.json.payload['mobile-jwt']).toMatchObject({ 'account-type': 'Savings' });
    const extra = { 'account-type': 'Savings', 'standard-entry-class-code': 'WEB', 'individual-name': 'Jo Doe' };
    const { status, json } = await world.post<{ payload: Record<string, unknown> }>(
      '/rest/v2/ach/mobile/transactions/debit',
      { type: 'DEBIT', amount: '20.00', 'order-id': uniqueName('order'), ...extra },
      { 'api-key': online.apiKey, achmobilejwt: token.json.payload['mobile-jwt']?.jwt ?? '' },
    );
    expect([status, json.payload]).toMatchObject([
      200,
      { payloadType: 'ach-transaction', 'ach-transaction': { status: 'Pending', 'account-number': '7890', ...extra } },
    ]);
    expect(json.payload).not.toHaveProperty('transaction');
  } finally {
    await world.control('settings', { ach_replies: 'transaction' });
  }
});

test('a terminal reports its channel, and an unknown gateway call returns 404', async () => {
  type Settings = { payload: { 'terminal-settings': Record<string, string> } };
  expect((await world.gateway<Settings>('/rest/v2/settings/terminal')).json.payload['terminal-settings']).toMatchObject(
    { 'commerce-type': 'ECOMMERCE', 'terminal-id': online.terminalId },
  );
  expect((await world.gateway('/rest/v2/nothing')).status).toBe(404);
});
