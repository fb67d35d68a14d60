import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, type LookUpScript, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolvePayment } from './resolve-payment.ts';

const DAY = 86_400_000;
type Verdict = 'charged' | 'not-charged';

beforeEach(() => addClinic({ time_zone: 'UTC' }, 't1'));

const merchant = { sessionId: '', accountId: ACCOUNT, userId: 3, role: 'admin' } as const;
const decide = (deps: Deps, verdict: Verdict, id = 'p1', accountId = ACCOUNT) =>
  resolvePayment(deps, { ...merchant, accountId }, id, { verdict, note: 'Called' });

/** Decides on a payment of 100.00 in manual review, with this response of the gateway. */
async function decideAt(verdict: Verdict, response: LookUpScript, payment: Record<string, unknown> = {}) {
  await addPayment('p1', {
    invoice_id: 'i1',
    state: 'needs_human',
    needs_human_from: 'unknown',
    terminal_id: 't1',
    dedupe_key: 'k1',
    hold_until: NOW,
    created_at: NOW - 2 * DAY,
    time_zone: 'UTC',
    ...payment,
  });
  const { deps, logs } = depsWithGateway(response);
  const answer = await decide(deps, verdict);
  const [storedAttempt] = await rowsOf<{ state: string; next_check_at: number | null }>(
    "SELECT state, next_check_at FROM payment_attempts WHERE id = 'p1'",
  );
  return { answer, logs, state: storedAttempt?.state, next_check_at: storedAttempt?.next_check_at };
}
const charge = (overrides: Partial<GatewayTransaction> = {}) =>
  refundOf({ attemptId: 'p1', kind: 'SALE', amountCents: 10_000, ...overrides });
const contradictionOf = (reason: string) => ({ kind: 'contradicted', why: expect.stringContaining(reason) });
const addInvoice = (overrides: Record<string, unknown> = {}) =>
  add('invoices', {
    invoice_id: 'i1',
    status: 'open',
    currency: 'USD',
    balance_cents: 10_000,
    billed_cents: 10_000,
    collection: 1,
    ...overrides,
  });
const readFreezeEvents = () =>
  rowsOf("SELECT subject_id, before, after FROM audit_events WHERE action = 'parts.frozen'");

describe('deciding that a payment was charged', () => {
  it('books the payment and records the decision when the gateway shows it once', async () => {
    const { answer, logs, state } = await decideAt('charged', [charge(), charge({ id: 'g2', isVoided: true })]);
    expect([answer, state]).toMatchObject([{ kind: 'resolved', attempt: { state: 'approved' } }, 'approved']);
    expect(await rowsOf('SELECT provider_txn_id AS id, amount_cents FROM ledger')).toEqual([
      { id: 'g1', amount_cents: 10_000 },
    ]);
    expect(logs).toContainEqual(['payment-resolved', { attemptId: 'p1', verdict: 'charged', userId: 3 }]);
    const decision = { attempt_id: 'p1', verdict: 'charged', note: 'Called', resolved_by: 3, at: NOW };
    expect(await rowsOf('SELECT * FROM resolutions')).toMatchObject([decision]);
  });

  it.each<[string, GatewayTransaction[], string]>([
    ['nothing', [], 'shows no money taken'],
    ['a declined charge', [charge({ state: 'declined' })], 'shows no money taken'],
    ['a charge of another order', [charge({ attemptId: 'else' })], 'shows no money taken'],
    ['two charges', [charge(), charge({ id: 'g2' })], 'more than one charge'],
    ['a pending charge', [charge({ state: 'pending' })], 'has not decided'],
    ['another amount', [charge({ amountCents: 9_999 })], 'a different amount'],
  ])('is contradicted when the gateway shows %s', async (_title, response, reason) => {
    const { answer, state } = await decideAt('charged', response);
    expect([answer, state]).toMatchObject([contradictionOf(reason), 'needs_human']);
  });

  it('is contradicted when our books have the charge for another payment', async () => {
    await addPayment('p2');
    await addEntry('p2', { provider_txn_id: 'g1' });
    expect((await decideAt('charged', [charge()])).answer).toMatchObject(contradictionOf('belongs to another payment'));
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
    ['another payment is booked', {}, { state: 'approved', part: 2 }, false],
    ['another payment was refunded', {}, { state: 'refunded', refunded_cents: 10_000 }, true],
    ['the installments leave just enough', { collection_base_cents: 10_500 }, { part: 2, amount_cents: 500 }, true],
    [
      'the installments leave a cent too little',
      { collection_base_cents: 10_499 },
      { part: 2, amount_cents: 500 },
      false,
    ],
    ['another payment is under way', {}, { state: 'unknown' }, false],
  ])('books the payment or is contradicted for an invoice where %s', async (_title, invoice, other, isBooked) => {
    await addInvoice(invoice);
    await addPayment('p2', { invoice_id: 'i1', ...other });
    const { answer } = await decideAt('charged', [charge()]);
    expect(answer).toMatchObject(isBooked ? { kind: 'resolved' } : contradictionOf('Another payment of this invoice'));
  });
});

