import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { crmWriteSettings, type crmWrites } from '#worker/data/schema/crm';
import { type AttemptState, attemptStates } from '#worker/data/schema/payments';
import { findCollectionState, listPaidInstallments } from './collections.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const OPENED = NOW - 60 * MINUTE;

/** The second collection of an invoice, with one installment of $20.00, and other invoices in the same state. */
async function addSecondCollection() {
  const fixture = await bareBooks();
  for (const [invoiceId, amountCents] of [
    ['0', 7_000],
    ['1', 2_000],
    ['2', 6_000],
  ] as const) {
    await fixture.addInvoice(invoiceId, { collection: 2 });
    await fixture.addCollection(invoiceId, { n: 2, paidBeforeCents: 0 });
    await fixture.addAttempt(invoiceId, { id: `part-${invoiceId}`, collection: 2, amountCents });
  }
  const readState = () => findCollectionState(fixture.db, { accountId: ACCOUNT, invoiceId: '1', collection: 2 }, NOW);
  return { ...fixture, standing: readState };
}

const liveStates: AttemptState[] = ['sent', 'unknown', 'pending', 'approved'];

describe('the state of a collection', () => {
  it('is found by account, invoice and collection number', async () => {
    const { db, standing } = await addSecondCollection();
    expect(await standing()).toMatchObject({ invoiceId: '1', n: 2, baseCents: 10_000, paidCents: 2_000, taken: 1 });
    const find = (invoiceId: string, collection: number, accountId = ACCOUNT) =>
      findCollectionState(db, { accountId, invoiceId, collection }, NOW);
    expect([await find('3', 2), await find('1', 1), await find('1', 2, ACCOUNT + 1)]).toEqual([null, null, null]);
    expect(await find('2', 2)).toMatchObject({ invoiceId: '2', paidCents: 6_000 });
  });

  it('has the amount that its approved installments kept, minus that of earlier collections', async () => {
    const fixture = await addSecondCollection();
    await fixture.addAttempt('3', { collection: 2 });
    await fixture.addInvoice('4', { collection: 2 });
    await fixture.addCollection('4', { n: 1, baseCents: 9_000, state: 'closed' });
    await fixture.addCollection('4', { n: 2, paidBeforeCents: 3_000 });
    await fixture.addAttempt('4', { collection: 1, amountCents: 3_000 });
    await fixture.addAttempt('4', { collection: 2, amountCents: 2_000, refundedCents: 500 });
    await fixture.addAttempt('4', {
      collection: 2,
      part: 2,
      amountCents: 1_000,
      state: 'refunded',
      refundedCents: 1_000,
    });
    const result = await findCollectionState(fixture.db, { accountId: ACCOUNT, invoiceId: '4', collection: 2 }, NOW);
    expect(result).toMatchObject({ n: 2, baseCents: 10_000, paidCents: 1_500, taken: 2 });
  });

  it.each(attemptStates.filter((state) => !liveStates.includes(state)))(
    'continues after the last installment that took money, even if it was returned: %s',
    async (state) => {
      const fixture = await addSecondCollection();
      // A restore may have lost the installment before it.
      await fixture.addAttempt('1', { collection: 2, part: 3, amountCents: 1_000, state });
      // This one belongs to an earlier collection.
      await fixture.addAttempt('1', { collection: 1, part: 5, amountCents: 1_000, state: 'voided' });
      expect((await fixture.standing())?.taken).toBe(['voided', 'refunded', 'returned'].includes(state) ? 3 : 1);
    },
  );

  it('continues after an uncharged installment whose key may have been used', async () => {
    const fixture = await addSecondCollection();
    await fixture.addAttempt('1', { collection: 2, part: 2, state: 'not_charged', settledAt: NOW, keySpent: true });
    expect(await fixture.standing()).toMatchObject({ taken: 2, releasedCents: null });
  });

  it('sums the effect of our records since it was opened, by the time each was sent', async () => {
    const fixture = await addSecondCollection();
    expect(await fixture.standing()).toMatchObject({ movedCents: 0, movedAt: 0 });
    const add = (cents: number, row: Row) => fixture.addRecord('part-1', '1', { amountCents: cents, ...row });
    await add(1, { sentAt: OPENED, doneAt: OPENED + 9 });
    await add(10, { sentAt: OPENED - 1, doneAt: OPENED + 9 });
    await add(100, { sentAt: null, doneAt: OPENED });
    await add(1_000, { sentAt: null, doneAt: OPENED - 1 });
    await add(10_000, { sentAt: OPENED, doneAt: OPENED + 8, effect: 'nothing_moved' });
    await add(100_000, { sentAt: OPENED, doneAt: OPENED + 30, effect: '', state: 'refused' });
    await fixture.addRecord('part-2', '2', { amountCents: 1_000_000, doneAt: OPENED + 40 });
    expect(await fixture.standing()).toMatchObject({ movedCents: 101, movedAt: OPENED + 9 });
    await add(41, { kind: 'reversal' });
    expect(await fixture.standing()).toMatchObject({ movedCents: 60, movedAt: NOW });
  });
});

type Row = Partial<typeof crmWrites.$inferInsert>;

