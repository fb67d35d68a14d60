import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { type HubCredentials, mailApiKey } from '#sandbox/credentials';
import { type Charge, dental, online, physio, startSandbox, uniqueName } from './start.ts';

const KEY = `Bearer ${mailApiKey}`;

const world = await startSandbox();
beforeEach(() => world.call('/_sandbox/faults', { method: 'DELETE' }));

/** Makes a sale under a fault. Returns the answer and the number of charges afterwards. */
async function sellUnderFault(fault: Record<string, unknown>) {
  const order = uniqueName('order');
  const jwt = await world.jwt();
  await world.control('faults', { on: 'gateway', ...fault });
  const answer = await world.sale(jwt, { 'order-id': order, amount: '20.00' }).catch(() => null);
  return { answer, recorded: (await world.charges(`order_id=${order}`)).length };
}

test.each([
  ['drop-before', 0],
  ['drop-after', 1],
])('%s cuts the connection and leaves %i charge', async (kind, charges) => {
  const { answer, recorded } = await sellUnderFault({ do: kind });
  expect([answer, recorded]).toEqual([null, charges]);
});

test.each([
  ['500', 500, 0],
  ['html-502', 502, 0],
  ['429', 429, 0],
  ['401-expired', 401, 0],
  ['500-after', 500, 1],
  ['html-after', 502, 1],
])('%s returns %i and leaves %i charge', async (kind, status, charges) => {
  const { answer, recorded } = await sellUnderFault({ do: kind });
  expect([answer?.status, recorded]).toEqual([status, charges]);
  expect(answer?.headers.get('content-type')?.includes('html')).toBe(kind.startsWith('html'));
});

test('bad-json returns 200 with a truncated body, and the charge exists', async () => {
  const { answer, recorded } = await sellUnderFault({ do: 'bad-json' });
  expect([answer?.status, recorded]).toEqual([200, 1]);
  expect(() => JSON.parse(answer?.text ?? '')).toThrow();
});

test('wrong-amount falsifies only the answer, not the recorded amount', async () => {
  const { answer, recorded } = await sellUnderFault({ do: 'wrong-amount' });
  expect([answer?.json.payload.transaction?.amount, recorded]).toEqual(['21.00', 1]);
  const id = answer?.json.payload.transaction?.id;
  expect((await world.gateway(`/rest/v2/transactions?id=${id}`)).json.payload.transaction?.amount).toBe('20.00');
});

test.each(['late', 'delay'])('%s charges even after the caller has disconnected', async (kind) => {
  const order = uniqueName('order');
  const jwt = await world.jwt();
  await world.control('faults', { on: 'gateway', do: kind, ms: 250 });
  const abortController = new AbortController();
  const call = world.call('/rest/v2/mobile/transactions/sale', {
    method: 'POST',
    signal: abortController.signal,
    headers: { 'api-key': online.apiKey, mobilejwt: jwt, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'SALE',
      amount: '20.00',
      'order-id': order,
      'software-type': 't',
      'software-type-version': '1',
    }),
  });
  while ((await world.get<unknown[]>('/_sandbox/faults')).json.length > 0);
  abortController.abort();
  await expect(call).rejects.toThrow();
  expect(await world.charges(`order_id=${order}`)).toEqual([]);
  while ((await world.charges(`order_id=${order}`)).length === 0);
});

test('redirect sends the caller to another port and records nothing', async () => {
  const visits: string[] = [];
  const target = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  const { answer, recorded } = await sellUnderFault({ do: 'redirect', to });
  expect([answer?.status, answer?.headers.get('location'), recorded]).toEqual([
    302,
    `${to}/rest/v2/mobile/transactions/sale`,
    0,
  ]);
  expect(visits).toEqual([]);
  await new Promise((resolve) => target.close(resolve));
});

test('search-lag hides new records from lookups until the clock has advanced past the lag', async () => {
  const order = uniqueName('order');
  await world.sale(await world.jwt(), { 'order-id': order });
  const [invoice] = (await world.control<{ ids: string[] }>('hubs/1/invoices', { number: uniqueName('LAG') })).ids;
  const crm = await world.crm(dental);
  const lookUp = async () => {
    const search = await crm.post<{ total: number }>('/crm/objects/2026-09/invoices/search', {
      filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'EQ', value: invoice }] }],
    });
    return [(await world.gateway(`/rest/v2/transactions?order-id=${order}`)).status, search.json.total];
  };
  await world.control('faults', { on: 'gateway', do: 'search-lag', ms: 60_000 });
  await world.control('faults', { on: 'crm', do: 'search-lag', ms: 60_000 });
  expect(await lookUp()).toEqual([204, 0]);
  await world.control('clock', { add_s: 61 });
  expect(await lookUp()).toEqual([200, 1]);
});

