import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db } from '#tests/support/unit/rows';
import { listMissingAtGateway, readOurRecords } from './gateway-transactions.ts';

beforeEach(async () => {
  await addClinic();
  for (const id of ['p1', 'p2']) await addPayment(id);
});

const refund = (provider_txn_id: string, cents: number, overrides: Record<string, unknown> = {}) =>
  addEntry('p1', { provider_txn_id, kind: 'refund', amount_cents: -cents, ...overrides });

describe('our ledger’s amount of a transaction', () => {
  const ledgerCents = async (id: string, method: 'card' | 'ach' = 'card') =>
    (await readOurRecords(db, ACCOUNT, method, [id])).ledgerCents.get(id);

  it('is the total of its payment without refunds', async () => {
    await addEntry('p1');
    await refund('r1', 3_000);
    await addEntry('p2');
    expect(await ledgerCents('txn-p1')).toBe(10_000);
    await addEntry('p1', { provider_txn_id: 'v1', kind: 'void', amount_cents: -7_000 });
    expect(await ledgerCents('txn-p1')).toBe(3_000);
  });

  it('is undefined when the ledger has no entry of this method', async () => {
    await addEntry('p1', { method: 'ach' });
    expect(await ledgerCents('txn-p1')).toBeUndefined();
    expect(await ledgerCents('txn-p1', 'ach')).toBe(10_000);
    expect((await readOurRecords(db, ACCOUNT, 'card', ['txn-p1', 'x'])).ledgerCents).toEqual(new Map());
  });

  it('is the refund alone when nothing corrects it', async () => {
    await addEntry('p1');
    await refund('r1', 3_000);
    expect(await ledgerCents('r1')).toBe(-3_000);
  });

  it('includes a refund’s corrections, whose ids add a hyphen and a suffix', async () => {
    await refund('r1', 3_000);
    await refund('r1-1', -500);
    await refund('r1-2', 200);
    expect(await ledgerCents('r1')).toBe(-2_700);
  });

  it.each([
    ['with the hyphen alone', 'r1-', {}],
    ['right after all of its corrections', 'r1.', {}],
    ['of another payment', 'r1-1', { attempt_id: 'p2' }],
    ['of another kind', 'r1-payment', { kind: 'void' }],
  ])('excludes an entry %s', async (_title, id, overrides) => {
    await refund('r1', 3_000);
    await refund(id, 500, overrides);
    expect(await ledgerCents('r1')).toBe(-3_000);
  });

  it('comes with the time of the account’s first terminal, or with null', async () => {
    expect((await readOurRecords(db, ACCOUNT, 'card', ['x'])).ourSince).toBeNull();
    await add('terminals', { terminal_id: 't1', created_at: 9 }, { terminal_id: 't2', created_at: 5 });
    expect((await readOurRecords(db, ACCOUNT, 'card', ['x'])).ourSince).toBe(5);
  });
});

describe('entries missing at the gateway', () => {
  const listMissing = async (overrides: { terminalId?: string; limit?: number } = {}) =>
    (await listMissingAtGateway(db, ACCOUNT, 'card', { from: 100, to: 200, limit: 10, ...overrides })).map(
      ({ providerTxnId }) => providerTxnId,
    );

  it.each([
    ['right before the range', { at: 99 }, false],
    ['at the start of the range', { at: 100 }, true],
    ['at the end of the range', { at: 200 }, true],
    ['right after the range', { at: 201 }, false],
    ['of a refund', { at: 150, kind: 'refund' }, true],
    ['of a void', { at: 150, kind: 'void' }, false],
    ['of a return', { at: 150, kind: 'return' }, false],
    ['of a bank debit', { at: 150, method: 'ach' }, false],
  ])('include only payments and refunds in the time range: an entry %s', async (_title, overrides, isListed) => {
    await addEntry('p1', overrides);
    expect(await listMissing()).toEqual(isListed ? ['txn-p1'] : []);
  });

  it('are listed newest first up to a limit, each with its own invoice', async () => {
    await add('invoices', { invoice_id: 'p1', number: 'INV-1', company_name: 'Núñez Studio' });
    await add('invoices', { invoice_id: 'p3', number: 'INV-3' });
    await addEntry('p1', { at: 150 });
    await addEntry('p2', { at: 151, amount_cents: 500 });
    const entries = await listMissingAtGateway(db, ACCOUNT, 'card', { from: 100, to: 200, limit: 10 });
    expect(entries).toEqual([
      { providerTxnId: 'txn-p2', attemptId: 'p2', cents: 500, at: 151, invoice: null },
      {
        providerTxnId: 'txn-p1',
        attemptId: 'p1',
        cents: 10_000,
        at: 150,
        invoice: { id: 'p1', number: 'INV-1', customer: 'Núñez Studio' },
      },
    ]);
    expect(await listMissing({ limit: 1 })).toEqual(['txn-p2']);
  });

  it('can be limited to one terminal', async () => {
    await addPayment('p3', { terminal_id: 't3' });
    await addEntry('p1', { at: 150 });
    await addEntry('p3', { at: 150 });
    expect(await listMissing({ terminalId: 't3' })).toEqual(['txn-p3']);
  });

  it('exclude those whose transaction the gateway shows, by number and method', async () => {
    await addEntry('p1', { at: 150 });
    await addEntry('p2', { at: 151 });
    await add('gateway_transactions', { provider_txn_id: 'txn-p1', method: 'card' });
    await add('gateway_transactions', { provider_txn_id: 'txn-p2', method: 'ach' });
    expect(await listMissing()).toEqual(['txn-p2']);
  });

  it.each([
    ['omit the correction of a refund', 1, []],
    ['include any other refund with such a number', 0, ['r1-1']],
  ])('%s', async (_title, corrects, expected) => {
    await refund('r1', 3_000, { at: 1 });
    await refund('r1-1', 500, { at: 150, corrects });
    expect(await listMissing()).toEqual(expected);
  });
});
