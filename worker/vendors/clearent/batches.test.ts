import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearFaults, control, counterTerminal, onlineTerminal, sandboxUrl, touch } from '#tests/support/wire';
import type { GatewayBatch, GatewayTransaction } from '../gateway-port.ts';
import { createClearent } from './clearent.ts';

const deskTerminal = counterTerminal(1);
const createGateway = (apiKey = deskTerminal.apiKey) =>
  createClearent({
    baseUrl: sandboxUrl(),
    sandbox: true,
    timeoutMs: 5000,
    terminalTimeoutMs: 5000,
    openApiKey: async () => apiKey,
  });
const terminal = { accountId: 1, terminalId: deskTerminal.terminalId, sealedApiKey: 'sealed' };
const changeSettings = (change: object) => control('settings', change);
const injectFault = (kind: string, target: string) => control('faults', { on: target, do: kind });
const CLOSE_PATH = '/rest/v2/terminal/batches/open';

beforeEach(() => changeSettings({ auto_tap: true, batch_close: 'closed' }));
afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
  await changeSettings({ auto_tap: false, batch_close: 'closed' });
});

async function sell(amountCents = 2000): Promise<GatewayTransaction> {
  const attemptId = crypto.randomUUID().replaceAll('-', '');
  const outcome = await createGateway().startTerminalSale({
    terminal,
    attemptId,
    dedupeKey: attemptId,
    amountCents,
    customer: { firstName: 'Ivy', lastName: 'Tran' },
  });
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  return outcome.txn;
}
const listBatches = async (
  filter?: Parameters<ReturnType<typeof createGateway>['listBatches']>[1],
): Promise<GatewayBatch[]> => {
  const batches = await createGateway().listBatches(terminal, filter);
  if (batches === 'unavailable') throw new Error(batches);
  return batches;
};
const openBatch = async () => (await listBatches({ status: 'open' }))[0];

describe('the batches of a terminal', () => {
  it('are listed newest first, closed batches with their code and time', async () => {
    // A batch that another test has closed takes some seconds to settle.
    await vi.waitUntil(async () => (await listBatches({ status: 'pending' })).length === 0, { timeout: 15_000 });
    await sell();
    const [open, ...closed] = await listBatches();
    expect(open).toMatchObject({
      id: expect.stringMatching(/^[1-9]\d*$/),
      status: 'open',
      terminalId: deskTerminal.terminalId,
      terminalName: deskTerminal.name,
      openedAt: expect.any(Number),
      settledAt: null,
      confirmationCode: '',
    });
    expect(closed.length).toBeGreaterThanOrEqual(2);
    for (const batch of closed)
      expect(batch).toMatchObject({
        status: 'closed',
        settledAt: expect.any(Number),
        confirmationCode: expect.stringMatching(/./),
      });
  });

  it('include those of all the merchant’s terminals on request', async () => {
    const terminals = new Set((await listBatches({ level: 'merchant' })).map(({ terminalId }) => terminalId));
    expect(terminals.size).toBeGreaterThan(1);
    expect(new Set((await listBatches()).map(({ terminalId }) => terminalId))).toEqual(
      new Set([deskTerminal.terminalId]),
    );
  });

  it('can be filtered by status and by opening time', async () => {
    await sell();
    const open = await openBatch();
    expect((await listBatches({ status: 'closed' })).map(({ status }) => status)).not.toContain('open');
    const opened = open?.openedAt ?? 0;
    expect((await listBatches({ from: opened - 60_000, to: opened + 60_000 })).map(({ id }) => id)).toContain(open?.id);
    expect(await listBatches({ from: opened + 120_000 })).toEqual([]);
  });

  it('are an empty list when none exist, but unavailable when the reply is unreadable', async () => {
    expect(await listBatches({ status: 'failed' })).toEqual([]);
    for (const kind of ['500', 'html-502', 'drop-before', '429', 'redirect', '401-expired']) {
      await injectFault(kind, '/rest/v2/batches');
      expect(await createGateway().listBatches(terminal), kind).toBe('unavailable');
    }
  });

  it.each([
    ['a bare list', { batches: [{ id: 12, status: 'OPEN', 'net-amount': '-5.00' }] }],
    ['a single batch', { batches: { batch: { id: '012', status: 'Open', 'net-amount': '-5.00' } } }],
    ['the documented list', { batches: { batch: [{ id: '0012', status: 'open', 'net-amount': '-5.00' }] } }],
  ])('are read from %s', async (_case, payload) => {
    vi.stubGlobal('fetch', async () => Response.json({ payload }));
    expect(await createGateway().listBatches(terminal)).toMatchObject([
      { id: '12', status: 'open', netCents: -500, salesCount: null, salesCents: null },
    ]);
  });

  it.each([
    ['nothing', { payload: {} }],
    ['no list', { payload: { batches: {} } }],
    ['text', { payload: { batches: 'none' } }],
  ])('are unavailable when the reply contains %s', async (_case, body) => {
    vi.stubGlobal('fetch', async () => Response.json(body));
    expect(await createGateway().listBatches(terminal)).toBe('unavailable');
  });

  it('are read over several pages', async () => {
    const pages: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      const page = Number(new URL(url).searchParams.get('page'));
      pages.push(String(page));
      const batch = Array.from({ length: page === 3 ? 7 : 100 }, (_, index) => ({ id: `${page}${index}` }));
      return Response.json({
        page: { number: page, 'total-pages': '3', last: page === 3 },
        payload: { batches: { batch } },
      });
    });
    expect(await listBatches()).toHaveLength(207);
    expect(pages).toEqual(['1', '2', '3']);
  });
});

