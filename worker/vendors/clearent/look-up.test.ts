import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankToken, cardToken, clearFaults, control, onlineTerminal, sandboxUrl } from '#tests/support/wire';
import type { GatewayTransaction } from '../gateway-port.ts';
import { createClearent } from './clearent.ts';

const gateway = createClearent({
  baseUrl: sandboxUrl(),
  sandbox: true,
  timeoutMs: 5000,
  terminalTimeoutMs: 5000,
  openApiKey: async () => onlineTerminal().apiKey,
});
const terminal = { accountId: 1, terminalId: '70143', sealedApiKey: 'sealed' };

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

async function pay(method: 'card' | 'ach', token: string): Promise<GatewayTransaction> {
  const attemptId = crypto.randomUUID().replaceAll('-', '');
  const outcome = await gateway.charge({
    terminal,
    attemptId,
    dedupeKey: attemptId,
    amountCents: 2600,
    method,
    token,
    billing: { firstName: 'Ivy Mae', lastName: 'Tran', address: '', address2: '', city: '', state: '', zip: '' },
    clientIp: null,
  });
  if (outcome.kind !== 'approved' && outcome.kind !== 'pending') throw new Error(outcome.kind);
  return outcome.txn;
}
const findById = async (method: 'card' | 'ach', providerTxnId: string) => {
  const matches = await gateway.find(terminal, method, { providerTxnId });
  return matches === 'unavailable' ? matches : matches[0];
};

describe('a look-up by gateway id', () => {
  it('reads details with text booleans and padded batch ids', async () => {
    const sale = await pay('card', await cardToken());
    expect(await findById('card', sale.id)).toMatchObject({
      id: sale.id,
      attemptId: sale.attemptId,
      isVoided: false,
      amountCents: 2600,
      batchId: sale.batchId,
      lastFour: '1111',
    });
    expect(await gateway.find(terminal, 'card', { providerTxnId: '1' })).toEqual([]);
  });

  it('follows a bank debit until its return, with the reason', async () => {
    const debit = await pay('ach', await bankToken());
    expect(await findById('ach', debit.id)).toMatchObject({
      state: 'pending',
      name: { first: 'Ivy', last: 'Mae Tran' },
      batchId: '',
    });
    await control(`ach/${debit.id}`, { do: 'settle' });
    expect(await findById('ach', debit.id)).toMatchObject({ state: 'approved', changedAt: expect.any(Number) });
    await control(`ach/${debit.id}`, { do: 'return', code: 'R02' });
    expect(await findById('ach', debit.id)).toMatchObject({
      state: 'returned',
      providerCode: 'R02',
      message: 'Account closed',
    });
  });

  it.each([
    ['nothing', { payload: {} }],
    ['no payload', {}],
    ['an empty object', { payload: { transactions: {} } }],
    ['an error', { payload: { error: { 'result-code': '050' } } }],
  ])('is unavailable, not empty, when the reply contains %s', async (_case, body) => {
    vi.stubGlobal('fetch', async () => Response.json(body));
    expect(await findById('card', '5')).toBe('unavailable');
  });

  it.each([
    ['2024-04-09 14:53:24.148', Date.UTC(2024, 3, 9, 14, 53, 24, 148)],
    ['2024-04-09T14:53:24Z', Date.UTC(2024, 3, 9, 14, 53, 24)],
    ['2024-04-09T14:53:24-05:00', Date.UTC(2024, 3, 9, 19, 53, 24)],
    ['yesterday', null],
    [undefined, null],
  ])('reads the time %s', async (created, at) => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ payload: { transaction: { id: '5', created, billing: null } } }),
    );
    expect(await findById('card', '5')).toMatchObject({ createdAt: at, name: { first: '', last: '' } });
  });
});

describe('the transaction list of a time window', () => {
  it('contains all transactions of the merchant within it, oldest first', async () => {
    const from = Date.now();
    const ids = [];
    for (let index = 0; index < 3; index++) ids.push((await pay('card', await cardToken())).id);
    const debit = await pay('ach', await bankToken());
    // Windows begin and end with a minute, so charges of other tests in that minute may fill pages.
    const listIds = async (method: 'card' | 'ach', window: { from: number; to: number }) => {
      const ids: string[] = [];
      for (let number = 1; ; number++) {
        const page = await gateway.listTransactions(terminal, method, window, number);
        if (page === 'unavailable') return [];
        ids.push(...page.transactions.map(({ id }) => id));
        if (page.isLast) return ids;
      }
    };
    const window = { from, to: Date.now() };
    expect((await listIds('card', window)).slice(-3)).toEqual(ids);
    expect(await listIds('card', window)).not.toContain(debit.id);
    expect((await listIds('ach', window)).at(-1)).toBe(debit.id);
    expect(await listIds('card', { from: from + 120_000, to: from + 180_000 })).toEqual([]);
  });

  it('is read page by page until the last', async () => {
    const pages = await Promise.all(
      [1, 2, 99].map((page) => gateway.listTransactions(terminal, 'card', { from: 0, to: Date.now() }, page)),
    );
    expect(pages.every((page) => page !== 'unavailable')).toBe(true);
    expect(pages[2]).toEqual({ transactions: [], isLast: true });
    const listWithPage = (page: object | undefined, count: number) => {
      const transaction = Array.from({ length: count }, (_, index) => ({ id: String(index) }));
      vi.stubGlobal('fetch', async () => Response.json({ page, payload: { transactions: { transaction } } }));
      return gateway.listTransactions(terminal, 'card', { from: 0, to: 1 }, 1);
    };
    expect(await listWithPage({ number: 1, 'total-pages': 2, last: false }, 100)).toMatchObject({ isLast: false });
    expect(await listWithPage({ number: '2', 'total-pages': '2' }, 100)).toMatchObject({ isLast: true });
    expect(await listWithPage({ last: 'true' }, 100)).toMatchObject({ isLast: true });
    expect(await listWithPage(undefined, 100)).toMatchObject({ isLast: false });
    expect(await listWithPage(undefined, 99)).toMatchObject({ isLast: true });
  });

  it('is unavailable when it cannot be read', async () => {
    for (const kind of ['500', 'html-502', 'drop-before', '429', 'redirect']) {
      await control('faults', { on: '/rest/v2/transactions', do: kind });
      expect(await gateway.listTransactions(terminal, 'card', { from: 0, to: 1 }, 1), kind).toBe('unavailable');
    }
  });
});
