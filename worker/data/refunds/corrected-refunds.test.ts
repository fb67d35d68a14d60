import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  add,
  addClinic,
  addEntry,
  addPayment,
  db,
  eventOf,
  readAuditActions,
  rowsOf,
} from '#tests/support/unit/rows';
import type { Reversal } from '#worker/data/schema/refunds';
import { findBookedRefund, writeCorrection } from './corrected-refunds.ts';
import { findReversal } from './reversals.ts';

beforeEach(async () => {
  await addClinic();
  await addPayment('p1');
  await addPayment('p2');
});

const addReversal = (id: string, overrides: Record<string, unknown> = {}) =>
  add('reversals', {
    id,
    attempt_id: 'p1',
    request_key: id,
    kind: 'refund',
    amount_cents: 3_000,
    provider_txn_id: 'g1',
    state: 'approved',
    ...overrides,
  });
const addRefund = (provider_txn_id = 'g1', overrides: Record<string, unknown> = {}) =>
  addEntry('p1', { provider_txn_id, kind: 'refund', amount_cents: -3_000, ...overrides });

describe('finding a recorded refund by its number', () => {
  const find = () => findBookedRefund(db, { accountId: ACCOUNT, method: 'card' }, 'g1');

  it.each(['approved', 'not_done'])('returns it with its payment when it is %s', async (state) => {
    await addEntry('p2', { provider_txn_id: 'g0', kind: 'refund' });
    await addRefund();
    await addReversal('r0', { provider_txn_id: 'g0' });
    await addReversal('r1', { state });
    expect(await find()).toMatchObject({ reversal: { id: 'r1' }, attempt: { id: 'p1' } });
  });

  it.each([
    ['was never carried out', { state: 'refused' }, {}],
    ['is a void', { kind: 'void' }, {}],
    ['is of another payment', { attempt_id: 'p2' }, {}],
    ['has another number', { provider_txn_id: 'g2' }, {}],
    ['is booked as a payment', {}, { kind: 'payment' }],
    ['is booked for a bank debit', {}, { method: 'ach' }],
    ['is booked under another number', {}, { provider_txn_id: 'g2' }],
  ])('does not return one that %s', async (_title, reversalFields, entryFields) => {
    await addReversal('r1', reversalFields);
    await addRefund('g1', entryFields);
    expect(await find()).toBeUndefined();
  });
});

