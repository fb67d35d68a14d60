import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearFaults, control, counterTerminal, onlineTerminal, sandboxUrl, touch } from '#tests/support/wire';
import type { TerminalSaleRequest } from '../gateway-port.ts';
import { createClearent } from './clearent.ts';

const createGateway = (overrides: Partial<Parameters<typeof createClearent>[0]> = {}) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 10_000,
    openApiKey: async () => counterTerminal().apiKey,
    ...overrides,
  });

const makeRequest = (overrides: Partial<TerminalSaleRequest> = {}): TerminalSaleRequest => {
  const attemptId = crypto.randomUUID().replaceAll('-', '');
  return {
    terminal: { accountId: 1, terminalId: counterTerminal().terminalId, sealedApiKey: 'sealed' },
    attemptId,
    dedupeKey: `INV-${attemptId.slice(0, 8)}-1`,
    amountCents: 18_400,
    customer: { firstName: 'Marta', lastName: 'Núñez' },
    ...overrides,
  };
};
const chargesOnRecord = ({ attemptId }: TerminalSaleRequest) =>
  control<{ result: string; amount: string; invoice: string }[]>(`charges?order_id=${attemptId}`);
const waitingSale = async () =>
  (await control<{ waiting: { order_id: string } | null }>(`terminals/${counterTerminal().terminalId}`)).waiting;

/** Starts a sale, and performs an action on the terminal once it waits for a card. */
async function sell(saleRequest: TerminalSaleRequest, action: string) {
  const outcome = createGateway().startTerminalSale(saleRequest);
  await expect.poll(waitingSale).toMatchObject({ order_id: saleRequest.attemptId });
  await touch(action);
  return outcome;
}

const changeSettings = (change: object) => control('settings', change);
beforeEach(() => changeSettings({ auto_tap: false, terminal_replies: 'bare', terminal_timeout_ms: 120_000 }));
afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
  await touch('offline');
  await touch('online');
  await changeSettings({ auto_tap: false, terminal_replies: 'bare', terminal_timeout_ms: 120_000 });
});

