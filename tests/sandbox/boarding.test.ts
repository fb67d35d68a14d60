import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { boarding, merchantIds, pendingMerchant } from '#sandbox/credentials';
import { CARD, dental, type Envelope, physio, startSandbox, uniqueName, vet } from './start.ts';

type Terminal = { apiKey: string; publicKey: string; name: string };
type Hook = { event: string; merchantId: string; payload: { terminals?: Terminal[] } };
type Application = {
  merchant_number: string;
  hub_id: number | null;
  status: string;
  application_url: string;
  terminals: { terminal_id: string; name: string }[];
  webhooks: { event: string; attempts: { outcome: string }[] }[];
};
type ApplicationReply = {
  metadata: { timestamp: string };
  merchant: { merchantInformation: { merchantNumber: string } };
  applicationURL: string;
};
type State = { terminals: { terminal_id: string; hub_id: number | null }[] };

/** Stands in for the product: records the webhooks that it receives and answers with `status`. */
const received: Hook[] = [];
let status = 200;
const product = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.url === '/hook') received.push(JSON.parse(body));
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
afterAll(() => product.close());
const hook = `http://127.0.0.1:${(product.address() as AddressInfo).port}/hook`;

const world = await startSandbox();
beforeEach(async () => {
  received.length = 0;
  status = 200;
  await world.call('/_sandbox/faults', { method: 'DELETE' });
  await world.control('settings', { webhook_urls: { boarding: hook } });
});

const path = `/api/launchIntegratorSetup/v1.0/integrateMerchant/${boarding.hierarchyNodeKey}`;
const applicant = (dbaName = uniqueName('Shop'), emailAddress = `${uniqueName('owner')}@shop.example`) => ({
  merchantInformation: { dbaName, emailAddress },
  salesProfile: { mccCode: '8021' },
});
const apply = (body: unknown = applicant(), accesskey: string = boarding.accessKey, to = path) =>
  world.post<ApplicationReply>(to, body, { accesskey });
const applyAs = async (...args: [string?, string?]) =>
  (await apply(applicant(...args))).json.merchant.merchantInformation.merchantNumber;
const decide = (number: string, action: string) => world.control<Application>(`applications/${number}`, { do: action });
const find = async (number: string) =>
  (await world.get<Application[]>('/_sandbox/applications')).json.find((entry) => entry.merchant_number === number);
const outcomes = async (number: string) =>
  (await find(number))?.webhooks.map((entry) => entry.attempts.map((attempt) => attempt.outcome));

test('an application gets a 16-digit number and an address, and its link is mailed', async () => {
  const body = applicant('Zoë & Søn', 'zoe@shop.example');
  const { status: code, json } = await apply(body);
  expect(code).toBe(201);
  const { merchantNumber } = json.merchant.merchantInformation;
  expect(merchantNumber).toMatch(/^\d{16}$/);
  expect(Date.parse(json.metadata.timestamp)).not.toBeNaN();
  const [mail] = (await world.get<{ text: string; html: string }[]>('/_sandbox/mail?to=zoe@shop.example')).json;
  expect(mail?.text).toContain(json.applicationURL);
  expect(mail?.html).toContain('Zoë &amp; Søn');
  const page = await world.get(json.applicationURL.slice(world.url.length));
  expect([page.status, page.text.includes('Zoë &amp; Søn'), page.text.includes(merchantNumber)]).toEqual([
    200,
    true,
    true,
  ]);
});

test('every call creates a new application', async () => {
  const body = applicant();
  const numbers = [await apply(body), await apply(body)].map(
    ({ json }) => json.merchant.merchantInformation.merchantNumber,
  );
  expect(new Set(numbers).size).toBe(2);
});

test.each([
  [
    'a missing name',
    { ...applicant(), merchantInformation: { emailAddress: 'a@b.example' } },
    'merchantInformation.dbaName',
  ],
  ['a bad address', applicant('Shop', 'nobody'), 'merchantInformation.emailAddress'],
  ['a missing category', { ...applicant(), salesProfile: {} }, 'salesProfile.mccCode'],
  ['no profile', { merchantInformation: applicant().merchantInformation }, 'salesProfile'],
])('%s returns a 400 that names the field, and nothing is saved', async (_, body, field) => {
  const countBefore = (await world.get<unknown[]>('/_sandbox/applications')).json.length;
  const answer = await apply(body);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  expect(answer.json).toMatchObject({ status: 400, errors: { [field]: [expect.any(String)] } });
  expect((await world.get<unknown[]>('/_sandbox/applications')).json).toHaveLength(countBefore);
});