test('a fault occurs as often as configured, and only on its path', async () => {
  await world.control('faults', { on: '/rest/v2/settings', do: '500', times: 2 });
  const statuses = [];
  for (const path of [
    '/rest/v2/transactions?id=1',
    '/rest/v2/settings/terminal',
    '/rest/v2/settings/terminal',
    '/rest/v2/settings/terminal',
  ])
    statuses.push((await world.gateway(path)).status);
  expect(statuses).toEqual([204, 500, 500, 200]);
});

test('a gateway fault skips lookups and the payer’s browser, and hits the next recording call', async () => {
  await world.control('faults', { on: 'gateway', do: 'drop-after' });
  await world.gateway('/rest/v2/transactions?id=1');
  const jwt = await world.jwt();
  await expect(world.sale(jwt, {})).rejects.toThrow();
});

test('an expired CRM token gets the CRM’s own error, and mail faults affect only mail', async () => {
  await world.control('faults', { on: 'crm', do: '401-expired' });
  await world.control('faults', { on: 'mail', do: '500' });
  const crm = await world.crm(dental);
  expect((await crm.get<{ category: string }>('/crm/objects/2026-09/invoices')).json.category).toBe(
    'EXPIRED_AUTHENTICATION',
  );
  expect((await crm.get('/crm/objects/2026-09/invoices')).status).toBe(200);
  expect((await world.post('/emails', {})).status).toBe(500);
  expect((await world.post('/emails', {})).status).toBe(401);
});

test('webhook faults wait for a webhook and affect no call, and an unknown fault is rejected', async () => {
  await world.control('faults', { on: 'gateway', do: 'webhook-drop' });
  expect((await world.gateway('/rest/v2/settings/terminal')).status).toBe(200);
  expect((await world.get<unknown[]>('/_sandbox/faults')).json).toHaveLength(1);
  expect((await world.post('/_sandbox/faults', { on: 'gateway', do: 'explode' })).status).toBe(400);
});

test('a fault of one account affects only its CRM calls, logins and emails', async () => {
  const contact = { firstname: 'Ada', lastname: 'Berg', email: `${uniqueName('ada')}@payer.example` };
  await world.control(`hubs/${physio.hubId}/invoices`, { amount: '20.00', contact });
  const crm = { dental: await world.crm(dental), physio: await world.crm(physio) };
  const sendMailTo = (to: string) =>
    world.post('/emails', { from: 'Tillway <a@b.example>', to, subject: 's', text: 't' }, { authorization: KEY });
  const refresh = async ({ refreshToken }: HubCredentials) =>
    (await world.token({ grant_type: 'refresh_token', refresh_token: refreshToken })).status;

  for (const on of ['crm', 'crm', 'mail']) await world.control('faults', { on, do: '500', account: physio.hubId });
  expect((await crm.dental.get('/crm/objects/2026-09/invoices')).status).toBe(200);
  expect((await crm.physio.get('/crm/objects/2026-09/invoices')).status).toBe(500);
  expect([await refresh(dental), await refresh(physio), await refresh(physio)]).toEqual([200, 500, 200]);
  expect((await sendMailTo('somebody@else.example')).status).toBe(200);
  expect((await sendMailTo(contact.email)).status).toBe(500);
});

test('a fault of one account affects only its terminals’ calls, and is cleared separately', async () => {
  await world.control('faults', { on: 'gateway', do: '500', account: physio.hubId });
  await world.control('faults', { on: 'gateway', do: '429', account: dental.hubId });
  const { status } = await world.sale(await world.jwt(), { 'order-id': uniqueName('order'), amount: '20.00' });
  expect(status).toBe(429);
  await world.control('faults', { on: '/rest/v2/mobilejwt', do: '500', account: dental.hubId });
  expect((await world.cardToken('4111111111111111')).status).toBe(500);
  await world.control('faults', { on: 'gateway', do: 'search-lag', ms: 60_000 });
  expect((await world.call<unknown[]>(`/_sandbox/faults?account=${physio.hubId}`, { method: 'DELETE' })).json).toEqual([
    { on: 'gateway', do: 'search-lag', ms: 60_000, times: null },
  ]);
  expect((await world.post('/_sandbox/faults', { on: 'crm', do: '500', account: 7 })).status).toBe(400);
});

test('webhook faults of one account do not affect another account’s webhooks', async () => {
  await world.control('faults', { on: 'gateway', do: 'webhook-drop', account: physio.hubId });
  await world.sale(await world.jwt(), { 'order-id': uniqueName('order'), amount: '20.00' });
  const [charge] = (await world.get<Charge[]>('/_sandbox/charges')).json.slice(-1);
  await expect
    .poll(async () => (await world.get<{ attempts: { outcome: string }[] }[]>(`/_sandbox/webhooks/${charge?.id}`)).json)
    .toMatchObject([{ attempts: [{ outcome: expect.not.stringMatching('dropped') }] }]);
});
