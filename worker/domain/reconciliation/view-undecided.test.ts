import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import { viewReconciliation } from './view-reconciliation.ts';

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

beforeEach(() => addClinic({}, 't1'));

const view = () => viewReconciliation(depsWithGateway([]).deps, ACCOUNT);

describe('the last check of an account', () => {
  it.each<[string, (number | null)[], (number | null)[], string | null, string | null]>([
    ['no run yet', [], [], null, null],
    ['one method without a run', [5, null], [null, null], null, null],
    ['the earlier end of two runs', [5, 3], [null, null], iso(3), null],
    ['one method failing', [5, 3], [9, null], iso(3), iso(9)],
    ['both methods failing', [5, 3], [9, 8], iso(3), iso(8)],
  ])('is shown with the right times: %s', async (_title, endTimes, failureTimes, checked_at, failing_since) => {
    for (const [at, ended_at] of endTimes.entries())
      await add('reconciliation_cursors', {
        method: at === 0 ? 'card' : 'ach',
        ended_at,
        failing_since: failureTimes[at],
      });
    expect(await view()).toMatchObject({ checked_at, failing_since });
  });
});

describe('mismatches', () => {
  const addCursor = (overrides: Record<string, unknown> = {}) =>
    add('reconciliation_cursors', { method: 'card', read_from: 0, read_until: NOW, ...overrides });

  it.each<[string, Record<string, unknown>, number, boolean]>([
    ['sixty days ago', {}, NOW - 60 * DAY, true],
    ['more than sixty days ago', {}, NOW - 60 * DAY - 1, false],
    ['at the start of the compared time', { read_from: NOW - 5 }, NOW - 5, true],
    ['before the start of the compared time', { read_from: NOW - 5 }, NOW - 6, false],
    ['at the end of the compared time', { read_until: NOW - 5 }, NOW - 5, true],
    ['after the end of the compared time', { read_until: NOW - 5 }, NOW - 4, false],
  ])('include an unmatched ledger entry only if recent and compared: %s', async (_title, cursor, at, isShown) => {
    await addCursor(cursor);
    await addPayment('p1');
    await addEntry('p1', { at });
    expect((await view()).differences.map(({ verdict }) => verdict)).toEqual(isShown ? ['only-ours'] : []);
  });

  it('include gateway transactions that still differ from our books', async () => {
    await addPayment('p1');
    const txn = { method: 'card', verdict: 'only-gateway', net_cents: 10_000, at: 1 };
    await add('gateway_transactions', { ...txn, provider_txn_id: 'txn-p1' });
    await add('gateway_transactions', { ...txn, provider_txn_id: 'g2', net_cents: null, amount_cents: 7 });
    await add('gateway_transactions', { ...txn, provider_txn_id: 'g3', amount_cents: 7 });
    await addEntry('p1');
    expect((await view()).differences).toMatchObject([{ id: 'g3', amount: '100.00', ours: null, at: iso(1) }]);
  });
});

describe('the manual review list', () => {
  it.each([
    ['unknown', 'unknown'],
    ['pending', 'pending'],
    ['not_charged', 'not_charged'],
    ['cancelled', 'cancelled'],
    ['timed_out', 'timed_out'],
    ['', 'lost'],
  ])('shows a payment that was %s before as %s', async (needs_human_from, held_for) => {
    await addPayment('p1', { state: 'needs_human', needs_human_from, created_at: 5, invoice_number: 'INV-1' });
    const expectedPayment = {
      payment_id: 'p1',
      invoice_number: 'INV-1',
      amount: '100.00',
      customer: '',
      since: iso(5),
    };
    expect((await view()).undecided).toEqual([{ ...expectedPayment, invoice_id: 'p1', held_for }]);
  });

  it.each([
    [{ contact_first_name: 'Marta', contact_last_name: 'Núñez', company_name: 'X' }, 'Marta Núñez'],
    [{ contact_last_name: 'Núñez' }, 'Núñez'],
    [{ company_name: 'Núñez Studio' }, 'Núñez Studio'],
  ])('shows the customer of %o', async (invoice, customer) => {
    await add('invoices', { invoice_id: 'p1', ...invoice });
    await addPayment('p1', { state: 'needs_human' });
    expect((await view()).undecided).toMatchObject([{ customer }]);
  });

  it('shows voids and refunds with the payment, the reason and the requester', async () => {
    await addPayment('p1', { refunded_cents: 300 });
    const columns = { request_key: 'r1', kind: 'refund', amount_cents: 700, reason: 'Cancelled', message: 'Twice' };
    await add('reversals', {
      ...columns,
      id: 'r1',
      attempt_id: 'p1',
      state: 'needs_human',
      requested_by: 1,
      created_at: 5,
    });
    const expectedRow = {
      reversal_id: 'r1',
      kind: 'refund',
      amount: '7.00',
      paid: '100.00',
      given_back: '3.00',
      why: 'Twice',
    };
    expect((await view()).undecided_reversals).toMatchObject([
      { ...expectedRow, by: '', reason: 'Cancelled', since: iso(5) },
    ]);
  });
});

it('shows the last twenty decisions on payments and refunds, newest first', async () => {
  await addPayment('p1', { invoice_number: 'INV-1' });
  await add('reversals', { id: 'r1', attempt_id: 'p1', kind: 'void', amount_cents: 700, state: 'not_done' });
  const addDecisions = (table: string, subjectColumn: string, id: string, verdict: string, first: number) =>
    rowsOf(
      `WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 20)
        INSERT INTO ${table} (id, account_id, ${subjectColumn}, verdict, note, resolved_by, at) SELECT 'x' || n, ?, ?, ?, '', 1, ? + 2 * n FROM n`,
      ...[ACCOUNT, id, verdict, first],
    );
  await addDecisions('resolutions', 'attempt_id', 'p1', 'charged', 100);
  await addDecisions('reversal_resolutions', 'reversal_id', 'r1', 'not-happened', 101);
  const { resolved } = await view();
  const first = { about: 'void', verdict: 'not-happened', amount: '7.00', invoice_number: 'INV-1', by: '' };
  expect(resolved).toHaveLength(20);
  expect(resolved.slice(0, 2)).toMatchObject([
    { ...first, at: iso(141) },
    { about: 'payment', amount: '100.00', at: iso(140) },
  ]);
});
