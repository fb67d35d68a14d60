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
import { findReversalWrite, listRecordedEntries, markPaymentByHand, markReversalByHand } from './unrecorded.ts';

const QUARTER_MS = 15 * 60_000;
const NOW = 2 * QUARTER_MS;
const NEWEST = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

beforeEach(async () => {
  await addClinic();
  await addPayment('p1', { invoice_number: 'INV-1', refunded_cents: 300 });
  await addPayment('p2');
});

const addWrite = (id: string, overrides: Record<string, unknown> = {}) =>
  add('crm_writes', { id, attempt_id: 'p1', kind: 'payment', state: 'due', ...overrides });
const readStored = () => rowsOf('SELECT * FROM crm_writes ORDER BY id');

describe('the ledger entries with their CRM records', () => {
  const listReferences = async (position = NEWEST, limit = 9) =>
    (await listRecordedEntries(db, ACCOUNT, position, limit)).map(({ reference }) => reference);

  it('come newest first from a cursor, up to a limit', async () => {
    await addEntry('p2', { provider_txn_id: 'd', at: 7, kind: 'refund' });
    await addEntry('p1', { provider_txn_id: 'b', at: 6, kind: 'refund' });
    await addEntry('p2', { provider_txn_id: 'c', at: 6 });
    await addEntry('p1', { provider_txn_id: 'a', at: 5 });
    expect(await listReferences()).toEqual(['d', 'c', 'b', 'a']);
    expect(await listReferences(NEWEST, 2)).toEqual(['d', 'c']);
    const [, third] = await listRecordedEntries(db, ACCOUNT, NEWEST, 9);
    expect(await listReferences(third)).toEqual(['b', 'a']);
  });

  it('include the payment, its invoice and its own record', async () => {
    await add('invoices', { invoice_id: 'p1', company_name: 'Núñez Studio', contact_first_name: 'M', status: 'open' });
    await addEntry('p1', { at: 5 });
    await addWrite('pay-p1', { state: 'written', effect: 'paid', said: 'x', created_at: 1, sent_at: 2, done_at: 3 });
    await addWrite('rev-p1-txn-p1', { kind: 'reversal', state: 'unknown' });
    expect(await listRecordedEntries(db, ACCOUNT, NEWEST, 9)).toMatchObject([
      {
        id: 'p1',
        kind: 'payment',
        invoiceId: 'p1',
        invoiceNumber: 'INV-1',
        customer: 'Núñez Studio',
        amountCents: 10_000,
        refundedCents: 300,
        attemptState: 'approved',
        crmStatus: 'open',
        reference: 'txn-p1',
        state: 'written',
        paymentState: 'written',
        effect: 'paid',
        said: 'x',
        since: 3,
      },
    ]);
  });

  it('include a reversal’s own record, and the state of its payment’s record', async () => {
    await add('invoices', { invoice_id: 'p2', contact_first_name: 'Marta', contact_last_name: 'Núñez' });
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', amount_cents: -300, at: 5 });
    await addEntry('p2', { provider_txn_id: 'b2', kind: 'refund', at: 4 });
    await addWrite('pay-p1', { state: 'written' });
    await addWrite('rev-p1-b1', { kind: 'reversal', state: 'sent', created_at: 1, sent_at: 2 });
    expect(await listRecordedEntries(db, ACCOUNT, NEWEST, 9)).toMatchObject([
      {
        id: 'rev-p1-b1',
        amountCents: 300,
        state: 'sent',
        paymentState: 'written',
        since: 2,
        customer: '',
        crmStatus: '',
      },
      { id: 'rev-p2-b2', state: null, paymentState: null, since: null, customer: 'Marta Núñez' },
    ]);
  });
});

