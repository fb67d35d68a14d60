import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { collections } from '#worker/data/schema/invoices';
import { attemptStates } from '#worker/data/schema/payments';
import { invoices } from '#worker/data/schema/schema';
import {
  findCollectionState,
  freezeCollection,
  type NewCollection,
  openFrozenCollection,
  openParts,
} from './collections.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

const terms: NewCollection = {
  accountId: ACCOUNT,
  invoiceId: '1',
  n: 2,
  baseCents: 9_000,
  minCents: 1_000,
  depositCents: 2_000,
  maxParts: 5,
  paidBeforeCents: 300,
  crmBalanceCents: 9_100,
  crmBilledCents: 9_200,
  openedBy: 4,
  openedAt: NOW,
};

/** Two invoices in their second collection, which is still to be paid in full. */
async function addTwoInvoices(account = {}) {
  const fixture = await bareBooks(account);
  for (const invoiceId of ['1', '2']) await fixture.addInvoice(invoiceId, { collection: 2 });
  const find = (invoiceId: string, n = 2) =>
    fixture.db.query.invoices.findFirst({ where: eq(invoices.invoiceId, invoiceId) }).then(async (invoice) => ({
      invoice,
      collection: (
        await fixture.db
          .select()
          .from(collections)
          .where(and(eq(collections.invoiceId, invoiceId), eq(collections.n, n)))
      )[0],
    }));
  const openInstallments = (row: Partial<NewCollection> = {}) =>
    openParts(fixture.db, { ...terms, ...row }, eventOf('parts.opened', { subjectId: '1' }));
  return { ...fixture, find, open: openInstallments };
}

describe('opening an invoice for installments', () => {
  it('saves the terms, and the amount charged in earlier collections before any refund', async () => {
    const { addAttempt, find, open } = await addTwoInvoices();
    const amounts: [number, object][] = [
      [3_000, { collection: 1, refundedCents: 2_999 }],
      [200, { collection: 1, state: 'refunded' }],
      [10, { collection: 1, state: 'voided' }],
      [20, { collection: 2, state: 'refunded' }],
    ];
    for (const [amountCents, overrides] of amounts) await addAttempt('1', { amountCents, ...overrides });
    await addAttempt('2', { amountCents: 1_000 });
    expect(await open()).toBe(true);
    expect((await find('1')).collection).toEqual({
      ...terms,
      takenBeforeCents: 3_200,
      state: 'open',
      frozenBalanceCents: null,
      frozenAt: null,
    });
    expect((await find('2')).collection).toBeUndefined();
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
  });

  it('saves no earlier amount for the first collection', async () => {
    const { find, open } = await addTwoInvoices();
    expect(await open()).toBe(true);
    expect((await find('1')).collection).toMatchObject({ takenBeforeCents: 0 });
  });

  const undecidedStates = attemptStates.filter((state) =>
    ['sent', 'unknown', 'pending', 'needs_human'].includes(state),
  );
  it.each([
    ...undecidedStates.map((state) => [`is ${state}`, { state }] as const),
    ...undecidedStates.map((state) => [`of an earlier collection is ${state}`, { state, collection: 1 }] as const),
    ['was released within a day', { state: 'not_charged', settledAt: NOW - DAY + 1 }],
  ] as const)('fails while a payment %s', async (_title, row) => {
    const { addAttempt, find, open } = await addTwoInvoices();
    await addAttempt('1', { collection: 2, ...row });
    expect(await open()).toBe(false);
    expect((await find('1')).collection).toBeUndefined();
    expect(await eventsOf(ACCOUNT)).toEqual([]);
  });

  it.each([
    ['was released a day ago', '1', { state: 'not_charged', settledAt: NOW - DAY }],
    ['was declined now', '1', { state: 'declined', settledAt: NOW }],
    ['of another invoice is under way', '2', { state: 'sent' }],
  ] as const)('succeeds when a payment %s', async (_title, invoiceId, row) => {
    const { addAttempt, open } = await addTwoInvoices();
    await addAttempt(invoiceId, { collection: 2, ...row });
    expect(await open()).toBe(true);
  });

  it('succeeds once', async () => {
    const { open } = await addTwoInvoices();
    expect([await open(), await open()]).toEqual([true, false]);
  });

  it('fails for another collection and for a paid invoice', async () => {
    const { db, open } = await addTwoInvoices();
    expect([await open({ n: 1 }), await open({ n: 3 })]).toEqual([false, false]);
    await db.update(invoices).set({ localStatus: 'paid' }).where(eq(invoices.invoiceId, '1'));
    expect(await open()).toBe(false);
  });

  it('fails for an account without installments', async () => {
    const { open } = await addTwoInvoices({ takesParts: false });
    expect(await open()).toBe(false);
  });
});

