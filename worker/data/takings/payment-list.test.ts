import { beforeEach, describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '#tests/support/hostile-texts';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db } from '#tests/support/unit/rows';
import { findPayments, type PaymentQuery, readPaymentPage, readPaymentsAfter } from './payment-list.ts';

const NOON = Date.parse('2026-03-04T12:00:00Z');
const DAY = '2026-03-04';
const ALL: PaymentQuery = {
  accountId: ACCOUNT,
  from: DAY,
  to: DAY,
  statuses: [],
  terminal: null,
  places: null,
  sort: 'at',
  isDescending: true,
  now: 0,
};

beforeEach(() => addClinic({}, 't1'));

const readPage = (overrides: Partial<PaymentQuery> = {}, page = { page: 1, size: 50 }) =>
  readPaymentPage(db, { ...ALL, ...overrides }, page);
const listIds = async (overrides: Partial<PaymentQuery> = {}) =>
  (await readPage(overrides)).entries.map(({ id }) => id);

/** A payment of 100.00 with its entry in the ledger. */
async function addPaidInvoice(id: string, payment: Record<string, unknown> = {}, entry: Record<string, unknown> = {}) {
  await add('invoices', { invoice_id: id, number: `INV-${id}`, contact_first_name: 'Marta', contact_last_name: id });
  await addPayment(id, { invoice_number: `INV-${id}`, method: 'card', channel: 'link', terminal_id: 't1', ...payment });
  await addEntry(id, { at: NOON, day: DAY, ...entry });
}
const returnMoney = (id: string, kind: string, cents: number, overrides: Record<string, unknown> = {}) =>
  addEntry(id, { provider_txn_id: `${kind}-${id}`, kind, amount_cents: -cents, at: NOON + 1, day: DAY, ...overrides });

describe('the status of a row', () => {
  it.each<[string, Record<string, unknown>]>([
    ['paid', {}],
    ['submitted', { state: 'pending' }],
    ['returned', { state: 'returned' }],
    ['refunded', { state: 'refunded', refunded_cents: 10_000 }],
    ['partly_refunded', { refunded_cents: 1 }],
  ])('of a payment: %s', async (status, payment) => {
    await addPaidInvoice('a', payment);
    expect((await readPage()).entries).toMatchObject([{ id: 'txn-a', status, countedCents: 10_000 }]);
  });

  it.each([
    ['refund', 'refund', {}],
    ['return', 'return', {}],
    ['correction', 'refund', { corrects: 1 }],
  ])('of returned money: %s', async (status, kind, entry) => {
    await addPaidInvoice('a');
    await returnMoney('a', kind, 3_000, entry);
    const { entries, totals } = await readPage();
    expect(entries[0]).toMatchObject({ status, amountCents: -3_000, countedCents: -3_000 });
    expect(totals).toMatchObject({
      paidCents: 10_000,
      refundedCents: -3_000,
      refunds: status === 'correction' ? 0 : 1,
    });
  });

  it('shows that a refund is waiting for a second person only for its payment, until the request ends', async () => {
    await addPaidInvoice('a', { refunded_cents: 1 });
    await returnMoney('a', 'refund', 1);
    await add('approvals', {
      id: 'r1',
      attempt_id: 'a',
      kind: 'refund',
      amount_cents: 700,
      request_key: 'r1',
      requested_by: 1,
      requested_at: NOON,
      ends_at: NOON + 100,
    });
    const waiting = async (now: number) => (await readPage({ now })).entries.map((entry) => entry.waiting);
    expect(await waiting(NOON)).toEqual([null, 'refund']);
    expect(await waiting(NOON + 100)).toEqual([null, null]);
    await db.$client.prepare("UPDATE approvals SET state = 'ended'").run();
    expect(await waiting(NOON)).toEqual([null, null]);
  });

  it('of a voided payment is voided and counts as zero, and the void has no row', async () => {
    await addPaidInvoice('a', { state: 'voided' });
    await returnMoney('a', 'void', 10_000);
    const { entries, totals } = await readPage();
    expect(entries).toMatchObject([{ id: 'txn-a', status: 'voided', amountCents: 10_000, countedCents: 0 }]);
    expect(totals).toMatchObject({ rows: 1, payments: 0, paidCents: 0, refundedCents: 0 });
  });
});

