import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { transaction } from '#tests/support/unit/world';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import {
  addDetails,
  type JudgedTransaction,
  listMismatches,
  listRefundsOf,
  saveJudgedTransactions,
} from './gateway-transactions.ts';

const LAG_MS = 12 * 3_600_000;
const terminal = { accountId: ACCOUNT, terminalId: 't1', sealedApiKey: '' };

beforeEach(() => addClinic());

type JudgedOverrides = Partial<Omit<JudgedTransaction, 'txn'>>;
const makeJudged = (txn: Partial<GatewayTransaction> = {}, overrides: JudgedOverrides = {}): JudgedTransaction => ({
  txn: { ...transaction({ attemptId: '', dedupeKey: 'k', amountCents: 500, terminal }), id: 'g1', ...txn },
  method: 'card',
  seenAt: 100,
  netAmountCents: 500,
  oursCents: null,
  verdict: 'only-gateway',
  ...overrides,
});
/** Saves a transaction that was judged without a terminal. Returns the rows that are final. */
const save = (
  txn: Partial<GatewayTransaction> = {},
  overrides: JudgedOverrides = {},
  firstTerminalAt: number | null = null,
) =>
  saveJudgedTransactions(db, ACCOUNT, 'card', [makeJudged(txn, overrides)], {
    ourSince: firstTerminalAt,
    undecided: ['unknown', 'pending'],
  });
const readStored = () => rowsOf('SELECT * FROM gateway_transactions ORDER BY provider_txn_id, method');

