import { beforeEach, describe, expect, it } from 'vitest';
import { batch } from '#tests/support/unit/press-close';
import { ACCOUNT, add, addClinic, addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { GatewayBatch, GatewayTransaction } from '#worker/vendors/gateway-port';
import { matchDeposits } from './match-deposits.ts';
import { exportBatch, presentBatch, viewBatch, viewBatches, viewClosing } from './view-batches.ts';

const merchant = { sessionId: '', accountId: ACCOUNT, userId: 1, role: 'admin' } as const;
type GatewayContents = { batches?: GatewayBatch[] | 'unavailable'; txns?: GatewayTransaction[] | 'unavailable' };

beforeEach(async () => {
  await addClinic({ time_zone: 'UTC' });
  await add('terminals', { terminal_id: 't1', name: 'Front desk' });
});

function depsOf({ batches = [batch('7')], txns = [] }: GatewayContents = {}): Deps {
  const { deps } = depsWithGateway([]);
  const gateway = { ...deps.gateway, listBatches: async () => batches, batchTransactions: async () => txns };
  return { ...deps, gateway } as Deps;
}
const sale = (id: string, overrides: Partial<GatewayTransaction> = {}) =>
  refundOf({ id, attemptId: '', kind: 'SALE', createdAt: 5, ...overrides });

describe('viewing batches', () => {
  const terminal = { ref: { terminalId: 't1' }, name: 'Front desk' };

  it('shows a batch in the gateway’s terms', () => {
    const fields = { terminalName: 'Web', terminalId: 't9', openedAt: 5, settledAt: 6, confirmationCode: 'GB7' };
    expect(presentBatch({ ...batch('7', 'closed'), ...fields, refundCount: 2, refundCents: 300 }, terminal)).toEqual({
      id: '7',
      status: 'CLOSED',
      terminal_name: 'Web',
      'terminal-id': 't9',
      'confirmation-code': 'GB7',
      'date-opened': new Date(5).toISOString(),
      settled: new Date(6).toISOString(),
      'sales-count': '1',
      'sales-total': '1.00',
      'refund-count': '2',
      'refund-total': '3.00',
      'net-amount': '1.00',
    });
  });

  it('uses the terminal in our records when the gateway names none, and leaves unknown values empty', () => {
    const unknownTotals = { salesCount: null, salesCents: null, refundCount: null, refundCents: null, netCents: null };
    expect(
      presentBatch({ ...batch('7', 'other'), ...unknownTotals, terminalId: '', openedAt: null }, terminal),
    ).toEqual({
      id: '7',
      status: 'UNKNOWN',
      terminal_name: 'Front desk',
      'terminal-id': 't1',
      'confirmation-code': null,
      'date-opened': null,
      settled: null,
      'sales-count': '',
      'sales-total': '',
      'refund-count': '',
      'refund-total': '',
      'net-amount': '',
    });
  });

  it.each([
    ['no-terminal', 't9', {}],
    ['unavailable', 't1', { batches: 'unavailable' as const }],
  ])('returns %s when batches cannot be listed', async (kind, terminalId, contents) => {
    expect(await viewBatches(depsOf(contents), merchant, terminalId)).toEqual({ kind });
    expect(await viewBatch(depsOf(contents), merchant, terminalId, '7')).toEqual({ kind });
    expect(await viewClosing(depsOf(contents), merchant, terminalId)).toEqual({ kind });
  });

  it.each([
    ['no-batch', '8', {}],
    ['no-batch', '7/8', {}],
    ['no-batch', 'x'.repeat(41), { batches: [batch('x'.repeat(41))] }],
    ['transactions', 'x'.repeat(40), { batches: [batch('x'.repeat(40))] }],
    ['unavailable', '7', { txns: 'unavailable' as const }],
  ])('returns %s for batch number %s', async (kind, batchId, contents) => {
    expect(await viewBatch(depsOf(contents), merchant, 't1', batchId)).toMatchObject({ kind });
  });

  it('lists the terminal’s batches with the terminal name', async () => {
    const result = await viewBatches(depsOf(), merchant, 't1');
    expect(result).toMatchObject({ kind: 'batches', batches: [{ id: '7', terminal_name: 'Front desk' }] });
  });
});

describe('the transactions of a batch', () => {
  it('include their payment, the refund it allows now, and the customer', async () => {
    await addPayment('p1', { invoice_number: 'INV-1', terminal_id: 't1' });
    await add('invoices', { invoice_id: 'p1', contact_id: 'c1' });
    await addEntry('p1', { provider_txn_id: 'g1' });
    await addEntry('p1', { provider_txn_id: 'g2', kind: 'refund', amount_cents: -3_000 });
    const txns = [
      sale('g1'),
      refundOf({ id: 'g2', maskedCard: '' }),
      sale('g3', { amountCents: null, createdAt: null }),
    ];
    const result = await viewBatch(depsOf({ batches: [batch('7', 'closed')], txns }), merchant, 't1', '7');
    if (result.kind !== 'transactions') throw new Error(result.kind);
    const payment = { id: 'p1', invoice_id: 'p1', invoice_number: 'INV-1', customer_id: 'c1' };
    expect(result.transactions).toMatchObject([
      { id: 'g1', amount: '30.00', payment: { ...payment, offer: { kind: 'refund', left: '100.00' } } },
      { id: 'g2', card: '1111', payment: { ...payment, offer: null } },
      { id: 'g3', amount: null, created: null, payment: null, card: 'XXXXXXXXXXXX1111' },
    ]);
    const file = await exportBatch(depsOf(), merchant, result);
    expect(file.split(/\r?\n/)[1]).toContain('INV-1');
    const event = { action: 'list.exported', subject_id: 'batch 7', after: '{"rows":3}' };
    expect(await rowsOf('SELECT action, subject_id, after FROM audit_events')).toEqual([event]);
  });
});

describe('the confirmation before a batch close', () => {
  it('lists the batch, payments with unknown outcome and likely duplicates', async () => {
    await addPayment('p1', { terminal_id: 't1', state: 'unknown', created_at: 5, invoice_number: 'INV-1' });
    const result = await viewClosing(depsOf({ txns: [sale('g1'), sale('g2')] }), merchant, 't1');
    const unknownPayments = [{ invoice_number: 'INV-1', amount: '100.00', since: new Date(5).toISOString() }];
    const closing = {
      batch: { id: '7', status: 'OPEN' },
      unknown: unknownPayments,
      duplicates: [{ amount: '30.00', card: '1111' }],
    };
    expect(result).toMatchObject({ kind: 'closing', closing });
  });

  it('lists nothing when there is no batch to close, and no duplicates without transactions', async () => {
    const emptyClosing = { batch: null, unknown: [], duplicates: [] };
    expect(await viewClosing(depsOf({ batches: [batch('7', 'closed')] }), merchant, 't1')).toMatchObject({
      closing: emptyClosing,
    });
    const closingWithoutTransactions = await viewClosing(depsOf({ txns: 'unavailable' }), merchant, 't1');
    expect(closingWithoutTransactions).toMatchObject({ closing: { duplicates: null } });
  });
});

describe('nightly deposit matching', () => {
  const NOW = 100 * 86_400_000;
  const DAY = 86_400_000;
  const deposits = [{ batchId: '7', terminalId: 't1', fundedOn: '1970-04-10', depositCents: 95 }];
  const runMatching = async (depositList: typeof deposits | 'unavailable', reporting = 'https://x.example') => {
    const days: string[] = [];
    const deps = depsOf({ batches: [batch('7', 'closed')] });
    const listDeposits = async (_number: string, day: string) => {
      days.push(day);
      return depositList;
    };
    const settings = { ...deps.settings, REPORTING_BASE_URL: reporting };
    await matchDeposits({ ...deps, settings, boarding: { listDeposits } } as unknown as Deps, ACCOUNT);
    return { days, stored: await rowsOf('SELECT status, funded_on FROM batches') };
  };
  const addClosedBatch = (settled_at: number, status = 'closed') =>
    add('batches', { terminal_id: 't1', batch_id: '7', status, settled_at });

  it('requests deposits from the day the oldest batch settled until tomorrow', async () => {
    await add('merchants', { merchant_number: '6588' });
    await addClosedBatch(NOW - DAY);
    const { days, stored } = await runMatching(deposits);
    expect(days).toEqual(['1970-04-10', '1970-04-11', '1970-04-12']);
    expect(stored).toMatchObject([{ funded_on: '1970-04-10' }]);
  });

  it.each<[string, number, string, boolean]>([
    ['a batch settled less than a week ago', NOW - 7 * DAY + 1, 'https://x.example', true],
    ['a batch settled a week ago', NOW - 7 * DAY, 'https://x.example', false],
    ['an installation without reports', NOW - DAY, '', false],
  ])(
    'requests deposits for %s (settled at %s, reports at %s): %s',
    async (_title, settledAt, reporting, isRequested) => {
      await add('merchants', { merchant_number: '6588' });
      await addClosedBatch(settledAt);
      expect((await runMatching([], reporting)).days.length > 0).toBe(isRequested);
    },
  );

  it('stops when the provider does not answer, and requests nothing without a merchant number', async () => {
    await addClosedBatch(NOW - DAY);
    expect((await runMatching(deposits)).days).toEqual([]);
    await add('merchants', { merchant_number: '6588' });
    expect((await runMatching('unavailable')).days).toHaveLength(1);
  });

  it('first updates batches that were still open', async () => {
    await addClosedBatch(NOW - DAY, 'open');
    expect((await runMatching([], '')).stored).toMatchObject([{ status: 'closed' }]);
  });
});