it('shows who took a payment at the counter and who refunded it, by name or else by address', async () => {
  await add(
    'users',
    { user_id: 1, email: 'ana@maple.example', name: 'Ana' },
    { user_id: 2, email: 'bo@maple.example' },
  );
  await addPaidInvoice('a', { channel: 'terminal', started_by: 'Ana@maple.example' });
  await addPaidInvoice('b', { started_by: 'gone@maple.example' }, { at: NOON - 1 });
  await returnMoney('a', 'refund', 100);
  const reversal = { attempt_id: 'a', provider_txn_id: 'refund-a', requested_by: 2, kind: 'refund', state: 'approved' };
  await add('reversals', { id: 'r1', amount_cents: 100, ...reversal });
  expect((await readPage()).entries.map(({ by }) => by)).toEqual(['bo@maple.example', 'Ana', 'gone@maple.example']);
});

it('shows the batch of a transaction once the card provider has reported it', async () => {
  await addPaidInvoice('a');
  await addPaidInvoice('b', {}, { at: NOON - 1 });
  await add('gateway_transactions', { provider_txn_id: 'txn-a', method: 'card', batch_id: '7' });
  await add('gateway_transactions', { provider_txn_id: 'txn-b', method: 'ach', batch_id: '8' });
  expect((await readPage()).entries.map(({ batchId }) => batchId)).toEqual(['7', '']);
});

it('uses the stored local day, regardless of the UTC day', async () => {
  await addPaidInvoice('a', {}, { at: Date.parse('2026-03-05T04:00:00Z') });
  await addPaidInvoice('b', {}, { at: Date.parse('2026-03-04T04:00:00Z'), day: '2026-03-03' });
  expect(await listIds()).toEqual(['txn-a']);
  expect(await listIds({ from: '2026-03-03' })).toEqual(['txn-a', 'txn-b']);
});

it.each([
  ['a number', 'inv-b', ['txn-b']],
  ['a name and part of another', 'MARTA  b', ['txn-b']],
  ['the name of the payer', 'ragnheidur', ['txn-b']],
  ['the name of the payer with its letters', 'RagnheiÐur Núñ', ['txn-b']],
  ['the end of a card', '4242', ['txn-a']],
  ['an amount', '100.00', ['txn-a', 'txn-b']],
  ['the phone number of the customer', '+1 317 555 0242', ['txn-a']],
  ['another phone number', '317 555 0243', []],
  ['an amount in the format of the screen', '$1,647.20', ['txn-c']],
  ['an amount with a comma', '1,647.20', ['txn-c']],
  ['the amount of a refund with its sign', '−$1,647.20', ['txn-c']],
  ['a card in the format of the screen', 'Visa 4242', ['txn-a']],
  ['a card in the format of a receipt', 'visa •••• 4242', ['txn-a']],
  ['the full name of a brand', 'american express', ['txn-c']],
  ['the short name of a brand', 'Amex', ['txn-c']],
  ['the number of a batch', '317', ['txn-c']],
  ['a part of the number of a batch', '31', []],
  ['the id of a transaction', 'TXN-C', ['txn-c']],
  ['only a symbol', '$', []],
  ['a symbol that no row contains', '%', []],
])('finds rows that contain every word, by %s', async (_title, text, expectedIds) => {
  await addPaidInvoice('a', { card_last_four: '4242' }, { brand: 'VISA' });
  const large = { amount_cents: 164_720, brand: 'AMEX', at: NOON - 2 };
  await addPaidInvoice('c', { card_last_four: '1005', amount_cents: 164_720 }, large);
  await add('gateway_transactions', { provider_txn_id: 'txn-c', method: 'card', batch_id: '317' });
  await addPaidInvoice('b', { payer_first_name: 'Ragnheiður', payer_last_name: 'Núñez' }, { at: NOON - 1 });
  await add('contacts', { contact_id: 'c1', phone: '(317) 555-0242' });
  await db.$client.prepare("UPDATE invoices SET contact_id = 'c1' WHERE invoice_id = 'a'").run();
  expect(await listIds({ places: await findPayments(db, ALL, text) })).toEqual(expectedIds);
});

it('treats typed text only as words, never as query syntax', async () => {
  await addPaidInvoice('a');
  for (const text of HOSTILE_TEXTS) {
    const found = await listIds({ places: await findPayments(db, ALL, text) });
    expect(found.length === 0 || found.includes('txn-a'), text).toBe(true);
  }
  expect(await listIds()).toEqual(['txn-a']);
});

it('filters by status, with totals of the remaining rows', async () => {
  await addPaidInvoice('a');
  await returnMoney('a', 'refund', 3_000);
  expect(await listIds({ statuses: ['refund'] })).toEqual(['refund-a']);
  expect((await readPage({ statuses: ['refund'] })).totals).toMatchObject({
    rows: 1,
    payments: 0,
    refundedCents: -3_000,
  });
});