describe('the transactions of a batch', () => {
  it('are exactly its own, with or without padded ids, and add up to its sums', async () => {
    await createGateway().closeBatch(terminal, 'counter');
    const [first, second] = [await sell(2000), await sell(3100)];
    const reversal = { terminal, providerTxnId: first.id, reversalId: crypto.randomUUID().replaceAll('-', '') };
    await createGateway().refund({ ...reversal, dedupeKey: reversal.reversalId, amountCents: 500 });
    for (const batch of (await listBatches()).slice(0, 3)) {
      const transactions = await createGateway().batchTransactions(terminal, batch);
      if (transactions === 'unavailable') throw new Error(transactions);
      const sum = (kind: string) =>
        transactions
          .filter((txn) => txn.kind === kind && !txn.isVoided)
          .reduce((cents, txn) => cents + (txn.amountCents ?? 0), 0);
      expect([sum('SALE'), sum('REFUND'), sum('SALE') - sum('REFUND')]).toEqual([
        batch.salesCents,
        batch.refundCents,
        batch.netCents,
      ]);
    }
    const open = await openBatch();
    if (!open) throw new Error('no open batch');
    expect(await createGateway().batchTransactions(terminal, open)).toMatchObject([
      { id: first.id, name: { first: 'Ivy', last: 'Tran' }, brand: 'VISA', batchId: open.id },
      { id: second.id },
      { kind: 'REFUND', parentId: first.id },
    ]);
  });

  it('are read over several pages, and unavailable when one of them fails', async () => {
    let failingPage = 0;
    vi.stubGlobal('fetch', async (url: string) => {
      const page = Number(new URL(url).searchParams.get('page'));
      if (page === failingPage) return new Response('', { status: 500 });
      const transaction = Array.from({ length: 100 }, (_, index) => ({
        id: `${page}-${index}`,
        'batch-string-id': index % 2 ? '000377' : '378',
      }));
      return Response.json({ page: { number: page, 'total-pages': 3 }, payload: { transactions: { transaction } } });
    });
    const batch = { id: '377', openedAt: Date.UTC(2026, 1, 1), settledAt: null };
    expect(await createGateway().batchTransactions(terminal, batch)).toHaveLength(150);
    failingPage = 3;
    expect(await createGateway().batchTransactions(terminal, batch)).toBe('unavailable');
  });
});