describe('a judged transaction', () => {
  it('is stored with everything the gateway shows', async () => {
    const overrides = {
      attemptId: 'o',
      parentId: 'p',
      name: { first: '', last: 'Núñez' },
      createdAt: 90,
      isVoided: true,
    };
    const [row] = await save(overrides);
    expect(row).toEqual({
      accountId: ACCOUNT,
      providerTxnId: 'g1',
      method: 'card',
      terminalId: 't1',
      batchId: '7',
      kind: 'SALE',
      state: 'approved',
      isVoided: true,
      amountCents: 500,
      netAmountCents: 500,
      orderId: 'o',
      parentId: 'p',
      dedupeKey: 'k',
      card: 'XXXXXXXXXXXX1111',
      payer: 'Núñez',
      at: 90,
      seenAt: 100,
      verdict: 'only-gateway',
      isAwaited: false,
      isOfOurs: false,
    });
    expect(await readStored()).toMatchObject([{ provider_txn_id: 'g1', is_voided: 1 }]);
  });

  it.each<[string, from: [number, boolean], to: [number, boolean], isWritten: boolean]>([
    ['at the same moment', [100, false], [100, false], true],
    ['later', [100, false], [101, false], true],
    ['earlier', [100, false], [99, false], false],
    ['earlier, with a void', [100, false], [99, true], false],
    ['later, with a void', [100, false], [101, true], true],
    ['later, without the void that was seen', [100, true], [99 + LAG_MS, false], false],
    ['so much later that the void no longer counts', [100, true], [100 + LAG_MS, false], true],
  ])(
    'replaces the stored transaction only if it was seen late enough: %s',
    async (_title, [first, wasVoided], [seenAt, isVoided], isReplaced) => {
      await save({ isVoided: wasVoided }, { seenAt: first });
      const [row] = await save({ isVoided, batchId: '8' }, { seenAt, verdict: 'matched' });
      expect(row).toMatchObject(
        isReplaced ? { seenAt, isVoided, batchId: '8' } : { seenAt: first, isVoided: wasVoided },
      );
      expect(await readStored()).toMatchObject([
        { seen_at: isReplaced ? seenAt : first, verdict: isReplaced ? 'matched' : 'only-gateway' },
      ]);
    },
  );

  it('is skipped until it is judged again, if our ledger has changed', async () => {
    await save();
    await addPayment('p1');
    await addEntry('p1', { provider_txn_id: 'g1', amount_cents: 500 });
    expect(await save()).toEqual([]);
    expect(await save({}, { oursCents: 499 })).toEqual([]);
    expect(await save({}, { oursCents: 500, verdict: 'matched' })).toMatchObject([{ verdict: 'matched' }]);
  });

  it('is skipped until it is judged again, if it is stored as voided and our ledger has changed', async () => {
    await save({ isVoided: true });
    await addPayment('p1');
    await addEntry('p1', { provider_txn_id: 'g1' });
    expect(await save({ isVoided: true })).toEqual([]);
  });

  it('is skipped until it is judged again, if the first terminal has changed', async () => {
    await add('terminals', { terminal_id: 't1', created_at: 50 });
    expect(await save()).toEqual([]);
    expect(await save({}, {}, 49)).toEqual([]);
    expect(await save({}, {}, 50)).toHaveLength(1);
  });

  it('is not confused with a bank debit of the same number seen later', async () => {
    await save();
    await saveJudgedTransactions(db, ACCOUNT, 'ach', [makeJudged({}, { method: 'ach', seenAt: 300 })], {
      ourSince: null,
      undecided: [],
    });
    await addPayment('p1');
    await addEntry('p1', { provider_txn_id: 'g1' });
    expect(await save({}, { seenAt: 200 })).toEqual([]);
    expect(await readStored()).toMatchObject([{ method: 'ach', seen_at: 300 }, { seen_at: 100 }]);
  });

  it.each([
    ['an undecided payment', 'p1', true],
    ['a decided payment', 'p2', false],
    ['an unknown payment', 'p3', false],
  ])('is awaited only if its order id is an undecided payment: %s', async (_title, attemptId, isAwaited) => {
    await addPayment('p1', { state: 'pending' });
    await addPayment('p2');
    expect(await save({ attemptId })).toMatchObject([{ isAwaited }]);
  });

  it.each([
    ['declined', 'only-gateway', true],
    ['rejected', 'only-gateway', true],
    ['returned', 'only-gateway', true],
    ['declined', 'matched', false],
    ['voided', 'only-gateway', false],
  ] as const)(
    'is awaited if our payment failed and only the gateway has its money: one that is %s, with the verdict %s',
    async (state, verdict, isAwaited) => {
      await addPayment('p1', { state });
      expect(await save({ attemptId: 'p1' }, { verdict })).toMatchObject([{ isAwaited }]);
    },
  );

  it.each([
    ['a payment in our ledger', 'txn-p1', true],
    ['a payment that is not in our ledger', 'x', false],
    ['a bank debit in our ledger', 'txn-p2', false],
    ['no payment', '', false],
  ])('counts as ours only if it refunds a card payment in our ledger: %s', async (_title, parentId, isOfOurs) => {
    for (const id of ['p1', 'p2', 'p3']) await addPayment(id);
    await addEntry('p1');
    await addEntry('p2', { method: 'ach' });
    await addEntry('p3', { provider_txn_id: '' });
    expect(await save({ parentId })).toMatchObject([{ isOfOurs }]);
  });
});

