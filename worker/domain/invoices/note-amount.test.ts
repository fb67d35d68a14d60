import { expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk, crmInvoice } from '#tests/support/unit/bare-desk';
import { ACCOUNT } from '#tests/support/unit/rows';
import { findInvoice } from '#worker/data/invoices/invoices';
import { noteAmount } from './changed-amount.ts';

const fresh = crmInvoice({ balanceCents: 9_000, modifiedAt: NOW + 1 });

it('an invoice that is not stored yet is saved', async () => {
  const { db, deps } = await bareDesk();
  expect(await noteAmount(deps, ACCOUNT, { stored: undefined, fresh: { ...fresh, id: '5' }, readAt: NOW })).toBe(false);
  expect(await findInvoice(db, ACCOUNT, '5')).toMatchObject({ balanceCents: 9_000, readAt: NOW });
});

it.each([false, true])(
  'an invoice with a changed amount is frozen only if it is in installments: %s',
  async (isFrozen) => {
    const { addCollection, deps, invoiceRow } = await bareDesk();
    if (isFrozen) await addCollection('1');
    const stored = await invoiceRow();
    expect(await noteAmount(deps, ACCOUNT, { stored, fresh, readAt: NOW })).toBe(isFrozen);
    expect((await invoiceRow())?.balanceCents).toBe(9_000);
  },
);
