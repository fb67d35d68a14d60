import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '#sandbox/index';
import { listenSandbox } from '#sandbox/listen';
import { dental, frontDesk, physio, startSandbox } from './start.ts';

type State = {
  hubs: { hub_id: number; name: string; invoices: number; users: { role: string }[] }[];
  terminals: { name: string; online: boolean }[];
  charges: number;
  mail: number;
};
type Invoice = {
  id: string;
  properties: Record<string, string>;
  associations: Record<string, { results: { id: string }[] }>;
};

const world = await startSandbox();
const state = async () => (await world.get<State>('/_sandbox/state')).json;

test('the state lists accounts in order, admins first, and the devices of the boarded account', async () => {
  const { hubs, terminals } = await state();
  expect(hubs.map((hub) => hub.name)).toEqual(['Maple Street Dental', 'Harbor Physio', 'Cedar Vet Clinic']);
  expect(hubs.every((hub) => hub.users[0]?.role === 'admin' && hub.users[1]?.role === 'staff')).toBe(true);
  expect(terminals).toHaveLength(3);
});

test('an invoice is created as described, with contact, company and line items', async () => {
  const fields = {
    number: 'ONE-1',
    amount: '71.10',
    due_date: '2030-02-03',
    contact: { firstname: 'Zoë', lastname: 'Quill', email: 'zoe@example.com' },
    company: { name: 'Quill & Co', city: 'Carmel' },
    line_items: [{ name: 'Visit', price: '71.10', quantity: '1' }],
  };
  const created = await world.post<{ ids: string[] }>(`/_sandbox/hubs/${dental.hubId}/invoices`, fields);
  const crm = await world.crm(dental);
  const invoice = await crm.get<Invoice>(
    `/crm/objects/2026-09/invoices/${created.json.ids[0]}?properties=hs_number,hs_balance_due,hs_due_date,hs_invoice_status&associations=contacts,companies,line_items`,
  );
  expect(invoice.json.properties).toMatchObject({
    hs_number: 'ONE-1',
    hs_balance_due: '71.10',
    hs_due_date: '2030-02-03T00:00:00Z',
    hs_invoice_status: 'open',
  });
  const contact = await crm.get<Invoice>(
    `/crm/objects/2026-09/contacts/${invoice.json.associations.contacts?.results[0]?.id}?properties=firstname,email`,
  );
  expect(contact.json.properties).toMatchObject({ firstname: 'Zoë', email: 'zoe@example.com' });
  const company = await crm.get<Invoice>(
    `/crm/objects/2026-09/companies/${invoice.json.associations.companies?.results[0]?.id}?properties=name`,
  );
  expect(company.json.properties.name).toBe('Quill & Co');
});

test('a null balance stays null, and an invoice can be edited as in the CRM', async () => {
  const { ids } = await world.control<{ ids: string[] }>('hubs/1/invoices', { amount: '10.00', balance: null });
  const crm = await world.crm(dental);
  const balance = async () =>
    (await crm.get<Invoice>(`/crm/objects/2026-09/invoices/${ids[0]}?properties=hs_balance_due`)).json.properties
      .hs_balance_due;
  expect(await balance()).toBeNull();
  await world.call(`/_sandbox/hubs/1/invoices/${ids[0]}`, {
    method: 'PATCH',
    body: JSON.stringify({ properties: { hs_balance_due: '7.77' } }),
  });
  expect(await balance()).toBe('7.77');
});

test('many invoices can be created at once, each with its own id', async () => {
  const countBefore = (await state()).hubs[1]?.invoices ?? 0;
  const { ids } = await world.control<{ ids: string[] }>('hubs/2/invoices', { count: 2500 });
  expect(new Set(ids).size).toBe(2500);
  expect((await state()).hubs[1]?.invoices).toBe(countBefore + 2500);
});