it('filters by card reader, with all totals of its payments and their refunds', async () => {
  const atReader = { channel: 'terminal', terminal_id: 't1' };
  await addPaidInvoice('a', atReader);
  await returnMoney('a', 'refund', 3_000);
  await addPaidInvoice('other', { channel: 'terminal', terminal_id: 't2' });
  // A payment by pay link also has a terminal at the card provider.
  await addPaidInvoice('link');
  await addPayment('way', { state: 'pending', method: 'ach', channel: 'link', created_at: NOON, day: DAY });
  await addPayment('open', { state: 'unknown', ...atReader, created_at: NOON, day: DAY });
  await addPayment('open-link', { state: 'unknown', channel: 'link', created_at: NOON, day: DAY });

  const reader = { terminal: 't1' };
  expect((await listIds(reader)).sort()).toEqual(['refund-a', 'txn-a']);
  expect((await readPage(reader)).totals).toMatchObject({
    rows: 2,
    payments: 1,
    paidCents: 10_000,
    refundedCents: -3_000,
    onItsWay: { count: 0 },
    unknown: { count: 1, cents: 10_000 },
  });
  expect(await listIds({ ...reader, places: await findPayments(db, { ...ALL, ...reader }, 'marta') })).toHaveLength(2);

  const online = await readPage({ terminal: 'online' });
  expect(online.entries.map(({ status }) => status).sort()).toEqual(['paid', 'submitted']);
  expect(online.totals).toMatchObject({ rows: 2, payments: 1, onItsWay: { count: 1 }, unknown: { count: 1 } });
  expect(await listIds({ terminal: 'gone' })).toEqual([]);
});

it('excludes other accounts', async () => {
  await add('accounts', { account_id: ACCOUNT + 1 });
  await addPaidInvoice('a', { account_id: ACCOUNT + 1 }, { account_id: ACCOUNT + 1 });
  expect(await readPage()).toMatchObject({ entries: [], totals: { rows: 0, unknown: { count: 0 } } });
});

describe('a pending bank payment', () => {
  const submitted = { state: 'pending', method: 'ach', provider_txn_id: 'ach-b', created_at: NOON, day: DAY };

  it('is a row that counts as zero, with a total separate from the ledger’s', async () => {
    await addPaidInvoice('a', {}, { at: NOON - 1 });
    await addPaidInvoice('v', { state: 'voided' }, { at: NOON - 2 });
    await returnMoney('v', 'void', 10_000);
    await addPayment('b', { ...submitted, payer_first_name: 'Renée', invoice_number: 'INV-b' });
    const { entries, totals } = await readPage();
    expect(entries.map(({ id, status, countedCents }) => [id, status, countedCents])).toEqual([
      ['ach-b', 'submitted', 0],
      ['txn-a', 'paid', 10_000],
      ['txn-v', 'voided', 0],
    ]);
    expect(entries[0]).toMatchObject({ amountCents: 10_000, day: DAY, payer: 'Renée', invoiceNumber: 'INV-b' });
    expect(totals).toMatchObject({ rows: 3, payments: 1, paidCents: 10_000, voided: 1, refunds: 0 });
    expect(totals).toMatchObject({ onItsWay: { count: 1, cents: 10_000 }, unknown: { count: 0 } });
  });

  it('is found by its status and by a search, but not outside its days', async () => {
    await addPaidInvoice('a', {}, { at: NOON - 1 });
    await addPayment('b', { ...submitted, payer_first_name: 'Renée' });
    expect(await listIds({ statuses: ['submitted'] })).toEqual(['ach-b']);
    expect(await readPage({ statuses: ['paid'] })).toMatchObject({
      entries: [{ id: 'txn-a' }],
      totals: { rows: 1, onItsWay: { count: 0, cents: 0 } },
    });
    expect(await listIds({ places: await findPayments(db, ALL, 'renee') })).toEqual(['ach-b']);
    expect(await listIds({ places: await findPayments(db, ALL, 'marta') })).toEqual(['txn-a']);
    expect(await listIds({ from: '2026-03-05', to: '2026-03-06' })).toEqual([]);
  });

  it('remains a row that counts as zero after its bank has returned it, with a separate count', async () => {
    const returned = { ...submitted, state: 'returned', settled_at: NOON };
    await addPayment('b', { ...returned, payer_first_name: 'Renée' });
    await addPaidInvoice('r', { state: 'returned', method: 'ach' }, { at: NOON - 2, method: 'ach' });
    await returnMoney('r', 'return', 10_000, { at: NOON - 1 });
    const { entries, totals } = await readPage();
    expect(entries.map(({ id, status, countedCents }) => [id, status, countedCents])).toEqual([
      ['ach-b', 'returned', 0],
      ['return-r', 'return', -10_000],
      ['txn-r', 'returned', 10_000],
    ]);
    expect(totals).toMatchObject({ rows: 3, payments: 1, refunds: 1, returned: 1, onItsWay: { count: 0 } });
    expect(await listIds({ statuses: ['returned'] })).toEqual(['ach-b', 'txn-r']);
    expect(await listIds({ places: await findPayments(db, ALL, 'renee') })).toEqual(['ach-b']);
  });

  it('is one row once the ledger has booked it', async () => {
    await addPayment('b', { ...submitted, state: 'approved' });
    await addEntry('b', { provider_txn_id: 'ach-b', method: 'ach', at: NOON, day: DAY });
    const { entries, totals } = await readPage();
    expect(entries).toMatchObject([{ id: 'ach-b', status: 'paid', countedCents: 10_000 }]);
    expect(totals).toMatchObject({ rows: 1, onItsWay: { count: 0, cents: 0 } });
  });

  it.each([true, false])(
    'is read in order with others, in pages and in pieces (newest first: %s)',
    async (isNewestFirst) => {
      const at = (hours: number) => NOON + hours * 3_600_000;
      await addPaidInvoice('a', {}, { at: at(-1) });
      await addPaidInvoice('c', {}, { at: at(1) });
      await addPaidInvoice('e', {}, { at: at(2) });
      for (const [id, hours] of [
        ['b', 0],
        ['d', 1],
        ['f', 1],
      ] as const)
        await addPayment(id, { ...submitted, provider_txn_id: `txn-${id}`, created_at: at(hours) });
      const pages = await Promise.all(
        [1, 2, 3].map((page) => readPage({ isDescending: isNewestFirst }, { page, size: 2 })),
      );
      const inPages = pages.flatMap(({ entries }) => entries);
      const times = inPages.map((entry) => entry.at);
      expect(times).toEqual(times.toSorted((a, b) => (isNewestFirst ? b - a : a - b)));
      expect(inPages.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `txn-${id}`));
      const pieces: typeof inPages = [];
      for (let size = -1; size !== pieces.length; ) {
        size = pieces.length;
        pieces.push(
          ...(await readPaymentsAfter(db, { ...ALL, isDescending: isNewestFirst }, pieces.at(-1) ?? null, 1)),
        );
      }
      expect(pieces).toEqual(inPages);
    },
  );
});

