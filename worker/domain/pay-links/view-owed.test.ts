import { describe, expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { contacts, invoices } from '#worker/data/schema/schema';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { viewOpenInvoiceSummary } from './open-invoices.ts';

const DAY_MS = 86_400_000;

describe('the summary above the customer list', () => {
  it('counts all, owing and overdue customers by the clinic’s local day', async () => {
    const { accountId, clock, db, deps, invoiceId } = await makeWorld();
    await db.insert(contacts).values(['1', '2', '3'].map((contactId) => ({ accountId, contactId, readAt: 1 })));
    // March 4, 15:00 UTC in Indianapolis.
    const addOpenInvoice = (contactId: string, dueDate: string | null) =>
      db.insert(invoices).values({
        accountId,
        invoiceId: `${invoiceId}${contactId}`,
        number: '',
        status: 'open',
        currency: 'USD',
        balanceCents: 100,
        readAt: 1,
        contactId,
        dueDate,
      });
    await addOpenInvoice('1', '2026-03-04');
    await addOpenInvoice('2', null);
    expect((await viewOpenInvoiceSummary(deps, accountId)).customers).toEqual({ all: 3, owes: 2, overdue: 0 });
    clock.now += DAY_MS;
    expect((await viewOpenInvoiceSummary(deps, accountId)).customers).toEqual({ all: 3, owes: 2, overdue: 1 });
  });
});

describe('the summary above the list of open invoices', () => {
  it('counts invoices in all currencies but sums only US dollars', async () => {
    const { accountId, clock, crm, db, deps, invoiceId } = await makeWorld();
    const template = crm.invoice as CrmInvoice;
    const id = String(Number(invoiceId) + 1_000_000);
    const euros = { ...template, id, dueDate: '2026-03-03', currency: 'EUR', balanceCents: 500 };
    await saveInvoice(db, accountId, euros, clock.now);
    expect((await viewOpenInvoiceSummary(deps, accountId)).overdue).toMatchObject({ count: 1, amount: '0.00' });
    await saveInvoice(db, accountId, { ...euros, currency: 'USD' }, clock.now);
    expect((await viewOpenInvoiceSummary(deps, accountId)).overdue).toMatchObject({ count: 1, amount: '5.00' });
    await saveInvoice(db, accountId, { ...euros, status: 'paid', balanceCents: 0 }, clock.now);
    expect((await viewOpenInvoiceSummary(deps, accountId)).overdue).toMatchObject({ count: 0, amount: '0.00' });
  });

  it('shows overdue amounts by age, the amount due and the paid invoices by the clinic’s local day', async () => {
    const { accountId, clock, crm, db, deps, invoiceId } = await makeWorld();
    const template = crm.invoice as CrmInvoice;
    // March 4; the world's own invoice of $184.00 is due on March 10.
    const days = [null, '2026-03-04', '2026-03-03', '2026-02-02', '2026-02-01', '2026-01-03', '2026-01-02'];
    for (const [index, dueDate] of days.entries()) {
      const id = String(Number(invoiceId) + 1_000_000 + index);
      await saveInvoice(db, accountId, { ...template, id, dueDate, balanceCents: 100 * 2 ** index }, clock.now);
    }
    const settledInvoice = {
      ...template,
      id: String(Number(invoiceId) + 3_000_000),
      dueDate: '2026-02-01',
      balanceCents: 0,
    };
    await saveInvoice(db, accountId, settledInvoice, clock.now);
    const paidInvoice = { ...template, id: String(Number(invoiceId) + 2_000_000), status: 'paid', balanceCents: 0 };
    await saveInvoice(db, accountId, paidInvoice, clock.now);
    expect(await viewOpenInvoiceSummary(deps, accountId)).toEqual({
      day: '2026-03-04',
      overdue: {
        count: 5,
        amount: '124.00',
        ages: [
          { days: '1-30', from: '2026-02-02', to: '2026-03-03', count: 2, amount: '12.00' },
          { days: '31-60', from: '2026-01-03', to: '2026-02-01', count: 2, amount: '48.00' },
          { days: '61+', from: null, to: '2026-01-02', count: 1, amount: '64.00' },
        ],
      },
      due: { count: 3, amount: '187.00' },
      paid: { count: 1, amount: '0.00' },
      all: 10,
      customers: { all: 0, owes: 0, overdue: 0 },
    });
  });
});