describe('transaction lines', () => {
  beforeEach(async () => {
    for (const id of ['p1', 'p2']) await addPayment(id);
    await add('invoices', { invoice_id: 'p1', number: 'INV-1', contact_first_name: 'Marta', company_name: 'X' });
    await add('invoices', { invoice_id: 'p2', number: 'INV-2', company_name: 'Núñez Studio' });
    await add('invoices', { invoice_id: 'p3', number: 'INV-3', deleted_at: 1 });
    await add('invoices', { invoice_id: '901', number: '902-1', contact_first_name: 'Ana' });
    await add('invoices', { invoice_id: '902', number: 'SAME', contact_first_name: 'Ben' });
    await add('invoices', { invoice_id: '903', number: 'same' }, { invoice_id: '904', number: '' });
    await addEntry('p1', { provider_txn_id: 'g0', amount_cents: 500 });
    // A charge without a number, which nothing refunds.
    await addPayment('p4');
    await addEntry('p4', { provider_txn_id: '' });
  });
  const first = { id: 'p1', number: 'INV-1', customer: 'Marta' };
  const second = { id: 'p2', number: 'INV-2', customer: 'Núñez Studio' };
  const invoiceByKey = { id: '902', number: 'SAME', customer: 'Ben' };

  it.each([
    ['our ledger', { id: 'g0', attemptId: 'p2' }, 'p1', 500, first],
    ['the charge that they refund', { parentId: 'g0', attemptId: 'p2' }, 'p1', null, first],
    ['their order id', { attemptId: 'p2' }, 'p2', null, second],
    ['the number of the invoice alone, in any case', { dedupeKey: 'inv-2' }, null, null, second],
    ['the number of a deleted invoice: none', { dedupeKey: 'INV-3' }, null, null, null],
    ['a number that two invoices have: none', { dedupeKey: 'SAME' }, null, null, null],
    ['an empty number, which an invoice also has: none', { dedupeKey: '' }, null, null, null],
    ['the id in our own key, even if it is also a number', { dedupeKey: '902-1' }, null, null, invoiceByKey],
    ['the id in our own key of a later installment', { dedupeKey: '902-1.12' }, null, null, invoiceByKey],
    ['an id alone: none', { dedupeKey: '902' }, null, null, null],
    ['nothing known: none', {}, null, null, null],
  ])('name the payment and the invoice by %s', async (_title, txn, attemptId, ourCents, invoice) => {
    await save({ id: 'g7' });
    const rows = await save({ id: 'g8', ...txn }, { oursCents: ourCents });
    expect(await addDetails(db, rows)).toMatchObject([{ attemptId, ourCents, invoice }]);
  });

  it('distinguish a card charge from a bank debit with the same number', async () => {
    await save({ id: 'g0' }, { oursCents: 500, verdict: 'matched' });
    const ach = [makeJudged({ id: 'g0', parentId: 'g0' }, { method: 'ach' })];
    const [debit] = await saveJudgedTransactions(db, ACCOUNT, 'ach', ach, { ourSince: null, undecided: [] });
    expect(debit && (await addDetails(db, [debit]))).toMatchObject([{ attemptId: null, ourCents: null }]);
  });

  it('are empty without transactions', async () => {
    expect(await addDetails(db, [])).toEqual([]);
  });
});

describe('the refunds of a transaction', () => {
  const ids = (id: string) => listRefundsOf(db, { accountId: ACCOUNT, method: 'card' }, id);
  const addTxn = (provider_txn_id: string, overrides: Record<string, unknown> = {}) =>
    add('gateway_transactions', { provider_txn_id, method: 'card', parent_id: 'g1', net_cents: -1, ...overrides });

  it('are those that returned money from it', async () => {
    await addTxn('r1');
    await addTxn('r2', { parent_id: 'g2' });
    await addTxn('r3', { method: 'ach' });
    await addTxn('r4', { net_cents: 0 });
    await addTxn('r5', { net_cents: null });
    await addTxn('r6', { parent_id: '' });
    expect(await ids('g1')).toEqual(['r1']);
    expect(await ids('')).toEqual([]);
  });
});

it('lists mismatches with our ledger newest first, up to a limit', async () => {
  for (const [at, verdict] of ['only-gateway', 'amount-differs', 'matched', 'earlier', 'none'].entries())
    await add('gateway_transactions', { provider_txn_id: verdict, method: 'card', at, verdict });
  const verdicts = async (limit: number) => (await listMismatches(db, ACCOUNT, limit)).map((row) => row.verdict);
  expect(await verdicts(9)).toEqual(['amount-differs', 'only-gateway']);
  expect(await verdicts(1)).toEqual(['amount-differs']);
});