describe('a payment recorded by hand', () => {
  const mark = (id = 'p1') =>
    markPaymentByHand(
      db,
      { accountId: ACCOUNT, id, note: 'Done', decidedBy: 3 },
      NOW,
      eventOf('payment.recorded-by-hand'),
    );
  const byHand = { state: 'by_hand', note: 'Done', decided_by: 3, done_at: NOW, next_try_at: null };

  it('is saved when it was never sent to the CRM', async () => {
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund', at: 6 });
    await addEntry('p1', { at: 5 });
    await addEntry('p2', { at: 7 });
    expect(await mark()).toBe(true);
    expect(await readStored()).toMatchObject([
      { ...byHand, id: 'pay-p1', invoice_id: 'p1', kind: 'payment', amount_cents: 10_000, created_at: 5 },
    ]);
    expect(await readAuditActions()).toEqual(['payment.recorded-by-hand']);
    expect(await mark('p9')).toBe(false);
  });

  it.each([
    ['refused', {}, true],
    ['unknown', {}, true],
    ['not_wanted', {}, true],
    ['written', { effect: 'nothing_moved' }, true],
    ['written', { effect: 'paid' }, false],
    ['by_hand', { effect: 'nothing_moved', note: 'Earlier' }, false],
  ])('is saved only if its record is not settled: %s, with %o: %s', async (state, overrides, isMarked) => {
    await add('crm_write_settings', { is_on: 1 });
    await addEntry('p1');
    await rowsOf('DELETE FROM crm_writes');
    await addWrite('pay-p1', { state, ...overrides });
    expect(await mark()).toBe(isMarked);
    expect(await readStored()).toMatchObject([isMarked ? byHand : { state, ...overrides }]);
  });

  const ago = (ms: number) => NOW - ms;
  it.each([
    ['due', {}, true],
    ['sent', { sent_at: ago(QUARTER_MS) }, true],
    ['sent', { sent_at: ago(QUARTER_MS - 1) }, false],
    ['written', { done_at: ago(QUARTER_MS) }, true],
    ['written', { done_at: ago(QUARTER_MS - 1) }, false],
    ['written', { done_at: ago(QUARTER_MS), effect: 'balance_moved' }, false],
    ['written', { sent_at: ago(QUARTER_MS), effect: 'paid' }, false],
    ['by_hand', { done_at: ago(QUARTER_MS), note: 'Earlier' }, false],
  ])(
    'is saved only if its record can no longer arrive, with write-back off: %s, with %o: %s',
    async (state, overrides, isMarked) => {
      await addEntry('p1');
      await addWrite('pay-p1', { state, next_try_at: 1, ...overrides });
      expect(await mark()).toBe(isMarked);
      expect(await readStored()).toMatchObject([isMarked ? byHand : { state, next_try_at: 1 }]);
    },
  );

  it.each([
    ['is off', { is_on: 0 }, true],
    ['cannot write', { is_on: 1, state: 'cannot' }, true],
    ['writes', { is_on: 1 }, false],
  ])(
    'is saved with a due record only if the account does not write: an account that %s',
    async (_title, settings, isMarked) => {
      await add('crm_write_settings', settings);
      await addEntry('p1');
      await rowsOf('DELETE FROM crm_writes');
      await addWrite('pay-p1');
      expect(await mark()).toBe(isMarked);
    },
  );

  it('is saved even if another account writes', async () => {
    await add('accounts', { account_id: ACCOUNT + 1 });
    await add('crm_write_settings', { account_id: ACCOUNT + 1, is_on: 1 });
    await addEntry('p1');
    await addWrite('pay-p1');
    expect(await mark()).toBe(true);
  });
});

describe('a reversal recorded by hand', () => {
  const mark = (id = 'rev-p1-b1') =>
    markReversalByHand(
      db,
      { accountId: ACCOUNT, id, note: 'Done', decidedBy: 3 },
      NOW,
      eventOf('payment.recorded-by-hand'),
    );

  it.each([
    ['refused', { is_on: 1 }, true],
    ['unknown', { is_on: 1 }, true],
    ['due', { is_on: 1 }, false],
    ['due', { is_on: 0 }, true],
    ['sent', { is_on: 0 }, false],
  ])(
    'is saved only if nothing will write it: its record is %s and the account is %o: %s',
    async (state, settings, isMarked) => {
      await add('crm_write_settings', settings);
      await addWrite('rev-p1-b1', { kind: 'reversal', state, next_try_at: 1 });
      await addWrite('rev-p1-b2', { kind: 'reversal', state });
      expect(await mark()).toBe(isMarked);
      const byHand = { state: 'by_hand', note: 'Done', decided_by: 3, done_at: NOW, next_try_at: null };
      expect(await readStored()).toMatchObject([isMarked ? byHand : { state, next_try_at: 1 }, { state }]);
      expect(await readAuditActions()).toHaveLength(isMarked ? 1 : 0);
    },
  );

  it('is not saved for a payment, and is found by its own id', async () => {
    await addWrite('pay-p1', { state: 'refused' });
    await addWrite('rev-p2-b1', { kind: 'reversal', attempt_id: 'p2' });
    expect(await mark('pay-p1')).toBe(false);
    const attemptIds = ['rev-p2-b1', 'pay-p1', 'rev-p9-b1'].map((id) => findReversalWrite(db, ACCOUNT, id));
    expect(await Promise.all(attemptIds)).toEqual(['p2', null, null]);
  });
});