test('requests lists the calls without query, token or key', async () => {
  const access = await world.accessToken(dental);
  await world.get(`/oauth/v1/access-tokens/${access}`);
  await world.gateway('/rest/v2/transactions?order-id=secret-order');
  const log = (
    await world.get<{ at: string; method: string; path: string; status: number }[]>('/_sandbox/requests?since=0')
  ).json;
  expect(log).toContainEqual(expect.objectContaining({ method: 'GET', path: '/rest/v2/transactions', status: 204 }));
  expect(JSON.stringify(log)).not.toContain(access);
  expect(JSON.stringify(log)).not.toContain('secret-order');
  expect((await world.get<unknown[]>(`/_sandbox/requests?since=${Date.now() + 1000}`)).json).toEqual([]);
});

test('charges are found by the invoice number without its counter', async () => {
  await world.sale(await world.jwt(), { invoice: 'FIND-10-0' });
  await world.sale(await world.jwt(), { invoice: 'FIND-101-0' });
  await world.sale(await world.jwt(), { invoice: 'FIND-10-0-r1' });
  await world.sale(await world.jwt(), { invoice: 'FIND-10-X' });
  expect((await world.charges('invoice=FIND-10')).map((charge) => charge.invoice)).toEqual([
    'FIND-10-0',
    'FIND-10-0-r1',
  ]);
  expect(await world.charges('invoice=FIND-101')).toHaveLength(1);
});

test('each counter terminal starts with two closed batches and an open one, all with sales and a refund', async () => {
  const seeded = await (await startSandbox(onTestFinished)).charges('');
  const batches = Map.groupBy(seeded, (charge) => `${charge.terminal_id}/${charge.batch_id}`);
  expect(batches.size).toBe(6);
  for (const charges of batches.values())
    expect(charges.map(({ type }) => type)).toEqual([...charges.slice(1).map(() => 'SALE'), 'REFUND']);
  expect(seeded.every((charge) => charge.result === 'APPROVED' && Number(charge.amount) >= 1)).toBe(true);
});

test('reset restores the seeded world under unused ids and keeps grants', async () => {
  const fresh = await startSandbox(onTestFinished);
  const crm = await fresh.crm(dental);
  const listInvoiceIds = async () =>
    (await crm.get<{ results: { id: string }[] }>('/crm/objects/2026-09/invoices?limit=100')).json.results.map(
      (record) => Number(record.id),
    );
  const { ids } = await fresh.control<{ ids: string[] }>('hubs/1/invoices', {});
  const oldCharges = (await fresh.charges('')).map((charge) => Number(charge.id));
  await fresh.control('settings', { dedupe: 'none' });
  await fresh.control('faults', { on: 'crm', do: '500' });
  await fresh.control('clock', { add_s: 600 });
  await fresh.control('reset', {});
  expect(Math.min(...(await listInvoiceIds()))).toBeGreaterThan(Number(ids[0]));
  expect(Math.min(...(await fresh.charges('')).map((charge) => Number(charge.id)))).toBeGreaterThan(
    Math.max(...oldCharges),
  );
  const { hubs, charges, mail } = (await fresh.get<State>('/_sandbox/state')).json;
  expect([hubs[0]?.invoices, charges, mail]).toEqual([137, oldCharges.length, 0]);
});

test('reset sets the clock, and seeds the world of that time', async () => {
  const fresh = await startSandbox(onTestFinished);
  const at = Date.UTC(2026, 10, 27, 22);
  await fresh.control('reset', { at });
  const { now } = await fresh.control<{ now: string }>('clock', { add_s: 0 });
  expect(Date.parse(now) - at).toBeLessThan(60_000);
  const days = (await fresh.charges('')).map((charge) => charge.at.slice(0, 10)).sort();
  expect(days.at(-1)).toBe('2026-11-27');
});

