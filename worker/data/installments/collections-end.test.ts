import { asc, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { collections } from '#worker/data/schema/invoices';
import { invoices } from '#worker/data/schema/schema';
import { type CollectionState, findCollectionState, type NewCollection, startNextCollection } from './collections.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

const nextRow: NewCollection = {
  accountId: ACCOUNT,
  invoiceId: '1',
  n: 3,
  baseCents: 6_000,
  minCents: 500,
  depositCents: null,
  maxParts: 3,
  paidBeforeCents: 4_000,
  crmBalanceCents: 6_100,
  crmBilledCents: 10_000,
  openedBy: 4,
  openedAt: NOW,
};

/**
 * The second collection of an invoice, with an installment of $40.00 that a record has subtracted from the CRM's
 * balance. Another invoice is in its third collection, with a status that does not match its payments; its second
 * collection was frozen with the same sums.
 */
async function addSecondCollection() {
  const fixture = await bareBooks();
  await fixture.addInvoice('1', { collection: 2 });
  await fixture.addInvoice('2', { collection: 3, localStatus: 'returned' });
  await fixture.addCollection('1', { n: 1, openedAt: NOW - DAY });
  await fixture.addAttempt('2', { id: 'other', collection: 2, amountCents: 5_000 });
  await fixture.addRecord('other', '2', { amountCents: 4_000 });
  await fixture.addCollection('2', { n: 2, paidBeforeCents: 1_500, state: 'frozen', openedAt: NOW - DAY });
  await fixture.addAttempt('1', { id: 'earlier', collection: 1, amountCents: 900, state: 'refunded' });
  await fixture.addAttempt('1', { id: 'part', collection: 2, amountCents: 4_000 });
  await fixture.addCollection('1', { n: 2, paidBeforeCents: 500, openedAt: NOW - DAY });
  await fixture.addRecord('part', '1', { amountCents: 4_000 });
  const read = () => findCollectionState(fixture.db, { accountId: ACCOUNT, invoiceId: '1', collection: 2 }, NOW);
  const current = await read();
  if (!current) throw new Error('there is no collection');
  const end = (overrides: Partial<CollectionState> = {}, row: NewCollection | null = nextRow) =>
    startNextCollection(
      fixture.db,
      { ...current, ...overrides },
      NOW,
      row,
      eventOf('parts.opened', { subjectId: '1' }),
    );
  const setStatus = (row: Partial<typeof invoices.$inferInsert>) =>
    fixture.db.update(invoices).set(row).where(eq(invoices.invoiceId, '1'));
  const readCollectionStates = async () =>
    (await fixture.db.select().from(collections).orderBy(asc(collections.invoiceId), asc(collections.n))).map(
      ({ invoiceId, n, state }) => `${invoiceId}.${n} ${state}`,
    );
  const readInvoiceStates = async () =>
    (await fixture.db.select().from(invoices).orderBy(asc(invoices.invoiceId))).map(
      ({ collection, localStatus, partBaseCents, partPaidCents }) => [
        collection,
        localStatus,
        partBaseCents,
        partPaidCents,
      ],
    );
  return { ...fixture, end, read, setStatus, states: readCollectionStates, standing: readInvoiceStates };
}

const OTHER_INVOICE = [3, 'returned', null, 0];

describe('ending an installment collection', () => {
  it('skips collection numbers that were already used before a restore', async () => {
    const { addAttempt, addCollection, end, read, standing } = await addSecondCollection();
    await addAttempt('1', { collection: 4, state: 'voided' });
    expect(await end()).toBe(false);
    expect(await read()).toMatchObject({ nextN: 5 });
    await addCollection('1', { n: 6, state: 'closed' });
    expect(await read()).toMatchObject({ nextN: 7 });
    expect(await end({ nextN: 7 }, { ...nextRow, n: 7 })).toBe(true);
    expect((await standing())[0]?.[0]).toBe(7);
  });

  it('opens the next collection in installments, with the amounts of the earlier ones', async () => {
    const { db, end, standing, states } = await addSecondCollection();
    expect(await end()).toBe(true);
    expect(await states()).toEqual(['1.1 open', '1.2 closed', '1.3 open', '2.2 frozen']);
    expect(await standing()).toEqual([[3, 'none', 10_000, 4_000], OTHER_INVOICE]);
    const [third] = await db.select().from(collections).where(eq(collections.n, 3));
    expect(third).toEqual({
      ...nextRow,
      takenBeforeCents: 4_900,
      state: 'open',
      frozenBalanceCents: null,
      frozenAt: null,
    });
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
  });

  it('ends installments when there is no next collection, with the status of its kept payments', async () => {
    const { end, standing, states } = await addSecondCollection();
    expect(await end({}, null)).toBe(true);
    expect(await states()).toEqual(['1.1 open', '1.2 closed', '2.2 frozen']);
    expect(await standing()).toEqual([[3, 'paid', null, 0], OTHER_INVOICE]);
  });

  it.each([
    ['nothing was returned', { localStatus: 'none' }],
    ['all of it was returned', { localStatus: 'refunded' }],
    ['a part of the amount paid was returned', { localStatus: 'paid', partPaidCents: 9_999, partBaseCents: 10_000 }],
  ] as const)('succeeds when %s', async (_title, row) => {
    const { end, setStatus } = await addSecondCollection();
    await setStatus(row);
    expect(await end()).toBe(true);
  });

  it.each([
    ['it was paid', { localStatus: 'paid', partPaidCents: 10_000, partBaseCents: 10_000 }],
    ['its bank debit is under way', { localStatus: 'submitted', partPaidCents: 9_999 }],
  ] as const)('fails when %s', async (_title, row) => {
    const { end, setStatus } = await addSecondCollection();
    await setStatus(row);
    expect(await end()).toBe(false);
  });

  it.each<[string, Partial<CollectionState>]>([
    ['it was frozen', { state: 'frozen' }],
    ['an installment was paid', { paidCents: 3_499 }],
    ['an installment was refunded', { paidCents: 4_500 }],
    ['a record has changed the balance', { movedCents: 3_999 }],
    ['the next one has started', { n: 1 }],
  ])('fails if it has changed since it was read: %s', async (_title, read) => {
    const { end, standing, states } = await addSecondCollection();
    const previous = [await standing(), await states()];
    expect([await end(read), await end(read, null)]).toEqual([false, false]);
    if (read.n !== 1) expect([await standing(), await states()]).toEqual(previous);
    expect(await eventsOf(ACCOUNT)).toEqual([]);
  });

  it.each([
    ['the outcome of an installment is unknown', { state: 'unknown' }],
    ['an installment was released within a day', { state: 'not_charged', settledAt: NOW - DAY + 1 }],
  ] as const)('fails while %s', async (_title, row) => {
    const { addAttempt, end } = await addSecondCollection();
    await addAttempt('1', { collection: 2, part: 2, ...row });
    expect(await end()).toBe(false);
  });

  it('waits 15 minutes for a CRM record that may have changed the balance', async () => {
    const { addAttempt, addRecord, db, end } = await addSecondCollection();
    await addAttempt('1', { collection: 2, part: 2, state: 'not_charged', settledAt: NOW - DAY });
    const sent = { state: 'sent', effect: '', doneAt: null } as const;
    await addRecord('part', '1', { ...sent, id: 'asked', sentAt: NOW - 15 * MINUTE + 1 });
    expect(await end()).toBe(false);
    await db.$client.prepare('UPDATE crm_writes SET sent_at = sent_at - 1 WHERE id = ?').bind('asked').run();
    expect(await end()).toBe(true);
  });

  it('leaves an invoice in a later collection unchanged', async () => {
    const { db, end, setStatus, standing } = await addSecondCollection();
    await db.update(invoices).set({ collection: 3, partBaseCents: null, localStatus: 'refunded' });
    await setStatus({ partPaidCents: 0 });
    expect(await end({}, null)).toBe(false);
    expect(await standing()).toEqual([
      [3, 'refunded', null, 0],
      [3, 'refunded', null, 0],
    ]);
  });
});
