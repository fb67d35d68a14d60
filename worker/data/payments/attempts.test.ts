import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type BareBooks, bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { type Attempt, ledger, type outbox } from '#worker/data/schema/schema';
import { findAttempt, type Settlement, writeSettlement } from './attempts.ts';

type Row = Partial<Attempt>;

/** An attempt, another attempt that only differs in its invoice, and two attempts of a third invoice. */
async function addTwoAttempts(row: Row = {}, invoice = {}) {
  const fixture = await bareBooks();
  for (const state of ['approved', 'returned'] as const) await fixture.addAttempt('3', { state });
  for (const id of ['1', '2']) {
    await fixture.addInvoice(id, id === '1' ? invoice : {});
    await fixture.addAttempt(id, { state: 'unknown', ...row, id: `a${id}`, tokenHash: `token-${id}` });
  }
  const read = async (id = 'a1') => {
    const attempt = await findAttempt(fixture.db, id);
    if (!attempt) throw new Error('there is no attempt');
    return attempt;
  };
  const changeState = async (settlement: Partial<Settlement>, guard?: Parameters<typeof writeSettlement>[4]) => {
    const { before: _, ...event } = eventOf('payment.moved', { subjectId: 'a1' });
    const full: Settlement = { to: 'declined', from: ['unknown'], columns: {}, ...settlement };
    return writeSettlement(fixture.db, await read(), full, event, guard);
  };
  const readCollections = async () => (await fixture.db.query.invoices.findMany()).map(({ collection }) => collection);
  return { ...fixture, read, move: changeState, collections: readCollections };
}

const makeEntry = (overrides: Partial<typeof ledger.$inferInsert> = {}): typeof ledger.$inferInsert => ({
  accountId: ACCOUNT,
  providerTxnId: 'txn',
  attemptId: 'a1',
  invoiceId: '1',
  kind: 'payment',
  amountCents: 10_000,
  currency: 'USD',
  channel: 'link',
  method: 'card',
  brand: 'VISA',
  at: NOW,
  ...overrides,
});
const payerMail: Omit<typeof outbox.$inferInsert, 'recipient'> = {
  id: 'receipt-a1',
  kind: 'receipt',
  accountId: ACCOUNT,
  attemptId: 'a1',
  invoiceId: '1',
  nextTryAt: NOW,
  createdAt: NOW,
};

describe('a spent key', () => {
  const end: Partial<Settlement> = { to: 'returned', from: ['pending'], isKeySpent: true };

  it('opens the next collection of its invoice once', async () => {
    const { collections, move, read } = await addTwoAttempts({ state: 'pending' });
    await move(end);
    await move(end);
    expect(await collections()).toEqual([2, 1]);
    expect((await read()).keySpent).toBe(true);
  });

  it('opens nothing when its payment had already ended', async () => {
    const { collections, move } = await addTwoAttempts({ state: 'returned' });
    await move(end);
    expect(await collections()).toEqual([1, 1]);
  });

  it('opens nothing when its payment is in the ledger', async () => {
    const { addLedger, collections, move } = await addTwoAttempts({ state: 'needs_human' });
    await addLedger('a1', '1');
    await move({ ...end, to: 'not_charged', from: ['needs_human'] });
    expect(await collections()).toEqual([1, 1]);
  });

  it('opens nothing when the key was not spent', async () => {
    const { collections, move, read } = await addTwoAttempts({ state: 'pending' });
    await move({ ...end, isKeySpent: false });
    expect(await collections()).toEqual([1, 1]);
    expect((await read()).keySpent).toBe(false);
  });

  it.each<[string, object, (fixture: BareBooks) => Promise<unknown>]>([
    ['another collection is under way', { collection: 2 }, async () => undefined],
    ['it is paid in installments', { partBaseCents: 5 }, async () => undefined],
    ['another collection has paid it', {}, ({ addAttempt }) => addAttempt('1', { collection: 9 })],
    ['another payment of it was approved', {}, ({ addAttempt }) => addAttempt('1', { part: 2 })],
    ['another is in manual review', {}, ({ addAttempt }) => addAttempt('1', { part: 2, state: 'needs_human' })],
  ])('opens nothing when %s', async (_title, invoice, prepare) => {
    const fixture = await addTwoAttempts({ state: 'pending' }, invoice);
    await prepare(fixture);
    const previous = await fixture.collections();
    await fixture.move(end);
    expect(await fixture.collections()).toEqual(previous);
  });

  it.each(['sent', 'unknown', 'pending'] as const)('opens nothing while another payment is %s', async (state) => {
    const fixture = await addTwoAttempts({ state: 'needs_human', needsHumanFrom: 'pending' });
    await fixture.addAttempt('1', { part: 1, state });
    await fixture.move({ ...end, from: ['needs_human'] });
    expect(await fixture.collections()).toEqual([1, 1]);
  });

  it('opens a collection after all existing ones, even while their payments are under way', async () => {
    const fixture = await addTwoAttempts({ state: 'pending' });
    await fixture.addAttempt('1', { collection: 9, state: 'unknown' });
    await fixture.move(end);
    expect(await fixture.collections()).toEqual([10, 1]);
  });
});

