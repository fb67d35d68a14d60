import { describe, expect, it } from 'vitest';
import { bareBooks, NOW } from '#tests/support/unit/bare-books';
import type { Collection } from '#worker/data/schema/invoices';
import type { invoices } from '#worker/data/schema/schema';
import { listSuspectedCollections } from './collections.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Invoice = Partial<typeof invoices.$inferInsert>;

/**
 * An invoice in installments whose copy shows a balance that differs from the CRM's balance at the opening, except for
 * the given values.
 */
async function addInstallmentInvoice(invoice: Invoice = {}, collection: Partial<Collection> = {}) {
  const fixture = await bareBooks();
  const add = async (invoiceId: string, row: Invoice = {}, overrides: Partial<Collection> = {}) => {
    await fixture.addInvoice(invoiceId, { balanceCents: 9_000, partBaseCents: 10_000, ...row });
    await fixture.addCollection(invoiceId, { n: 1, openedAt: NOW - HOUR, ...overrides });
    const { localStatus, partBaseCents } = row;
    if (localStatus || partBaseCents === null)
      await fixture.db.$client
        .prepare(
          'UPDATE invoices SET local_status = ?, collection_base_cents = iif(?, collection_base_cents, NULL) WHERE invoice_id = ?',
        )
        .bind(localStatus ?? 'none', Number(partBaseCents !== null), invoiceId)
        .run();
  };
  await add('1', invoice, collection);
  const listIds = async (limit = 10) =>
    (await listSuspectedCollections(fixture.db, { readAfter: NOW - 30 * MINUTE, now: NOW }, limit)).map(
      ({ invoiceId }) => invoiceId,
    );
  return { ...fixture, add, list: listIds };
}

describe('an installment invoice whose amount was changed in the CRM', () => {
  it.each<[string, Invoice]>([
    ['balance', { balanceCents: 10_001 }],
    ['balance, which cannot be read,', { balanceCents: null }],
    ['billed amount', { balanceCents: 10_000, billedCents: 9_999 }],
    ['status', { balanceCents: 10_000, status: 'paid' }],
    ['currency', { balanceCents: 10_000, currency: 'CAD' }],
  ])('is suspected when its %s differs', async (_title, row) => {
    expect(await (await addInstallmentInvoice(row)).list()).toEqual(['1']);
  });

  it.each<[string, Invoice, Partial<Collection>]>([
    ['shows the same balance as at the opening', { balanceCents: 10_000 }, {}],
    ['was read long ago', { readAt: NOW - 30 * MINUTE }, {}],
    ['was read when it was opened', {}, { openedAt: NOW }],
    ['was deleted in the CRM', { deletedAt: NOW }, {}],
    ['was paid', { localStatus: 'paid' }, {}],
    ['is to be paid in full', { partBaseCents: null }, {}],
    ['is frozen already', {}, { state: 'frozen' }],
    ['is in another collection', { collection: 2 }, {}],
  ])('is not suspected when it %s', async (_title, row, collection) => {
    expect(await (await addInstallmentInvoice(row, collection)).list()).toEqual([]);
  });

  it('is suspected as soon as it is read after it was opened', async () => {
    const { list } = await addInstallmentInvoice({ readAt: NOW - 30 * MINUTE + 1 }, { openedAt: NOW - 30 * MINUTE });
    expect(await list()).toEqual(['1']);
  });

  it('is not suspected for a change that our records made or may have made', async () => {
    const { addAttempt, addRecord, db, list } = await addInstallmentInvoice();
    const part = await addAttempt('1');
    await addRecord(part, '1', { id: 'asked', state: 'sent', effect: '', sentAt: NOW - 15 * MINUTE + 1 });
    expect(await list()).toEqual([]);
    const set = (sql: string) => db.$client.prepare(`UPDATE crm_writes SET ${sql}`).run();
    await set('sent_at = sent_at - 1');
    expect(await list()).toEqual(['1']);
    await set("state = 'written', effect = 'balance_moved', amount_cents = 1000");
    expect(await list()).toEqual([]);
    await set('amount_cents = 999');
    expect(await list()).toEqual(['1']);
  });

  it('is listed after invoices that were read earlier', async () => {
    const { add, list } = await addInstallmentInvoice();
    await add('2', { readAt: NOW - 2 });
    await add('3', { readAt: NOW - 1 });
    await add('4', { balanceCents: 10_000, readAt: NOW - 3 });
    expect([await list(), await list(2)]).toEqual([
      ['2', '3', '1'],
      ['2', '3'],
    ]);
  });
});
