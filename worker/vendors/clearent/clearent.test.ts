import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankToken, cardToken, clearFaults, control, onlineTerminal, sandboxUrl } from '#tests/support/wire';
import type { ChargeRequest } from '../gateway-port.ts';
import { createClearent } from './clearent.ts';

const createGateway = (overrides: Partial<Parameters<typeof createClearent>[0]> = {}) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 5000,
    openApiKey: async () => onlineTerminal().apiKey,
    ...overrides,
  });
const terminal = { accountId: 1, terminalId: '70143', sealedApiKey: 'sealed' };
const SALE = '/rest/v2/mobile/transactions/sale';
const injectFault = (kind: string, target = SALE, overrides: object = {}) =>
  control('faults', { on: target, do: kind, ...overrides });

const makeRequest = async (overrides: Partial<ChargeRequest> = {}): Promise<ChargeRequest> => {
  const attemptId = crypto.randomUUID().replaceAll('-', '');
  return {
    terminal,
    attemptId,
    dedupeKey: `INV-${attemptId.slice(0, 8)}-1`,
    amountCents: 18_400,
    method: 'card',
    token: overrides.token ?? (await cardToken()),
    billing: {
      firstName: 'Marta',
      lastName: 'Núñez',
      address: '1 Elm St',
      address2: '',
      city: 'Carmel',
      state: 'IN',
      zip: '46032',
    },
    clientIp: '203.0.113.7',
    ...overrides,
  };
};
const chargesOnRecord = ({ attemptId }: ChargeRequest) =>
  control<{ result: string; amount: string; invoice: string }[]>(`charges?order_id=${attemptId}`);

afterEach(async () => {
  vi.unstubAllGlobals();
  await control('settings', { ach_replies: 'transaction' });
  await clearFaults();
});