test('a wrong key returns 401, a foreign node 403, and the other spelling of the category is accepted', async () => {
  expect((await apply(applicant(), 'wrong')).status).toBe(401);
  expect((await world.post(path, applicant())).status).toBe(401);
  expect((await apply(applicant(), boarding.accessKey, `${path}x`)).status).toBe(403);
  expect((await apply({ ...applicant(), salesProfile: { MccCode: '0742' } })).status).toBe(201);
});

test('gateway faults affect boarding too: an application cut off after recording exists', async () => {
  const body = applicant(uniqueName('Cut'), 'cut@shop.example');
  await world.control('faults', { on: 'gateway', do: 'drop-after' });
  await expect(apply(body)).rejects.toThrow();
  expect((await world.get<unknown[]>('/_sandbox/mail?to=cut@shop.example')).json).toHaveLength(1);
  await world.control('faults', { on: '/api/launchIntegratorSetup', do: '500' });
  expect((await apply()).status).toBe(500);
});

test.each([
  ['sign', 'Signed'],
  ['pend', 'Pended'],
  ['review', 'Manual Review'],
  ['approve', 'Approved'],
  ['decline', 'Declined'],
])('%s sends the product %s with an empty payload', async (action, event) => {
  const number = await applyAs();
  expect(await decide(number, action)).toMatchObject({ status: event, terminals: [] });
  expect(received).toEqual([{ event, merchantId: number, payload: {} }]);
});

test('boarding creates three terminals once, with keys that work for a sale', async () => {
  const number = await applyAs(undefined, `noor@${physio.domain}`);
  const { terminals } = await decide(number, 'board');
  const delivered = received[0]?.payload.terminals ?? [];
  expect(delivered.map(({ name }) => name)).toEqual(['Front desk 1', 'Front desk 2', 'Online payments']);
  for (const { publicKey, apiKey } of delivered) {
    expect(publicKey).toMatch(/^307a3014[0-9a-f]{240}$/);
    expect(apiKey).toMatch(/^[0-9a-f]{32}$/);
  }
  const settings = await Promise.all(
    delivered.map(async ({ apiKey }) => {
      const { json } = await world.gateway<{ payload: { 'terminal-settings': Record<string, string> } }>(
        '/rest/v2/settings/terminal',
        apiKey,
      );
      return json.payload['terminal-settings'];
    }),
  );
  expect(settings.map((row) => row['commerce-type'])).toEqual(['RETAIL', 'RETAIL', 'ECOMMERCE']);
  expect(settings.map((row) => row['terminal-id'])).toEqual(terminals.map((row) => row.terminal_id));
  expect(settings[0]).toMatchObject({ 'merchant-id': number, 'business-phone': expect.any(String) });

  const [, , online] = delivered as [Terminal, Terminal, Terminal];
  const sale = await world.sale(await world.jwt(CARD.approved, online.publicKey), { amount: '20.00' }, online.apiKey);
  expect(sale.status).toBe(200);
  const foreignSale = await world.sale(await world.jwt(), { amount: '20.00' }, online.apiKey);
  expect((foreignSale.json as Envelope).status).toBe('fail');

  await decide(number, 'board');
  expect(received[1]).toEqual(received[0]);
  const { json } = await world.get<State>('/_sandbox/state');
  const ids = terminals.map(({ terminal_id }) => terminal_id);
  expect(json.terminals.filter((row) => ids.includes(row.terminal_id)).map((row) => row.hub_id)).toEqual(
    Array(3).fill(physio.hubId),
  );
});

test('a merchant without a known account has terminals without an account', async () => {
  const { terminals } = await decide(await applyAs(), 'board');
  const { json } = await world.get<State>('/_sandbox/state');
  expect(json.terminals.find((row) => row.terminal_id === terminals[0]?.terminal_id)?.hub_id).toBeNull();
});

test('account 1 is boarded and account 3 has applied from the start', async () => {
  expect(await find(merchantIds[dental.hubId] ?? '')).toMatchObject({ status: 'Boarded', hub_id: dental.hubId });
  const application = await find(pendingMerchant.merchantNumber);
  expect(application).toMatchObject({ status: 'Applied', hub_id: vet.hubId, terminals: [], webhooks: [] });
  expect(application?.application_url).toBe(world.url + pendingMerchant.applicationPath);
  expect((await world.get(pendingMerchant.applicationPath)).status).toBe(200);
});