test('settings of an account apply to its calls until they are deleted', async () => {
  const fresh = await startSandbox(onTestFinished);
  const isRotated = async (hub: typeof dental) => {
    const answer = await fresh.token({ grant_type: 'refresh_token', refresh_token: hub.writerRefreshToken });
    return answer.json.refresh_token !== hub.writerRefreshToken;
  };
  await fresh.control(`hubs/${physio.hubId}/settings`, { rotate_refresh: true });
  expect([await isRotated(dental), await isRotated(physio)]).toEqual([false, true]);

  await fresh.control('settings', { batch_close: 'failed' });
  await fresh.control('hubs/1/settings', { batch_close: 'pending' });
  const close = async () => (await fresh.put('/rest/v2/batches/open', frontDesk.apiKey)).json.payload.batch?.status;
  expect(await close()).toBe('PENDING');
  await fresh.call('/_sandbox/hubs/1/settings', { method: 'DELETE' });
  await fresh
    .terminalSale({ 'order-id': 'next', amount: '20.00' }, frontDesk, {
      signal: AbortSignal.timeout(200),
    })
    .catch(() => null);
  await fresh.touch('tap');
  expect((await fresh.put('/rest/v2/batches/open', frontDesk.apiKey)).status).toBe(500);
  expect((await fresh.post('/_sandbox/hubs/1/settings', { webhook_urls: {} })).status).toBe(400);
});

test('state in a file survives the end of the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const options = { file: join(folder, 'deep', 'sandbox.sqlite'), port: 0, productUrl: 'http://localhost:8787' };
  const first = await listenSandbox(options);
  const { ids } = (await (
    await fetch(`${first.url}/_sandbox/hubs/1/invoices`, { method: 'POST', body: '{"count":3}' })
  ).json()) as { ids: string[] };
  await first.close();
  const second = await listenSandbox(options);
  const { hubs } = (await (await fetch(`${second.url}/_sandbox/state`)).json()) as State;
  const next = (await (
    await fetch(`${second.url}/_sandbox/hubs/1/invoices`, { method: 'POST', body: '{"count":1}' })
  ).json()) as { ids: string[] };
  await second.close();
  rmSync(folder, { recursive: true });
  expect(hubs[0]?.invoices).toBe(140);
  expect(ids).not.toContain(next.ids[0]);
});

test('a port in use is rejected with its error code, and the other world is not affected', async () => {
  const { port } = new URL(world.url);
  await expect(listenSandbox({ file: ':memory:', port: Number(port), productUrl: '' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  expect((await world.get('/_sandbox/state')).status).toBe(200);
});

test('the sandbox refuses to start in production', () => {
  vi.stubEnv('NODE_ENV', 'production');
  expect(() => createSandbox({ file: ':memory:', publicUrl: '', productUrl: '' })).toThrow('production');
  vi.unstubAllEnvs();
});

test('only this machine can control the sandbox, and foreign host names and pages are rejected', async () => {
  const sandbox = createSandbox({ file: ':memory:', publicUrl: 'http://localhost:1', productUrl: '' });
  const requestState = async (headers: Record<string, string>) =>
    (await sandbox.app.request('http://localhost:1/_sandbox/state', { headers })).status;
  expect(await requestState({ host: 'localhost:1' })).toBe(200);
  expect(await requestState({ host: 'rebound.example' })).toBe(403);
  expect(await requestState({ host: 'localhost:1', origin: 'https://evil.example' })).toBe(403);
  sandbox.close();
});

test('the front page, everything it links to, and the provider script are served', async () => {
  const front = await world.get('/');
  expect(front.text).toContain('not HubSpot or Clearent');
  for (const [, path] of front.text.matchAll(/href="(\/[^"]*)"/g))
    expect([path, (await world.get(path ?? '')).status]).toEqual([path, 200]);
  expect((await world.get('/js-sdk/js/clearent-host.js')).headers.get('content-type')).toContain('javascript');
});

test('the operator webhook saves alerts unchanged and rejects invalid ones', async () => {
  const alert = {
    text: 'Mails wait.',
    event: 'mail-overdue',
    key: 'mail-overdue',
    n: 1,
    first_at: '2026-03-04T15:00:00.000Z',
    url: 'http://localhost:8787/operator',
  };
  expect((await world.post('/_sandbox/alerts', alert)).status).toBe(200);
  expect((await world.post('/_sandbox/alerts', { ...alert, payer: 'Marta' })).status).toBe(400);
  const { json } = await world.get<object[]>('/_sandbox/alerts');
  expect(json).toEqual([{ at: expect.any(String), ...alert }]);
});