describe('a charge', () => {
  it('returns all data for a receipt when approved, and is recorded once', async () => {
    const chargeRequest = await makeRequest();
    const outcome = await createGateway().charge(chargeRequest);
    expect(outcome).toMatchObject({
      kind: 'approved',
      exchangeId: expect.stringMatching(/^ID-/),
      txn: {
        id: expect.stringMatching(/^\d+$/),
        attemptId: chargeRequest.attemptId,
        dedupeKey: chargeRequest.dedupeKey,
        state: 'approved',
        amountCents: 18_400,
        brand: 'VISA',
        lastFour: '1111',
        result: 'APPROVED',
        feeCents: null,
      },
    });
    expect(JSON.stringify(outcome)).not.toContain('4111111111111111');
    expect(await chargesOnRecord(chargeRequest)).toMatchObject([
      { result: 'APPROVED', amount: '184.00', invoice: chargeRequest.dedupeKey },
    ]);
  });

  it.each([7, 109, 18_405, 1_000_000])('sends %i cents exactly, with two decimals', async (cents) => {
    const bodies: { amount: string }[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)) as { amount: string });
      return new Response(null, { status: 500 });
    });
    await createGateway().charge(await requestWithoutToken({ amountCents: cents }));
    expect(bodies[0]?.amount).toBe((cents / 100).toFixed(2));
  });

  it('returns the reason of a decline, and another card succeeds afterwards', async () => {
    const chargeRequest = await makeRequest({ token: await cardToken('4000000000000002') });
    const outcome = await createGateway().charge(chargeRequest);
    expect(outcome).toMatchObject({ kind: 'declined', message: 'Card declined', providerCode: expect.any(String) });
    expect((await createGateway().charge({ ...(await makeRequest()), dedupeKey: chargeRequest.dedupeKey })).kind).toBe(
      'approved',
    );
  });

  it('is rejected for a token that was used, made up or made for a bank account', async () => {
    const first = await makeRequest();
    await createGateway().charge(first);
    const again = await makeRequest({ token: first.token });
    for (const token of [first.token, 'a.b.c', await bankToken()]) {
      expect(await createGateway().charge({ ...again, token })).toMatchObject({ kind: 'rejected', reason: 'token' });
    }
    expect(await chargesOnRecord(again)).toEqual([]);
  });

  it('is never sent when its key cannot be decrypted, and is reported as rejected', async () => {
    const chargeRequest = await makeRequest();
    const sealed = createGateway({ openApiKey: () => Promise.reject(new Error('sealed')) });
    expect(await sealed.charge(chargeRequest)).toMatchObject({ kind: 'rejected', reason: 'credentials' });
    expect(await chargesOnRecord(chargeRequest)).toEqual([]);
  });

  it('is rejected because of its credentials if the key is unknown', async () => {
    const chargeRequest = await makeRequest();
    const stranger = createGateway({ openApiKey: async () => 'f'.repeat(32) });
    expect(await stranger.charge(chargeRequest)).toMatchObject({ kind: 'rejected', reason: 'credentials' });
    expect(await chargesOnRecord(chargeRequest)).toEqual([]);
  });

  it('is rejected as invalid when it breaks a rule of the gateway', async () => {
    expect(await createGateway().charge(await makeRequest({ amountCents: 0 }))).toMatchObject({
      kind: 'rejected',
      reason: 'validation',
    });
  });

  it.each([
    ['drop-before', 0],
    ['drop-after', 1],
    ['500', 0],
    ['500-after', 1],
    ['html-502', 0],
    ['html-after', 1],
    ['bad-json', 1],
    ['wrong-amount', 1],
    ['429', 0],
  ])('has an unknown outcome after %s, whether the card was charged (%i) or not', async (kind, charged) => {
    const chargeRequest = await makeRequest();
    await injectFault(kind);
    expect((await createGateway().charge(chargeRequest)).kind).toBe('unknown');
    expect(await chargesOnRecord(chargeRequest)).toHaveLength(charged);
  });

  it('has an unknown outcome after a timeout', async () => {
    await injectFault('delay', SALE, { ms: 60_000 });
    expect((await createGateway({ timeoutMs: 100 }).charge(await makeRequest())).kind).toBe('unknown');
  });

  it('does not follow a redirect, so that our key stays with the gateway', async () => {
    const chargeRequest = await makeRequest();
    await injectFault('redirect', SALE, { to: sandboxUrl() });
    expect((await createGateway().charge(chargeRequest)).kind).toBe('unknown');
    expect(await chargesOnRecord(chargeRequest)).toEqual([]);
  });

  it('does not take another attempt’s charge of the same invoice for its own', async () => {
    const first = await makeRequest();
    await createGateway().charge(first);
    const twin = await makeRequest({ dedupeKey: first.dedupeKey });
    expect((await createGateway().charge(twin)).kind).toBe('unknown');
    expect(await chargesOnRecord(twin)).toEqual([]);
  });

  it('is pending, never approved, for a bank account', async () => {
    const chargeRequest = await makeRequest({ method: 'ach', token: await bankToken() });
    expect(await createGateway().charge(chargeRequest)).toMatchObject({
      kind: 'pending',
      txn: { state: 'pending', amountCents: 18_400, attemptId: chargeRequest.attemptId },
    });
  });

  it.each(['transaction', 'ach-transaction'])('reads a bank payment under the name %s', async (name) => {
    await control('settings', { ach_replies: name });
    const method = 'ach' as const;
    const chargeRequest = await makeRequest({ method, token: await bankToken() });
    expect(await createGateway().charge(chargeRequest)).toMatchObject({
      kind: 'pending',
      txn: {
        attemptId: chargeRequest.attemptId,
        dedupeKey: chargeRequest.dedupeKey,
        amountCents: 18_400,
        lastFour: '6789',
      },
    });
    const refused = await makeRequest({ method, token: await bankToken(), amountCents: 99 });
    expect(await createGateway().charge(refused)).toMatchObject({
      kind: 'declined',
      txn: { attemptId: refused.attemptId },
    });
  });

  it('marks a bank payment as agreed on a website, with the account type if known', async () => {
    const recordedDebit = async (overrides: Partial<ChargeRequest>) => {
      const chargeRequest = await makeRequest({ method: 'ach', token: await bankToken(), ...overrides });
      await createGateway().charge(chargeRequest);
      const matches = await fetch(`${sandboxUrl()}/rest/v2/ach/transactions?order-id=${chargeRequest.attemptId}`, {
        headers: { 'api-key': onlineTerminal().apiKey },
      });
      const { payload } = await matches.json<{ payload: { 'ach-transactions': { 'ach-transaction': unknown[] } } }>();
      return payload['ach-transactions']['ach-transaction'][0];
    };
    expect(await recordedDebit({ accountType: 'Savings' })).toMatchObject({
      'standard-entry-class-code': 'WEB',
      'account-type': 'Savings',
    });
    expect(await recordedDebit({})).not.toHaveProperty('account-type');
  });

  type Txn = Record<string, unknown>;
  const approval = (chargeRequest: ChargeRequest): Txn => ({
    id: '77',
    amount: '184.00',
    type: 'SALE',
    result: 'APPROVED',
    'order-id': chargeRequest.attemptId,
    invoice: chargeRequest.dedupeKey,
  });
  it.each<[string, (chargeRequest: ChargeRequest) => Response]>([
    ['no id', (chargeRequest) => transactionResponse({ ...approval(chargeRequest), id: undefined })],
    ['an unknown result', (chargeRequest) => transactionResponse({ ...approval(chargeRequest), result: 'MAYBE' })],
    ['another amount', (chargeRequest) => transactionResponse({ ...approval(chargeRequest), amount: '184.01' })],
    ['no amount', (chargeRequest) => transactionResponse({ ...approval(chargeRequest), amount: undefined })],
    ['another attempt', (chargeRequest) => transactionResponse({ ...approval(chargeRequest), 'order-id': 'other' })],
    [
      'a decline under status 200',
      (chargeRequest) => transactionResponse({ ...approval(chargeRequest), result: 'DECLINED' }),
    ],
    ['XML', () => new Response('<xml/>', { headers: { 'content-type': 'text/xml' } })],
    ['204', () => new Response(null, { status: 204 })],
    ['a duplicate', () => Response.json({ payload: { error: { 'result-code': '032' } } }, { status: 402 })],
    ['402 whose transaction is approved', (chargeRequest) => contradiction(402, approval(chargeRequest))],
    [
      '402 whose transaction has only the code of an approval',
      (chargeRequest) => contradiction(402, bareTransaction(chargeRequest)),
    ],
    [
      '402 whose transaction was voided',
      (chargeRequest) => contradiction(402, { ...bareTransaction(chargeRequest), voided: 'true' }),
    ],
    ['400 whose transaction is approved', (chargeRequest) => contradiction(400, approval(chargeRequest))],
    ['401 whose transaction is approved', (chargeRequest) => contradiction(401, approval(chargeRequest))],
    ['400 without a body', () => new Response('', { status: 400 })],
    ['2 MB', () => new Response('x'.repeat(2_000_000))],
  ])('has an unknown outcome when answered with %s', async (_case, reply) => {
    const chargeRequest = await requestWithoutToken();
    vi.stubGlobal('fetch', async () => reply(chargeRequest));
    expect((await createGateway().charge(chargeRequest)).kind).toBe('unknown');
    vi.stubGlobal('fetch', async () => transactionResponse(approval(chargeRequest)));
    expect((await createGateway().charge(chargeRequest)).kind).toBe('approved');
  });
});