describe('freezing a collection', () => {
  const observed = { balanceCents: 4_000, at: NOW };

  async function addThreeCollections() {
    const fixture = await addTwoInvoices();
    for (const [invoiceId, n] of [
      ['1', 1],
      ['1', 2],
      ['2', 2],
    ] as const)
      await fixture.addCollection(invoiceId, { n, openedAt: NOW - DAY });
    const part = await fixture.addAttempt('1', { collection: 2 });
    const current = await findCollectionState(fixture.db, { accountId: ACCOUNT, invoiceId: '1', collection: 2 }, NOW);
    if (!current) throw new Error('there is no collection');
    const freezeCurrent = (overrides = {}) =>
      freezeCollection(fixture.db, { ...current, ...overrides }, observed, eventOf('parts.opened', { subjectId: '1' }));
    return { ...fixture, part, stop: freezeCurrent };
  }

  it('saves the balance that the CRM showed and the time, for that collection only', async () => {
    const { find, stop } = await addThreeCollections();
    expect(await stop()).toBe(true);
    const frozen = { state: 'frozen', frozenBalanceCents: 4_000, frozenAt: NOW };
    const collectionsOf = [await find('1', 2), await find('1', 1), await find('2', 2)];
    expect(collectionsOf.map(({ collection }) => collection)).toMatchObject([
      frozen,
      { state: 'open' },
      { state: 'open' },
    ]);
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
    expect(await stop()).toBe(false);
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
  });

  it('fails when our records have or may have changed the balance in the meantime', async () => {
    const { addRecord, part, stop } = await addThreeCollections();
    expect(await stop({ movedCents: 1 })).toBe(false);
    await addRecord(part, '1', { state: 'sent', effect: '', sentAt: NOW - 15 * MINUTE + 1, doneAt: null });
    expect(await stop()).toBe(false);
  });

  it('succeeds when the effect of our records is known and an unsettled record is too old to count', async () => {
    const { addRecord, part, stop } = await addThreeCollections();
    await addRecord(part, '1', { amountCents: 700 });
    await addRecord(part, '1', { state: 'sent', effect: '', sentAt: NOW - 15 * MINUTE, doneAt: null });
    expect(await stop({ movedCents: 700 })).toBe(true);
  });
});

describe('an invoice without installments and with an unknown amount', () => {
  const row = { accountId: ACCOUNT, invoiceId: '1', n: 2, openedBy: 4, balanceCents: 800, billedCents: 900, at: NOW };

  it('becomes a frozen installment collection for manual review', async () => {
    const { addAttempt, db, find } = await addTwoInvoices();
    await addAttempt('1', { collection: 1, amountCents: 50, refundedCents: 50 });
    await openFrozenCollection(db, row, eventOf('parts.opened', { subjectId: '1' }));
    await openFrozenCollection(db, { ...row, balanceCents: 801 }, eventOf('parts.opened', { subjectId: '1' }));
    expect((await find('1')).collection).toEqual({
      accountId: ACCOUNT,
      invoiceId: '1',
      n: 2,
      baseCents: 800,
      minCents: 800,
      depositCents: null,
      maxParts: 12,
      paidBeforeCents: 0,
      takenBeforeCents: 50,
      crmBalanceCents: 800,
      crmBilledCents: 900,
      openedBy: 4,
      openedAt: NOW,
      state: 'frozen',
      frozenBalanceCents: 800,
      frozenAt: NOW,
    });
    expect((await find('2')).collection).toBeUndefined();
    expect(await eventsOf(ACCOUNT)).toHaveLength(1);
  });

  it('stays unchanged when its collection has ended or it was paid', async () => {
    const { db, find } = await addTwoInvoices();
    await openFrozenCollection(db, { ...row, n: 1 }, eventOf('parts.opened', { subjectId: '1' }));
    await db.update(invoices).set({ localStatus: 'paid' }).where(eq(invoices.invoiceId, '1'));
    await openFrozenCollection(db, row, eventOf('parts.opened', { subjectId: '1' }));
    expect([(await find('1', 1)).collection, (await find('1')).collection]).toEqual([undefined, undefined]);
  });
});
