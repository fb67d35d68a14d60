import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import type { Attempt } from '#worker/data/schema/schema';
import {
  claimCheck,
  findAttempt,
  findLedgerPayment,
  listDueAttempts,
  recordCheck,
  recordReportedCharge,
  releaseClaim,
  sumOtherPayments,
} from './attempts.ts';

type Row = Partial<Attempt>;

/** An attempt, and another one that only differs in its invoice. */
async function addTwoAttempts(row: Row = {}) {
  const fixture = await bareBooks();
  for (const id of ['1', '2']) {
    await fixture.addInvoice(id);
    await fixture.addAttempt(id, { state: 'unknown', ...row, id: `a${id}` });
  }
  const read = async (id = 'a1') => {
    const attempt = await findAttempt(fixture.db, id);
    if (!attempt) throw new Error('there is no attempt');
    return attempt;
  };
  return { ...fixture, read };
}

describe('a released claim', () => {
  it('becomes rejected once, without changing another claim', async () => {
    const { db, read } = await addTwoAttempts({ state: 'sent', nextCheckAt: NOW });
    await releaseClaim(db, 'a1', NOW + 5, eventOf('parts.opened', { subjectId: 'a1' }));
    expect(await read()).toMatchObject({ state: 'rejected', settledAt: NOW + 5, nextCheckAt: null });
    expect(await read('a2')).toMatchObject({ state: 'sent', nextCheckAt: NOW });
    await releaseClaim(db, 'a1', NOW + 9, eventOf('parts.opened', { subjectId: 'a1' }));
    expect((await read()).settledAt).toBe(NOW + 5);
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
  });
});

describe('a charge shown by the gateway', () => {
  it.each<[string, Row, string | null]>([
    ['its outcome is unknown', { state: 'unknown' }, 'shown'],
    ['it was sent', { state: 'sent' }, 'shown'],
    ['it already has a charge', { providerTxnId: 'first' }, 'first'],
    ['it was declined', { state: 'declined' }, null],
  ])('is saved only on an open attempt that has no charge yet: %s', async (_, row, providerTxnId) => {
    const { db, read } = await addTwoAttempts(row);
    await recordReportedCharge(db, 'a1', 'shown');
    expect([(await read()).providerTxnId, (await read('a2')).providerTxnId]).toEqual([
      providerTxnId,
      row.providerTxnId ?? null,
    ]);
  });
});

describe('the money of the other attempts of an invoice', () => {
  it('is the sum of kept and submitted payments, apart from undecided ones', async () => {
    const { addAttempt, db, read } = await addTwoAttempts({ state: 'approved' });
    expect(await sumOtherPayments(db, await read())).toEqual({ keptCents: 0, undecidedCents: 0 });
    let part = 1;
    const add = (amountCents: number, row: Row) => addAttempt('1', { amountCents, part: ++part, ...row });
    await add(1_000, { refundedCents: 1, collection: 2 });
    await add(200, { state: 'pending' });
    await add(30, { state: 'needs_human', needsHumanFrom: 'pending' });
    await add(4, { state: 'needs_human', needsHumanFrom: 'unknown' });
    await add(50_000, { state: 'declined', needsHumanFrom: 'pending' });
    expect(await sumOtherPayments(db, await read())).toEqual({ keptCents: 1_229, undecidedCents: 4 });
  });
});

describe('the ledger payment of a transaction', () => {
  it('is found by its id, separately for cards and bank debits', async () => {
    const { addLedger, db } = await addTwoAttempts({ state: 'approved' });
    await addLedger('a2', '2', { providerTxnId: 'txn', method: 'ach' });
    await addLedger('a2', '2', { providerTxnId: 'other' });
    await addLedger('a1', '1', { providerTxnId: 'txn' });
    const find = async (id: string, method: 'card' | 'ach' = 'card', accountId = ACCOUNT) =>
      (await findLedgerPayment(db, { accountId, method }, id))?.id;
    expect([await find('txn'), await find('txn', 'ach'), await find('other')]).toEqual(['a1', 'a2', 'a2']);
    expect([await find('none'), await find('txn', 'card', ACCOUNT + 1)]).toEqual([undefined, undefined]);
  });
});

describe('a status inquiry', () => {
  it('is due from its planned time, longest due first', async () => {
    const { addAttempt, db } = await addTwoAttempts();
    for (const at of [NOW, NOW - 2, NOW + 1, NOW - 1])
      await addAttempt(`${at}`, { id: `due${at - NOW}`, nextCheckAt: at });
    const listDueIds = async (limit: number) => (await listDueAttempts(db, NOW, limit)).map(({ id }) => id);
    expect([await listDueIds(9), await listDueIds(2)]).toEqual([
      ['due-2', 'due-1', 'due0'],
      ['due-2', 'due-1'],
    ]);
  });

  it('is claimed once, only if the state and the number of checks are unchanged', async () => {
    const { db, read } = await addTwoAttempts({ checks: 3 });
    const attempt = await read();
    expect(await claimCheck(db, { ...attempt, state: 'sent' }, NOW, null)).toBe(false);
    expect(await claimCheck(db, { ...attempt, checks: 2 }, NOW, null)).toBe(false);
    expect(await claimCheck(db, attempt, NOW, NOW + 1)).toBe(true);
    expect(await claimCheck(db, attempt, NOW, NOW + 2)).toBe(false);
    expect(await read()).toMatchObject({ checks: 4, checkedAt: NOW, nextCheckAt: NOW + 1 });
    expect(await read('a2')).toMatchObject({ checks: 3, checkedAt: null });
  });

  it('counts empty responses when it settles nothing, and keeps the first transaction reported', async () => {
    const { db, read } = await addTwoAttempts();
    await recordCheck(db, await read(), { kind: 'empty' }, NOW);
    expect(await read()).toMatchObject({ emptyChecks: 1, providerTxnId: null, nextCheckAt: NOW });
    await recordCheck(db, await read(), { kind: 'unreadable', txnId: 'x' }, null);
    await recordCheck(db, await read(), { txnId: 'y' }, null);
    expect(await read()).toMatchObject({ emptyChecks: 1, providerTxnId: 'x', nextCheckAt: null });
    await recordCheck(db, { ...(await read()), state: 'sent' }, { kind: 'empty' }, NOW);
    expect([(await read()).emptyChecks, (await read('a2')).emptyChecks]).toEqual([1, 0]);
  });
});