describe('a sale on a card reader', () => {
  it.each(['bare', 'full'])('is approved with all data for a receipt after a tap (%s reply)', async (replies) => {
    await changeSettings({ terminal_replies: replies });
    const saleRequest = makeRequest();
    expect(await sell(saleRequest, 'tap')).toMatchObject({
      kind: 'approved',
      exchangeId: expect.stringMatching(/^ID-/),
      txn: {
        id: expect.stringMatching(/^\d+$/),
        attemptId: saleRequest.attemptId,
        dedupeKey: saleRequest.dedupeKey,
        kind: 'SALE',
        state: 'approved',
        isVoided: false,
        amountCents: 18_400,
        brand: 'VISA',
        lastFour: '1111',
        terminalId: counterTerminal().terminalId,
        batchId: expect.stringMatching(/^[1-9]\d*$/),
        name: { first: 'Marta', last: 'Núñez' },
        createdAt: expect.any(Number),
      },
    });
    expect(await chargesOnRecord(saleRequest)).toMatchObject([
      { result: 'APPROVED', amount: '184.00', invoice: saleRequest.dedupeKey },
    ]);
  });

  it('reports a decline, and is recorded as a decline', async () => {
    const saleRequest = makeRequest();
    expect(await sell(saleRequest, 'decline')).toMatchObject({ kind: 'declined', message: 'Card declined' });
    expect(await chargesOnRecord(saleRequest)).toMatchObject([{ result: 'DECLINED' }]);
  });

  it('charges nothing when cancelled on the terminal or timed out', async () => {
    const [cancelled, timedOut] = [makeRequest(), makeRequest()];
    expect(await sell(cancelled, 'cancel')).toMatchObject({ kind: 'cancelled', message: 'Transaction cancelled' });
    await changeSettings({ terminal_timeout_ms: 20 });
    expect(await createGateway().startTerminalSale(timedOut)).toMatchObject({ kind: 'no-card-in-time' });
    for (const saleRequest of [cancelled, timedOut]) expect(await chargesOnRecord(saleRequest)).toEqual([]);
  });

  it('never starts on a busy or offline reader', async () => {
    const [first, second] = [makeRequest(), makeRequest()];
    const sale = createGateway().startTerminalSale(first);
    await expect.poll(waitingSale).not.toBeNull();
    expect(await createGateway().startTerminalSale(second)).toMatchObject({ kind: 'busy' });
    await touch('tap');
    expect((await sale).kind).toBe('approved');
    await touch('offline');
    expect(await createGateway().startTerminalSale(second)).toMatchObject({ kind: 'offline' });
    expect(await chargesOnRecord(second)).toEqual([]);
  });

  it('has an unknown outcome when the reader goes offline midway', async () => {
    expect(await sell(makeRequest(), 'offline')).toMatchObject({ kind: 'unknown' });
  });

  it('has an unknown outcome when the connection breaks, and is found by order id if charged', async () => {
    const saleRequest = makeRequest();
    expect(await sell(saleRequest, 'cut')).toMatchObject({ kind: 'unknown' });
    expect(await createGateway().find(saleRequest.terminal, 'card', saleRequest)).toEqual([]);
    await touch('tap');
    expect(await createGateway().find(saleRequest.terminal, 'card', saleRequest)).toMatchObject([
      { state: 'approved' },
    ]);
  });

  it('has an unknown outcome after our own time limit', async () => {
    const saleRequest = makeRequest();
    expect((await createGateway({ terminalTimeoutMs: 50 }).startTerminalSale(saleRequest)).kind).toBe('unknown');
    await touch('tap');
    expect(await chargesOnRecord(saleRequest)).toHaveLength(1);
  });

  it.each([
    ['drop-before', 0],
    ['drop-after', 1],
    ['500', 0],
    ['500-after', 1],
    ['html-502', 0],
    ['html-after', 1],
    ['bad-json', 1],
    ['xml', 1],
    ['429', 0],
    ['redirect', 0],
  ])('has an unknown outcome after %s, whether the card was charged (%i) or not', async (kind, charged) => {
    await changeSettings({ auto_tap: true });
    const saleRequest = makeRequest();
    await control('faults', { on: 'terminal', do: kind });
    expect((await createGateway().startTerminalSale(saleRequest)).kind).toBe('unknown');
    expect(await chargesOnRecord(saleRequest)).toHaveLength(charged);
  });

  it('has an unknown outcome when the reply names another amount', async () => {
    await changeSettings({ auto_tap: true, terminal_replies: 'full' });
    await control('faults', { on: 'terminal', do: 'wrong-amount' });
    expect((await createGateway().startTerminalSale(makeRequest())).kind).toBe('unknown');
  });

  it.each(['500', 'search-lag'])('has an unknown outcome until it can be read back (%s)', async (kind) => {
    await changeSettings({ auto_tap: true });
    const saleRequest = makeRequest();
    await control('faults', { on: '/rest/v2/transactions', do: kind, ms: 60_000, times: 1 });
    expect(await createGateway().startTerminalSale(saleRequest)).toMatchObject({ kind: 'unknown' });
    expect(await createGateway().find(saleRequest.terminal, 'card', saleRequest)).toMatchObject([
      { state: 'approved' },
    ]);
  });

  it('has an unknown outcome for an invoice already paid by another sale', async () => {
    await changeSettings({ auto_tap: true });
    const first = makeRequest();
    await createGateway().startTerminalSale(first);
    const second = makeRequest({ dedupeKey: first.dedupeKey });
    expect((await createGateway().startTerminalSale(second)).kind).toBe('unknown');
    expect(await chargesOnRecord(second)).toEqual([]);
  });

  it('charges nothing without a valid key', async () => {
    const saleRequest = makeRequest();
    const sealed = createGateway({ openApiKey: () => Promise.reject(new Error('sealed')) });
    const stranger = createGateway({ openApiKey: async () => 'f'.repeat(32) });
    for (const client of [sealed, stranger])
      expect(await client.startTerminalSale(saleRequest)).toMatchObject({ kind: 'rejected', reason: 'credentials' });
    expect(await createGateway().startTerminalSale({ ...saleRequest, amountCents: 0 })).toMatchObject({
      kind: 'rejected',
      reason: 'validation',
    });
    const online = createGateway({ openApiKey: async () => onlineTerminal().apiKey });
    expect((await online.startTerminalSale(saleRequest)).kind).toBe('declined');
    expect(await chargesOnRecord(saleRequest)).toEqual([]);
  });

  type Txn = Record<string, unknown>;
  const reply = (status: number, payload: object) => Response.json({ 'exchange-id': 'x', payload }, { status });
  const refusal = (status: number, code: string, message: string, transaction?: Txn) =>
    reply(status, {
      error: { 'result-code': code, 'error-message': message },
      ...(transaction ? { transaction } : {}),
    });
  it.each<[string, (saleRequest: TerminalSaleRequest) => Response, string]>([
    ['200 without an id', () => reply(200, { transaction: { 'result-code': '000' } }), 'unknown'],
    ['200 and nothing', () => reply(200, {}), 'unknown'],
    ['204', () => new Response(null, { status: 204 }), 'unknown'],
    ['a decline under status 200', (saleRequest) => approval(saleRequest, { result: 'DECLINED' }), 'unknown'],
    ['another attempt', (saleRequest) => approval(saleRequest, { 'order-id': 'other' }), 'unknown'],
    ['a complete approval', (saleRequest) => approval(saleRequest, {}), 'approved'],
    ['402 and nothing', () => reply(402, {}), 'unknown'],
    ['402 with a duplicate', () => refusal(402, '045', 'Duplicate Transaction'), 'unknown'],
    ['a cancellation message', () => refusal(402, '073', 'ABORTED BY USER'), 'cancelled'],
    ['a timeout message', () => refusal(402, '073', 'Timeout'), 'no-card-in-time'],
    ['another message', () => refusal(402, '051', 'No funds'), 'declined'],
    ['a decline that mentions a timeout', () => refusal(402, '057', 'Issuer timed out', { id: '1' }), 'declined'],
    [
      'a decline whose transaction is approved',
      () => refusal(402, '051', 'No funds', { id: '1', result: 'APPROVED' }),
      'unknown',
    ],
    [
      'a cancellation message with an approval without an id',
      () => refusal(402, '073', 'ABORTED BY USER', { result: 'APPROVED' }),
      'unknown',
    ],
    [
      'an unreachable reader with an approval',
      () => refusal(400, '001', 'Host unreachable', { id: '1', result: 'APPROVED' }),
      'unknown',
    ],
    ['a busy reader', () => refusal(400, '001', 'Terminal in use'), 'busy'],
    ['an unreachable reader', () => refusal(400, '001', 'Host unreachable'), 'offline'],
    ['a broken rule', () => refusal(400, '041', 'amount'), 'rejected'],
    ['500 with a reason', () => refusal(500, '049', 'No response'), 'unknown'],
  ])('classifies the reply: %s', async (_case, respond, kind) => {
    const saleRequest = makeRequest();
    vi.stubGlobal('fetch', async () => respond(saleRequest));
    expect((await createGateway().startTerminalSale(saleRequest)).kind).toBe(kind);
  });

  const approval = (saleRequest: TerminalSaleRequest, overrides: Txn) =>
    reply(200, {
      transaction: {
        id: '77',
        amount: '184.00',
        type: 'SALE',
        result: 'APPROVED',
        'card-type': 'VISA',
        'order-id': saleRequest.attemptId,
        ...overrides,
      },
    });
});