describe('changing the state of an attempt', () => {
  it('succeeds once with an event of the previous state, and changes no other attempt', async () => {
    const { move, read } = await addTwoAttempts();
    const columns = { message: 'no', settledAt: NOW };
    expect(await move({ columns })).toMatchObject({
      moved: true,
      attempt: { id: 'a1', state: 'declined', ...columns },
    });
    expect(await move({ columns })).toMatchObject({ moved: false, attempt: { state: 'declined' } });
    expect((await read('a2')).state).toBe('unknown');
    expect(await eventsOf(ACCOUNT)).toMatchObject([{ before: '{"state":"unknown"}' }]);
  });

  it('fails from another state or when its guard does not hold', async () => {
    const { move, read } = await addTwoAttempts();
    expect((await move({ from: ['sent'] })).moved).toBe(false);
    expect((await move({}, sql`0`)).moved).toBe(false);
    expect(await eventsOf(ACCOUNT)).toEqual([]);
    expect((await move({}, sql`1`)).moved).toBe(true);
    expect((await read()).needsHumanFrom).toBe('');
  });

  it('leaves a column without a new value unchanged', async () => {
    const { move, read } = await addTwoAttempts({ nextCheckAt: NOW, message: 'before' });
    await move({ columns: { nextCheckAt: null, message: undefined } as Settlement['columns'] });
    expect(await read()).toMatchObject({ nextCheckAt: null, message: 'before' });
  });

  it('saves the previous state when it goes to manual review', async () => {
    const { move, read } = await addTwoAttempts();
    await move({ to: 'needs_human' });
    expect(await read()).toMatchObject({ state: 'needs_human', needsHumanFrom: 'unknown' });
  });

  it.each<[string, Row, Partial<Settlement>, boolean]>([
    ['an unknown outcome', {}, { to: 'not_charged' }, true],
    ['a reported charge', { providerTxnId: 'x' }, { to: 'not_charged' }, false],
    [
      'a reported charge, after the decision of a person',
      { providerTxnId: 'x', state: 'needs_human' },
      { to: 'not_charged', from: ['needs_human'] },
      true,
    ],
    ['a reported decline', { providerTxnId: 'x' }, { to: 'declined' }, true],
  ])('checks whether the gateway has reported a charge: %s', async (_title, row, settlement, moved) => {
    const { move } = await addTwoAttempts(row);
    expect((await move(settlement)).moved).toBe(moved);
  });
});

describe('the ledger entry of a state change', () => {
  const readBookedKinds = async ({ db }: BareBooks) => (await db.select().from(ledger)).map(({ kind }) => kind);

  it('is written only if the state changes', async () => {
    const fixture = await addTwoAttempts();
    await fixture.move({ to: 'approved', from: ['sent'], ledgerEntry: makeEntry(), onlyIf: 'in-ledger' });
    expect(await readBookedKinds(fixture)).toEqual([]);
    await fixture.move({ to: 'approved', ledgerEntry: makeEntry(), onlyIf: 'in-ledger' });
    expect(await readBookedKinds(fixture)).toEqual(['payment']);
  });

  it('is not written for a return that was not made', async () => {
    const fixture = await addTwoAttempts({ state: 'returned' });
    await fixture.addLedger('a1', '1');
    const ledgerEntry = makeEntry({ kind: 'return', amountCents: -10_000, providerTxnId: 'back' });
    await fixture.move({ to: 'returned', from: ['approved'], ledgerEntry, onlyIf: 'in-ledger' });
    expect(await readBookedKinds(fixture)).toEqual(['payment']);
  });

  it.each<[string, boolean, Partial<Settlement>, string[]]>([
    ['of a payment that is not in the ledger', false, { onlyIf: 'in-ledger' }, []],
    ['of a payment that is in the ledger', true, { onlyIf: 'in-ledger' }, ['payment', 'return']],
    ['of any payment without that condition', false, {}, ['return']],
  ])('is written for a return %s, only after a payment if required', async (_title, isBooked, overrides, kinds) => {
    const fixture = await addTwoAttempts({ state: 'approved' });
    await fixture.addLedger('a2', '2', { kind: 'payment', providerTxnId: 'other' });
    if (isBooked) await fixture.addLedger('a1', '1');
    const ledgerEntry = makeEntry({ kind: 'return', amountCents: -10_000, providerTxnId: 'back' });
    await fixture.move({ to: 'returned', from: ['approved'], ledgerEntry, ...overrides });
    expect((await readBookedKinds(fixture)).slice(1)).toEqual(kinds);
  });
});

describe('the payer’s email about a state change', () => {
  const readRecipients = async ({ db }: BareBooks) =>
    (await db.query.outbox.findMany()).map(({ recipient }) => recipient);
  const approve = { to: 'approved', payerMail } as const;
  const notMade: Partial<Settlement> = { from: ['sent'], onlyIf: 'in-ledger' };

  it('is queued once, to the attempt’s address', async () => {
    const fixture = await addTwoAttempts({ receiptTo: 'marta@example.test' });
    await fixture.move({ ...approve, ledgerEntry: makeEntry(), onlyIf: 'in-ledger' });
    await fixture.move({ ...approve, from: ['sent'] });
    expect(await readRecipients(fixture)).toEqual(['marta@example.test']);
  });

  it.each<[string, Row, Partial<Settlement>, number]>([
    ['without an address', {}, {}, 0],
    ['that was not made', { receiptTo: 'm@example.test' }, { from: ['sent'] }, 0],
    ['that is not in the ledger', { receiptTo: 'm@example.test' }, { onlyIf: 'in-ledger' }, 0],
    ['that need not be in the ledger', { receiptTo: 'm@example.test' }, {}, 1],
    ['that is in the ledger, but was not approved', { receiptTo: 'm@example.test' }, notMade, 0],
  ])('is queued only if the payment is valid: a payment %s', async (_title, row, overrides, count) => {
    const fixture = await addTwoAttempts(row);
    await fixture.addLedger('a2', '2', { providerTxnId: 'other' });
    await fixture.addLedger('a1', '1', { providerTxnId: 'back', kind: overrides === notMade ? 'payment' : 'return' });
    await fixture.move({ ...approve, ...overrides });
    expect(await readRecipients(fixture)).toHaveLength(count);
  });
});