it('counts every row in one of its totals', async () => {
  await addPaidInvoice('a');
  await addPaidInvoice('v', { state: 'voided' });
  await returnMoney('v', 'void', 10_000);
  await returnMoney('a', 'refund', 3_000);
  await addEntry('a', { provider_txn_id: 'fix', kind: 'refund', amount_cents: 3_000, corrects: 1, at: NOON, day: DAY });
  const { entries, totals } = await readPage();
  expect(totals).toMatchObject({ rows: 4, payments: 1, voided: 1, refunds: 1, corrections: 1 });
  expect(entries).toHaveLength(4);
});

it('counts the refund of a payment that was voided later as a refund, not as a void', async () => {
  await addPaidInvoice('v', { state: 'voided' });
  await returnMoney('v', 'refund', 3_000);
  await returnMoney('v', 'void', 7_000);
  const { totals } = await readPage();
  expect(totals).toMatchObject({ rows: 2, payments: 0, voided: 1, refunds: 1, refundedCents: 0 });
});

it('counts payments without a known outcome separately', async () => {
  await addPayment('a', { state: 'unknown', day: DAY });
  await addPayment('b', { state: 'needs_human', day: '2026-03-03' });
  await addPayment('c', { state: 'declined', day: DAY });
  expect(await readPage()).toMatchObject({ entries: [], totals: { rows: 0, unknown: { count: 1, cents: 10_000 } } });
});

it.each([true, false])(
  'reads every row once, in order, in pages and in pieces (newest first: %s)',
  async (isDescending) => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await addPaidInvoice(id);
    const query = { ...ALL, isDescending };
    const inOrder = ['a', 'b', 'c', 'd', 'e'].map((id) => `txn-${id}`);
    const expected = isDescending ? inOrder.toReversed() : inOrder;
    const pages = await Promise.all([1, 2, 3].map((page) => readPage({ isDescending }, { page, size: 2 })));
    expect(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(expected);
    expect(pages.map(({ totals }) => totals.rows)).toEqual([5, 5, 5]);
    const first = await readPaymentsAfter(db, query, null, 2);
    const second = await readPaymentsAfter(db, query, first.at(-1) ?? null, 10);
    expect([...first, ...second].map(({ id }) => id)).toEqual(expected);
  },
);