describe('the rest of an invoice that a lost charge paid in part', () => {
  it('waits for a person, frozen and recorded in the audit trail', async () => {
    await addInvoice({ balance_cents: 10_001, billed_cents: 12_000 });
    await decideAt('charged', [charge()]);
    const previousState = '{"balanceCents":10001}';
    expect(await readFreezeEvents()).toEqual([
      { subject_id: 'i1', before: previousState, after: '{"balanceCents":10001,"status":"open"}' },
    ]);
    const collection = { invoice_id: 'i1', n: 1, state: 'frozen', opened_by: 3, opened_at: NOW };
    expect(await rowsOf('SELECT * FROM collections')).toMatchObject([collection]);
  });

  it.each<[string, Verdict, Record<string, unknown> | null]>([
    ['is paid in full', 'charged', {}],
    ['has an unknown balance', 'charged', { balance_cents: null }],
    ['is not stored', 'charged', null],
    ['was already paid here', 'charged', { balance_cents: 10_001, local_status: 'paid' }],
    ['is in installments', 'charged', { balance_cents: 10_001, collection_base_cents: 20_000 }],
    ['was not charged', 'not-charged', { balance_cents: 10_001 }],
  ])('is not frozen when the invoice %s', async (_title, verdict, invoice) => {
    if (invoice) await addInvoice(invoice);
    expect((await decideAt(verdict, verdict === 'charged' ? [charge()] : [])).answer).toMatchObject({
      kind: 'resolved',
    });
    expect(await readFreezeEvents()).toEqual([]);
  });
});

describe('deciding that a payment was not charged', () => {
  it.each<[string, GatewayTransaction[]]>([
    ['nothing', []],
    ['the charge in an unknown state', [charge({ state: 'other' })]],
    ['the charge as voided', [charge({ isVoided: true })]],
  ])('releases the payment and schedules one more check when the gateway shows %s', async (_title, response) => {
    const { answer, state, next_check_at } = await decideAt('not-charged', response);
    expect([answer, state, next_check_at]).toMatchObject([{ kind: 'resolved' }, 'not_charged', NOW + DAY]);
    expect(await rowsOf('SELECT verdict FROM resolutions')).toEqual([{ verdict: 'not-charged' }]);
  });

  it.each<[string, GatewayTransaction[], Record<string, unknown>, string]>([
    ['the charge', [charge()], {}, 'shows money taken'],
    ['the charge as undecided', [charge({ state: 'pending' })], {}, 'shows money taken'],
    ['nothing, while it may be on its way', [], { hold_until: NOW + 1 }, 'may still be on its way'],
  ])('is contradicted when the gateway shows %s', async (_title, response, payment, reason) => {
    const { answer, state } = await decideAt('not-charged', response, payment);
    expect([answer, state]).toMatchObject([contradictionOf(reason), 'needs_human']);
  });
});

describe('a decision on a payment', () => {
  it('is unavailable while the gateway does not answer', async () => {
    expect((await decideAt('charged', 'unavailable')).answer).toEqual({ kind: 'unavailable' });
  });

  it('is made once, and only on a payment of the account', async () => {
    const decidedAnswer = { kind: 'contradicted', why: 'This payment is already decided.' };
    expect((await decideAt('charged', [charge()], { state: 'approved' })).answer).toEqual(decidedAnswer);
    const { deps } = depsWithGateway([charge()]);
    expect(await decide(deps, 'charged', 'p1', ACCOUNT + 1)).toEqual({ kind: 'not-found' });
    expect(await decide(deps, 'charged', 'p9')).toEqual({ kind: 'not-found' });
  });

  it('fails when the database fails', async () => {
    await decideAt('charged', []);
    const batch = async () => {
      throw new Error('D1_ERROR: reset');
    };
    const $client = { prepare: (sql: string) => db.$client.prepare(sql), batch };
    const failingDb = Object.assign(Object.create(db), { $client });
    const deps = { ...depsWithGateway([charge()]).deps, db: failingDb };
    await expect(decide(deps, 'charged')).rejects.toThrow('reset');
  });
});
