import { expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk, crmInvoice } from '#tests/support/unit/bare-desk';
import { ACCOUNT } from '#tests/support/unit/rows';
import { findInvoice } from '#worker/data/invoices/invoices';
import { recordCrmInvoice } from './freeze-changed-amount.ts';

const crmInvoiceNow = crmInvoice({ balanceCents: 9_000, modifiedAt: NOW + 1 });

it('an invoice that is not stored yet is saved', async () => {
  const { db, deps } = await bareDesk();
  expect(
    await recordCrmInvoice(deps, ACCOUNT, {
      storedInvoice: undefined,
      crmInvoice: { ...crmInvoiceNow, id: '5' },
      readAt: NOW,
    }),
  ).toBe(false);
  expect(await findInvoice(db, ACCOUNT, '5')).toMatchObject({ balanceCents: 9_000, readAt: NOW });
});

it.each([false, true])(
  'an invoice with a changed amount is frozen only if it is in installments: %s',
  async (isFrozen) => {
    const { addCollection, deps, invoiceRow } = await bareDesk();
    if (isFrozen) await addCollection('1');
    const storedInvoice = await invoiceRow();
    expect(await recordCrmInvoice(deps, ACCOUNT, { storedInvoice, crmInvoice: crmInvoiceNow, readAt: NOW })).toBe(
      isFrozen,
    );
    expect((await invoiceRow())?.balanceCents).toBe(9_000);
  },
);
