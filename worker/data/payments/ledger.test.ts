import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { attemptStates } from '#worker/data/schema/payments';
import { reversalStates, reversals } from '#worker/data/schema/refunds';
import { listLedgerEntries, listUnknownPayments } from './ledger.ts';

/** A payment in the ledger, another card payment, and a bank debit. */
async function addThreePayments(invoice = {}) {
  const fixture = await bareBooks();
  await fixture.addInvoice('1', { contactId: 'c1', ...invoice });
  await fixture.addInvoice('2', { contactId: 'c2' });
  for (const [id, invoiceId, row] of [
    ['a1', '1', { providerTxnId: 't1' }],
    ['a2', '2', { providerTxnId: 't2' }],
    ['a3', '3', { providerTxnId: 't3', method: 'ach' }],
  ] as const) {
    await fixture.addAttempt(invoiceId, { id });
    await fixture.addLedger(id, invoiceId, row);
  }
  const addReversal = (id: string, attemptId: string, state: (typeof reversalStates)[number]) =>
    fixture.db.insert(reversals).values({
      id,
      accountId: ACCOUNT,
      attemptId,
      invoiceId: '1',
      kind: 'refund',
      amountCents: 1,
      dedupeKey: id,
      requestKey: id,
      reason: '',
      requestedBy: 1,
      state,
      holdUntil: 0,
      createdAt: NOW,
    });
  const listEntries = async (ids = ['t1', 't3', 'none'], accountId = ACCOUNT) =>
    [...(await listLedgerEntries(fixture.db, accountId, ids))].map(([id, { attempt, kind, reversal, contactId }]) => [
      ...[id, attempt.id, kind, reversal, contactId],
    ]);
  return { ...fixture, list: listEntries, reverse: addReversal };
}

describe('card transactions in the ledger', () => {
  it('are the requested ones, with their payments and contacts', async () => {
    const { list } = await addThreePayments();
    expect(await list()).toEqual([['t1', 'a1', 'payment', null, 'c1']]);
    expect(await list(['t2', 't1'])).toHaveLength(2);
    expect([await list([]), await list(['t1'], ACCOUNT + 1)]).toEqual([[], []]);
  });

  it('have no contact when the invoice is deleted', async () => {
    const { list } = await addThreePayments({ deletedAt: NOW });
    expect(await list()).toEqual([['t1', 'a1', 'payment', null, null]]);
  });

  it.each(reversalStates)('include a reversal only while it is under way: %s', async (state) => {
    const { list, reverse } = await addThreePayments();
    await reverse('r1', 'a1', state);
    await reverse('r2', 'a2', 'sent');
    const isOpen = ['sent', 'unknown', 'needs_human'].includes(state);
    expect(await list()).toEqual([['t1', 'a1', 'payment', isOpen ? state : null, 'c1']]);
  });
});

describe('payments on a terminal with an unknown outcome', () => {
  it('are listed for that terminal only, oldest first', async () => {
    const { addAttempt, db } = await bareBooks();
    for (const [at, state] of attemptStates.entries())
      await addAttempt(`${at}`, { id: state, state, createdAt: NOW - at });
    await addAttempt('other', { state: 'sent', terminalId: 'T2' });
    const unknownStates = attemptStates.filter((state) => ['sent', 'unknown', 'needs_human'].includes(state));
    expect((await listUnknownPayments(db, ACCOUNT, 'T1')).map(({ id }) => id)).toEqual(unknownStates.toReversed());
    expect(await listUnknownPayments(db, ACCOUNT + 1, 'T1')).toEqual([]);
  });

  it('are limited to a hundred', async () => {
    const { addAttempt, db } = await bareBooks();
    for (let at = 0; at <= 100; at++) await addAttempt(`${at}`, { state: 'needs_human' });
    expect(await listUnknownPayments(db, ACCOUNT, 'T1')).toHaveLength(100);
  });
});