const contradiction = (status: number, transaction: Record<string, unknown>) =>
  Response.json({ payload: { error: { 'error-message': 'Declined', 'result-code': '018' }, transaction } }, { status });

const bareTransaction = (chargeRequest: ChargeRequest) => ({
  id: '9',
  'order-id': chargeRequest.attemptId,
  'result-code': '000',
});

const transactionResponse = (transaction: Record<string, unknown>) =>
  Response.json({ code: '200', 'exchange-id': 'x', payload: { payloadType: 'transaction', transaction } });

async function requestWithoutToken(overrides: Partial<ChargeRequest> = {}): Promise<ChargeRequest> {
  return makeRequest({ token: 'a.b.c', ...overrides });
}

describe('a gateway look-up', () => {
  it('finds a charge by our order id and by its invoice', async () => {
    const chargeRequest = await makeRequest();
    await createGateway().charge(chargeRequest);
    for (const searchKey of [{ attemptId: chargeRequest.attemptId }, { dedupeKey: chargeRequest.dedupeKey }]) {
      expect(await createGateway().find(terminal, 'card', searchKey)).toMatchObject([
        {
          attemptId: chargeRequest.attemptId,
          dedupeKey: chargeRequest.dedupeKey,
          state: 'approved',
          amountCents: 18_400,
          kind: 'SALE',
        },
      ]);
    }
  });

  it('finds a decline as a decline', async () => {
    const chargeRequest = await makeRequest({ token: await cardToken('4000000000000002') });
    await createGateway().charge(chargeRequest);
    expect(await createGateway().find(terminal, 'card', chargeRequest)).toMatchObject([{ state: 'declined' }]);
  });

  it('finds a bank payment as pending, settled and returned', async () => {
    const [settles, returns] = [
      await makeRequest({ method: 'ach', token: await bankToken() }),
      await makeRequest({ method: 'ach', token: await bankToken('000123456701') }),
    ];
    await createGateway().charge(settles);
    await createGateway().charge(returns);
    const readState = async (chargeRequest: ChargeRequest) => {
      const matches = await createGateway().find(terminal, 'ach', chargeRequest);
      return matches === 'unavailable' ? matches : matches[0]?.state;
    };
    expect([await readState(settles), await readState(returns)]).toEqual(['pending', 'pending']);
    await control('clock', { add_s: 49 * 3600 });
    try {
      expect([await readState(settles), await readState(returns)]).toEqual(['approved', 'returned']);
    } finally {
      await control('clock', { add_s: -49 * 3600 });
    }
  });

  it('returns an empty list when nothing is found, but unavailable when it fails', async () => {
    const searchKey = { attemptId: 'none-such' };
    expect(await createGateway().find(terminal, 'card', searchKey)).toEqual([]);
    expect(await createGateway({ openApiKey: async () => 'f'.repeat(32) }).find(terminal, 'card', searchKey)).toBe(
      'unavailable',
    );
    for (const kind of ['500', 'html-502', 'drop-before', '429', 'redirect']) {
      await injectFault(kind, '/rest/v2/transactions');
      expect(await createGateway().find(terminal, 'card', searchKey), kind).toBe('unavailable');
    }
    expect(await createGateway().find(terminal, 'card', searchKey)).toEqual([]);
  });

  it.each([
    ['the documented object', { transactions: { transaction: [{ id: '1', 'order-id': 'a', result: 'APPROVED' }] } }],
    ['a bare list', { transactions: [{ id: '1', 'order-id': 'a', result: 'APPROVED' }] }],
    ['one transaction', { transaction: { id: '1', 'order-id': 'a', result: 'APPROVED' } }],
    ['numbers for texts', { transactions: [{ id: 1, 'order-id': 'a', result: 'APPROVED', amount: 184 }] }],
  ])('reads %s', async (_case, payload) => {
    vi.stubGlobal('fetch', async () => Response.json({ payload }));
    expect(await createGateway().find(terminal, 'card', { attemptId: 'a' })).toMatchObject([
      { id: '1', state: 'approved' },
    ]);
  });
});

it('the browser receives the script’s address and no secret', () => {
  const { browser, displayName } = createGateway();
  expect(displayName).toBe('Clearent');
  expect(browser).toEqual({
    scriptUrl: `${sandboxUrl()}/js-sdk/js/clearent-host.js`,
    scriptObject: 'ClearentSDK',
    baseUrl: sandboxUrl(),
    origin: new URL(sandboxUrl()).origin,
    sandbox: true,
  });
});
