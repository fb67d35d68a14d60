import { expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db } from '#tests/support/unit/rows';
import { listOpenPayments } from './today.ts';

it('payments with an unknown outcome are listed oldest first up to a limit, with the number and sum of all', async () => {
  await addClinic({}, 't1');
  await add('invoices', { invoice_id: 'p1', contact_first_name: 'Marta', contact_last_name: 'Núñez' });
  await add('invoices', { invoice_id: 'p2', company_name: 'Núñez Studio' });
  const heldPayment = { state: 'needs_human', needs_human_from: 'pending' };
  await addPayment('p2', {
    ...heldPayment,
    created_at: 2,
    invoice_number: 'INV-2',
    channel: 'terminal',
    terminal_id: 't1',
  });
  await addPayment('p1', { state: 'unknown', created_at: 1, amount_cents: 500, channel: 'link' });
  await addPayment('p3', { ...heldPayment, created_at: 3 });
  for (const state of ['sent', 'approved', 'declined', 'pending']) await addPayment(state, { state });
  await addPayment('other', { state: 'unknown', account_id: ACCOUNT + 1 });
  expect(await listOpenPayments(db, ACCOUNT, 2)).toMatchObject({
    count: 3,
    cents: 20_500,
    first: [
      { id: 'p1', at: 1, cents: 500, customer: 'Marta Núñez', needsPerson: false, heldFrom: '', terminal: null },
      {
        id: 'p2',
        at: 2,
        customer: 'Núñez Studio',
        invoiceNumber: 'INV-2',
        needsPerson: true,
        heldFrom: 'pending',
        terminal: { id: 't1' },
      },
    ],
  });
});