test('the buttons of the application page take the same actions and return to the page', async () => {
  const { json } = await apply();
  const address = json.applicationURL.slice(world.url.length);
  const page = await world.get(address);
  for (const label of ['Sign', 'Pend', 'Manual review', 'Approve', 'Decline', 'Board'])
    expect(page.text).toContain(`>${label}</button>`);
  const press = (action: string, headers: Record<string, string> = {}) =>
    world.call(address, { method: 'POST', body: new URLSearchParams({ do: action }), headers });
  const answer = await press('pend');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, address]);
  expect(received.map(({ event }) => event)).toEqual(['Pended']);
  expect((await world.get(address)).text).toContain('delivered (200)');
  expect((await press('explode')).status).toBe(400);
  expect((await press('board', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await world.get('/onboarding/applications/nobody')).status).toBe(404);
});

test('webhook-drop keeps the webhook from the product', async () => {
  const number = await applyAs();
  await world.control('faults', { on: 'gateway', do: 'webhook-drop' });
  await decide(number, 'approve');
  await decide(number, 'decline');
  expect(received.map(({ event }) => event)).toEqual(['Declined']);
  expect(await outcomes(number)).toEqual([['dropped'], ['200']]);
});

test('webhook-twice delivers the webhook twice', async () => {
  const number = await applyAs();
  await world.control('faults', { on: path, do: 'webhook-twice' });
  await decide(number, 'board');
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
});

test('webhook-late lets a later webhook overtake it', async () => {
  const number = await applyAs();
  await world.control('faults', { on: '/hook', do: 'webhook-late', ms: 150 });
  await decide(number, 'pend');
  await decide(number, 'approve');
  expect(received.map(({ event }) => event)).toEqual(['Approved']);
  await vi.waitFor(() => expect(received.map(({ event }) => event)).toEqual(['Approved', 'Pended']));
});

test('a boarding webhook is attempted up to three times until one attempt succeeds', async () => {
  const number = await applyAs();
  status = 503;
  await decide(number, 'pend');
  await vi.waitFor(async () => expect(await outcomes(number)).toEqual([['503', '503', '503']]), 5000);
  await decide(number, 'approve');
  status = 204;
  await vi.waitFor(async () => expect((await outcomes(number))?.[1]).toEqual(['503', '204']), 5000);
  expect(received).toHaveLength(5);
});

test('webhooks go to the product’s secret address by default, and an unreachable product breaks nothing', async () => {
  const sandbox = await startSandbox(onTestFinished);
  const answer = await sandbox.control<{ webhook_urls: object }>('settings', { auto_tap: true });
  expect(answer.webhook_urls).toEqual({ boarding: null, transactions: null, mail: null });
  const page = await sandbox.get(pendingMerchant.applicationPath);
  expect(page.text).toContain(`http://localhost:8787/api/webhooks/boarding/${boarding.webhookSecret}`);
  await sandbox.control('settings', { webhook_urls: { boarding: 'http://127.0.0.1:1/nobody' } });
  const reply = await sandbox.control<Application>(`applications/${pendingMerchant.merchantNumber}`, { do: 'approve' });
  expect(reply.webhooks[0]?.attempts[0]?.outcome).toBe('no answer');
});

test('an unknown merchant or action is rejected', async () => {
  expect((await world.post('/_sandbox/applications/1', { do: 'sign' })).status).toBe(400);
  const address = `/_sandbox/applications/${pendingMerchant.merchantNumber}`;
  expect((await world.post(address, { do: 'explode' })).status).toBe(400);
});

test('reset restores the seeded applications and never reuses a number or terminal id', async () => {
  const sandbox = await startSandbox(onTestFinished);
  const boardMerchant = async () => {
    await sandbox.control('settings', { webhook_urls: { boarding: hook } });
    const { json } = await sandbox.post<ApplicationReply>(path, applicant(), { accesskey: boarding.accessKey });
    const number = json.merchant.merchantInformation.merchantNumber;
    const { terminals } = await sandbox.control<Application>(`applications/${number}`, { do: 'board' });
    return [number, ...terminals.map((row) => row.terminal_id)];
  };
  const idsBefore = await boardMerchant();
  await sandbox.control(`applications/${pendingMerchant.merchantNumber}`, { do: 'board' });
  await sandbox.control('reset', {});
  const seeded = (await sandbox.get<Application[]>('/_sandbox/applications')).json;
  expect(seeded.map((row) => [row.status, row.terminals.length, row.webhooks.length])).toEqual([
    ['Boarded', 3, 0],
    ['Applied', 0, 0],
  ]);
  const idsAfter = await boardMerchant();
  expect(new Set([...idsBefore, ...idsAfter]).size).toBe(8);
  const ids = (await sandbox.get<State>('/_sandbox/state')).json.terminals.map((row) => row.terminal_id);
  expect(new Set(ids).size).toBe(6);
});