describe('closing a batch', () => {
  it('returns the closed batch, and then reports that nothing is open', async () => {
    await sell();
    const open = await openBatch();
    expect(await createGateway().closeBatch(terminal, 'counter')).toMatchObject({
      kind: 'closed',
      batch: { id: open?.id, status: 'closed', settledAt: expect.any(Number), confirmationCode: expect.any(String) },
    });
    expect(await createGateway().closeBatch(terminal, 'counter')).toEqual({ kind: 'nothing-open' });
  });

  it('reports that nothing is open for online payments too', async () => {
    const online = createGateway(onlineTerminal().apiKey);
    await online.closeBatch(terminal, 'ecommerce');
    expect(await online.closeBatch(terminal, 'ecommerce')).toEqual({ kind: 'nothing-open' });
  });

  it('can stay pending for a while before it finishes', async () => {
    await sell();
    await changeSettings({ batch_close: 'pending' });
    expect(await createGateway().closeBatch(terminal, 'counter')).toMatchObject({
      kind: 'processing',
      batch: { status: 'pending' },
    });
    await control('clock', { add_s: 6 });
    try {
      expect(await listBatches({ status: 'pending' })).toEqual([]);
    } finally {
      await control('clock', { add_s: -6 });
    }
  });

  it('fails when the processor refuses it, and can be retried', async () => {
    await sell();
    const open = await openBatch();
    await changeSettings({ batch_close: 'failed' });
    expect(await createGateway().closeBatch(terminal, 'counter')).toMatchObject({
      kind: 'failed',
      providerCode: '002',
    });
    expect(await listBatches({ status: 'failed' })).toMatchObject([{ id: open?.id }]);
    await changeSettings({ batch_close: 'closed' });
    expect(await createGateway().closeBatch(terminal, 'counter')).toMatchObject({
      kind: 'closed',
      batch: { id: open?.id },
    });
  });

  it('fails with an unknown key', async () => {
    expect((await createGateway('f'.repeat(32)).closeBatch(terminal, 'counter')).kind).toBe('failed');
  });

  it.each([
    ['drop-before', 'open'],
    ['drop-after', 'closed'],
    ['500', 'open'],
    ['500-after', 'closed'],
    ['html-502', 'open'],
    ['html-after', 'closed'],
    ['bad-json', 'closed'],
    ['xml', 'closed'],
    ['429', 'open'],
    ['redirect', 'open'],
  ])('has an unknown outcome after %s, and the list then shows the batch as %s', async (kind, status) => {
    await sell();
    const open = await openBatch();
    await injectFault(kind, CLOSE_PATH);
    expect((await createGateway().closeBatch(terminal, 'counter')).kind).toBe('unknown');
    expect((await listBatches()).find(({ id }) => id === open?.id)?.status).toBe(status);
  });

  it.each([
    ['200 without a batch', Response.json({ payload: {} }), 'unknown'],
    ['a batch that is still open', Response.json({ payload: { batch: { id: '1', status: 'OPEN' } } }), 'unknown'],
    ['status 201', Response.json({ payload: { batch: { id: '1', status: 'CLOSED' } } }, { status: 201 }), 'closed'],
    ['402 and nothing', Response.json({}, { status: 402 }), 'unknown'],
    [
      '402 with a closed batch',
      Response.json(
        { payload: { error: { 'result-code': '040' }, batch: { id: '1', status: 'CLOSED' } } },
        { status: 402 },
      ),
      'unknown',
    ],
  ])('classifies the reply: %s', async (_case, reply, kind) => {
    vi.stubGlobal('fetch', async () => reply);
    expect((await createGateway().closeBatch(terminal, 'counter')).kind).toBe(kind);
  });

  it('is visible in the list if the terminal itself closed the batch', async () => {
    await sell();
    await touch('close-batch', deskTerminal);
    expect(await openBatch()).toBeUndefined();
  });
});