/** Records that leave it unclear at NOW whether they changed the CRM's balance. */
const unsettledRecords: [string, Row][] = [
  ['that was sent under 15 minutes ago', { state: 'sent', sentAt: NOW - 15 * MINUTE + 1 }],
  [
    'whose response has been missing for less than a quarter of an hour',
    { state: 'unknown', sentAt: NOW - 15 * MINUTE + 1 },
  ],
  ['that is unknown without a time, by its creation', { state: 'sent', createdAt: NOW - 15 * MINUTE + 1 }],
  ['whose effect was not read for less than a quarter of an hour', { state: 'written', doneAt: NOW - 15 * MINUTE + 1 }],
];
const settledRecords: [string, Row][] = [
  ['that was sent a quarter of an hour ago', { state: 'sent', sentAt: NOW - 15 * MINUTE, createdAt: NOW }],
  ['that has been unknown for a quarter of an hour', { state: 'unknown', sentAt: NOW - 15 * MINUTE, createdAt: NOW }],
  ['that was created a quarter of an hour ago', { state: 'sent', createdAt: NOW - 15 * MINUTE }],
  ['that was written a quarter of an hour ago', { state: 'written', doneAt: NOW - 15 * MINUTE }],
  ['whose effect is known', { state: 'written', doneAt: NOW, effect: 'nothing_moved' }],
  ['that was refused', { state: 'refused', sentAt: NOW, doneAt: NOW }],
  ['that is due', { state: 'due' }],
];
const baseRow: Row = { effect: '', sentAt: null, doneAt: null, createdAt: NOW - DAY };

describe('a record in the CRM', () => {
  it.each(unsettledRecords)('leaves the balance uncertain: a record %s', async (_title, row) => {
    const fixture = await addSecondCollection();
    await fixture.addRecord('part-1', '1', { ...baseRow, ...row });
    expect(await fixture.standing()).toMatchObject({ unsettled: 1 });
  });

  it.each(settledRecords)('leaves the balance certain: a record %s', async (_title, row) => {
    const fixture = await addSecondCollection();
    await fixture.addRecord('part-1', '1', { ...baseRow, ...row });
    expect(await fixture.standing()).toMatchObject({ unsettled: 0 });
  });

  it('leaves the balance certain when it belongs to another invoice', async () => {
    const fixture = await addSecondCollection();
    await fixture.addRecord('part-2', '2', { ...baseRow, state: 'sent', sentAt: NOW });
    expect(await fixture.standing()).toMatchObject({ unsettled: 0 });
  });

  it.each([
    [true, 1],
    [null, 1],
    [false, 0],
  ])(
    'leaves the balance uncertain unless records are known not to change it (they change it: %s)',
    async (movesBalance, unsettled) => {
      const fixture = await addSecondCollection();
      const changed = { isOn: true, changedBy: 1, changedAt: 1 };
      await fixture.db.insert(crmWriteSettings).values({ accountId: ACCOUNT, ...changed, movesBalance });
      await fixture.addRecord('part-1', '1', { ...baseRow, state: 'sent', sentAt: NOW });
      expect(await fixture.standing()).toMatchObject({ unsettled });
    },
  );
});

describe('an installment released as not charged', () => {
  const released = { collection: 2, part: 2, state: 'not_charged', amountCents: 900 } as const;

  it('fixes the amount of the next installment for a day', async () => {
    const fixture = await addSecondCollection();
    await fixture.addAttempt('1', { ...released, settledAt: NOW - DAY + 1 });
    expect(await fixture.standing()).toMatchObject({ releasedCents: 900 });
    await fixture.addAttempt('1', { ...released, settledAt: NOW - DAY + 2, amountCents: 800 });
    expect(await fixture.standing()).toMatchObject({ releasedCents: 800 });
  });

  it.each([
    ['was released a day ago', { settledAt: NOW - DAY }],
    ['comes before the next one', { part: 1 }],
    ['comes after the next one', { part: 3 }],
    ['is of an earlier collection', { collection: 1 }],
    ['was declined', { state: 'declined' }],
  ] as const)('fixes no amount when it %s', async (_title, overrides) => {
    const fixture = await addSecondCollection();
    await fixture.addAttempt('1', { ...released, settledAt: NOW, ...overrides });
    await fixture.addAttempt('2', { ...released, settledAt: NOW });
    expect(await fixture.standing()).toMatchObject({ releasedCents: null });
  });
});

describe('the paid installments of an invoice', () => {
  it('are those of all its collections that keep money, by payment date', async () => {
    const fixture = await addSecondCollection();
    const add = (part: number, amountCents: number, day: string, overrides: object) =>
      fixture.addAttempt('1', { collection: 1, part, amountCents, day, settledAt: NOW, ...overrides });
    await add(1, 3_000, '2026-03-02', { refundedCents: 2_999, settledAt: NOW - 5 });
    // The payer clicked before midnight, and the charge followed after it.
    const lateCharge = await add(2, 4_000, '2026-02-28', { settledAt: NOW - 9 });
    await fixture.addLedger(lateCharge, '1', { day: '2026-03-01' });
    await add(3, 5_000, '2026-03-03', { refundedCents: 5_000 });
    await add(4, 6_000, '2026-03-04', { state: 'declined' });
    const parts = await listPaidInstallments(fixture.db, { accountId: ACCOUNT, invoiceId: '1' });
    expect(parts).toEqual([
      { cents: 2_000, day: '' },
      { cents: 4_000, day: '2026-03-01' },
      { cents: 1, day: '2026-03-02' },
    ]);
    expect(await listPaidInstallments(fixture.db, { accountId: ACCOUNT + 1, invoiceId: '1' })).toEqual([]);
  });
});