describe('correcting a refund', () => {
  const read = async (id = 'r1'): Promise<Reversal> => {
    const stored = await findReversal(db, id);
    if (!stored) throw new Error('not stored');
    return stored;
  };
  /** The provider shows this amount (cents) for the refund of 30.00. */
  const correct = async (cents: number, changes: Partial<Reversal> = {}) =>
    writeCorrection(
      db,
      { ...(await read()), ...changes },
      {
        entry: {
          accountId: ACCOUNT,
          providerTxnId: 'g1-1',
          attemptId: 'p1',
          invoiceId: 'p1',
          kind: 'refund',
          amountCents: 3_000 - cents,
          currency: 'USD',
          channel: 'link',
          method: 'card',
          brand: 'VISA',
          at: 9,
          day: '1970-01-01',
        },
        cents,
        at: 9,
        message: 'Changed at the card provider',
      },
      eventOf('reversal.moved'),
    );
  const readPayments = () => rowsOf('SELECT state, refunded_cents FROM payment_attempts ORDER BY id');
  const readEntries = () =>
    rowsOf(`SELECT provider_txn_id AS id, kind, amount_cents AS cents FROM ledger
      WHERE attempt_id = 'p1' AND provider_txn_id LIKE 'g1-%' ORDER BY 1`);
  const readCrmWrites = () => rowsOf('SELECT id, amount_cents FROM crm_writes ORDER BY id');
  const [id, previousState] = ['g1-1', '{"state":"approved","amountCents":3000}'];

  beforeEach(async () => {
    await addReversal('r1');
    await addReversal('r2', { attempt_id: 'p2', amount_cents: 3_100 });
    await addRefund();
  });

  it('adopts the new amount, records the difference, and saves the old amount in the event', async () => {
    await addPayment('p3', { state: 'voided' });
    await addEntry('p2', { provider_txn_id: 'g2', kind: 'refund', amount_cents: -1 });
    await addReversal('r3', { attempt_id: 'p2' });
    expect(await correct(2_000)).toBe(true);
    expect(await read()).toMatchObject({ state: 'approved', amountCents: 2_000, settledAt: null });
    expect((await read()).message).toBe('Changed at the card provider');
    expect(await read('r2')).toMatchObject({ amountCents: 3_100, message: '' });
    expect(await read('r3')).toMatchObject({ amountCents: 3_000, message: '' });
    expect(await readEntries()).toEqual([{ id, kind: 'refund', cents: 1_000 }]);
    expect(await readPayments()).toEqual([
      { state: 'approved', refunded_cents: 2_000 },
      { state: 'approved', refunded_cents: 0 },
      { state: 'voided', refunded_cents: 0 },
    ]);
    expect(await rowsOf('SELECT action, before FROM audit_events')).toEqual([
      { action: 'reversal.moved', before: previousState },
    ]);
  });

  it('marks a refund that did not happen as not done, and keeps its amount', async () => {
    expect(await correct(0)).toBe(true);
    expect(await read()).toMatchObject({ state: 'not_done', amountCents: 3_000, settledAt: 9 });
    expect(await readPayments()).toMatchObject([{ refunded_cents: 0 }, {}]);
  });

  it.each<[string, Partial<Reversal>]>([
    ['state', { state: 'not_done' }],
    ['amount', { amountCents: 2_999 }],
  ])('changes nothing when its %s has changed', async (_title, changes) => {
    expect(await correct(2_000, changes)).toBe(false);
    expect(await read()).toMatchObject({ amountCents: 3_000, message: '' });
    expect([await readEntries(), await readPayments(), await readAuditActions()]).toMatchObject([
      [],
      [{ refunded_cents: 0 }, {}],
      [],
    ]);
  });

  it.each([
    ['approved', 9_999, 'approved'],
    ['approved', 10_000, 'refunded'],
    ['refunded', 10_000, 'refunded'],
    ['refunded', 9_999, 'approved'],
  ])('updates a payment that is %s: with %i refunded it is %s', async (state, refunded, newState) => {
    await rowsOf('UPDATE payment_attempts SET state = ? WHERE id = ?', state, 'p1');
    await addRefund('g2', { amount_cents: 2_000 - refunded });
    await addEntry('p1');
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'return', amount_cents: -5 });
    await correct(2_000);
    expect(await readPayments()).toMatchObject([{ state: newState, refunded_cents: refunded }, { state: 'approved' }]);
  });

  it('assigns the amount that the refund did not return to the void of a voided payment', async () => {
    await rowsOf("UPDATE payment_attempts SET state = 'voided' WHERE id = 'p1'");
    await addEntry('p1', { provider_txn_id: 'v1', kind: 'void', amount_cents: -7_000 });
    await correct(2_000);
    expect(await readEntries()).toEqual([
      { id, kind: 'refund', cents: 1_000 },
      { id: 'g1-1-payment', kind: 'void', cents: -1_000 },
    ]);
    expect(await readPayments()).toMatchObject([{ state: 'voided', refunded_cents: 10_000 }, {}]);
  });

  it('leaves a voided payment voided when less was returned', async () => {
    await rowsOf("UPDATE payment_attempts SET state = 'voided' WHERE id = 'p1'");
    await correct(2_000);
    expect(await readPayments()).toMatchObject([{ state: 'voided', refunded_cents: 3_000 }, {}]);
  });

  it('writes no void of a voided payment when it changes nothing', async () => {
    await rowsOf("UPDATE payment_attempts SET state = 'voided' WHERE id = 'p1'");
    expect(await correct(2_000, { amountCents: 1 })).toBe(false);
    expect(await readEntries()).toEqual([]);
  });

  it('leaves the payment unchanged when nothing is corrected, even if similar rows exist', async () => {
    await addEntry('p2', { provider_txn_id: 'g1-1', kind: 'refund', amount_cents: -1, method: 'ach' });
    await add('crm_writes', { id: 'rev-p1-g1-1', attempt_id: 'p1', kind: 'reversal', state: 'due', amount_cents: 50 });
    await correct(2_000, { amountCents: 1 });
    expect(await readPayments()).toMatchObject([{ refunded_cents: 0 }, { refunded_cents: 0 }]);
    expect(await readCrmWrites()).toEqual([{ id: 'rev-p1-g1-1', amount_cents: 50 }]);
  });

  it.each([
    [2_000, -1_000],
    [3_500, 500],
  ])('queues the difference to %i for the CRM: %i', async (cents, difference) => {
    await add('crm_writes', { id: 'pay-p1', attempt_id: 'p1', kind: 'payment', state: 'due', amount_cents: 10_000 });
    await correct(cents);
    expect(await readCrmWrites()).toEqual([
      { id: 'pay-p1', amount_cents: 10_000 },
      { id: 'rev-p1-g1-1', amount_cents: difference },
    ]);
  });
});
