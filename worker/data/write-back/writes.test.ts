import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import type { CrmWrite } from '#worker/data/schema/crm';
import { claimWrite, findPaymentFacts, listDueWrites, updateWrite } from './writes.ts';

beforeEach(async () => {
  await addClinic();
  for (const id of ['p1', 'p2']) await addPayment(id, { card_last_four: '1111', receipt_to: 'a@x.example' });
});

const addWrite = (id: string, overrides: Record<string, unknown> = {}) =>
  add('crm_writes', { id, attempt_id: 'p1', invoice_id: 'i1', kind: 'payment', state: 'due', ...overrides });
const row = { id: 'w1', accountId: ACCOUNT, invoiceId: 'i1', attemptId: 'p1', state: 'due', tries: 0 } as CrmWrite;
const readStored = () => rowsOf('SELECT * FROM crm_writes ORDER BY id');

it('lists due records longest due first, then oldest first, up to a limit', async () => {
  await addWrite('w1', { next_try_at: 100, created_at: 2 });
  await addWrite('w2', { next_try_at: 100, created_at: 1 });
  await addWrite('w3', { next_try_at: 99, created_at: 3 });
  await addWrite('w4', { next_try_at: 101 });
  await addWrite('w5');
  const listDue = async (limit: number) => (await listDueWrites(db, ACCOUNT, 100, limit)).map(({ id }) => id);
  expect(await listDue(9)).toEqual(['w3', 'w2', 'w1']);
  expect(await listDue(2)).toEqual(['w3', 'w2']);
  expect((await listDueWrites(db, ACCOUNT, 99, 1))[0]).toMatchObject({ id: 'w3', accountId: ACCOUNT, nextTryAt: 99 });
});

describe('the payment facts for the CRM', () => {
  const readFacts = () => findPaymentFacts(db, row);

  it('are those of the ledger, with the contact', async () => {
    await add('invoices', { invoice_id: 'a0', contact_id: 'c2' }, { invoice_id: 'p1', contact_id: 'c1' });
    await addEntry('p2', { provider_txn_id: 'a2' });
    await addEntry('p1', { at: 5 });
    await addEntry('p2', { provider_txn_id: 'b2', kind: 'refund', amount_cents: -9 });
    await addWrite('pay-p2', { state: 'written', attempt_id: 'p2' });
    expect(await readFacts()).toEqual({
      amountCents: 10_000,
      givenBackCents: 0,
      currency: 'USD',
      paidAt: 5,
      method: 'card',
      lastFour: '1111',
      reference: 'txn-p1',
      email: 'a@x.example',
      contactId: 'c1',
      lastKind: null,
      payment: null,
    });
  });

  it('include the returned amount, the kind of the last return, and the payment’s own record', async () => {
    await addEntry('p1', { at: 1_000 });
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'return', amount_cents: -40, at: 9 });
    await addEntry('p1', { provider_txn_id: 'b2', kind: 'refund', amount_cents: -30, at: 8 });
    await addWrite('pay-p1', { state: 'written', object_id: 'o1' });
    const payment = { state: 'written', objectId: 'o1' };
    expect(await readFacts()).toMatchObject({ givenBackCents: 70, lastKind: 'return', contactId: '', payment });
  });

  it('are null when the ledger has no payment', async () => {
    await addEntry('p1', { provider_txn_id: 'b1', kind: 'refund' });
    expect(await readFacts()).toBeNull();
  });
});

describe('claiming a record', () => {
  const claim = (overrides: Partial<CrmWrite> = {}, oneAtATime = false) =>
    claimWrite(db, { ...row, ...overrides }, { balanceCents: 700, oneAtATime, now: 100, nextTryAt: 200 });

  it('succeeds once, for a row unchanged since it was read', async () => {
    await addWrite('w1', { looks: 4 });
    await addWrite('w2', { invoice_id: 'i2' });
    expect(await claim({ state: 'refused' })).toBe(false);
    expect(await claim({ tries: 1 })).toBe(false);
    expect(await claim()).toBe(true);
    expect(await claim()).toBe(false);
    const claimed = { state: 'sent', tries: 1, looks: 0, balance_cents: 700, sent_at: 100, next_try_at: 200 };
    expect(await readStored()).toMatchObject([claimed, { id: 'w2', state: 'due', tries: 0 }]);
  });

  it('succeeds again for a record that was sent earlier', async () => {
    await addWrite('w1', { state: 'sent', tries: 1 });
    expect(await claim({ state: 'sent', tries: 1 })).toBe(true);
  });

  it.each([
    ['of its invoice is under way', { looks: 5 }, false, false],
    ['of another invoice is under way', { invoice_id: 'i2' }, false, true],
    ['of its invoice is written', { state: 'written' }, false, true],
    ['of another invoice is under way, one at a time', { invoice_id: 'i2', looks: 1 }, true, false],
    ['of another invoice was searched for twice, one at a time', { invoice_id: 'i2', looks: 2 }, true, true],
    ['of another account is under way, one at a time', { invoice_id: 'i2', account_id: ACCOUNT + 1 }, true, true],
    ['of another invoice is due, one at a time', { invoice_id: 'i2', state: 'due' }, true, true],
  ])('succeeds or waits while a record %s', async (_title, other, oneAtATime, isClaimed) => {
    await addWrite('w1');
    await addWrite('w2', { state: 'sent', ...other });
    expect(await claim({}, oneAtATime)).toBe(isClaimed);
  });
});

it.each<[string, Partial<CrmWrite>, isMoved: boolean]>([
  ['is unchanged', {}, true],
  ['is in another state', { state: 'sent' }, false],
  ['was tried in the meantime', { tries: 1 }, false],
])('updates a row only if it is unchanged since it was read: a row that %s', async (_title, changes, isUpdated) => {
  await addWrite('w1');
  await addWrite('w2');
  await updateWrite(db, { ...row, ...changes }, { said: 'No' });
  expect(await readStored()).toMatchObject([{ said: isUpdated ? 'No' : '' }, { said: '' }]);
});
