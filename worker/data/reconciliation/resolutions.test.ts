import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db } from '#tests/support/unit/rows';
import { listResolutions, listReversalResolutions, listUndecidedReversals } from './resolutions.ts';

beforeEach(async () => {
  await addClinic();
  await add('users', { user_id: 1, email: 'ana@maple.example' }, { user_id: 2, email: 'ben@maple.example' });
  await add('invoices', { invoice_id: 'p1', contact_first_name: 'Marta', contact_last_name: 'Núñez' });
  await add('invoices', { invoice_id: 'p2', company_name: 'Núñez Studio' });
});

const addReversal = (id: string, attempt_id: string, overrides: Record<string, unknown> = {}) =>
  add('reversals', { id, attempt_id, request_key: id, invoice_id: attempt_id, kind: 'refund', ...overrides });

describe('voids and refunds in manual review', () => {
  it('are listed alone, oldest first, each with its payment, its invoice and its requester', async () => {
    await addPayment('p1', { refunded_cents: 500, invoice_number: 'INV-1' });
    await addPayment('p2', { invoice_number: 'INV-2' });
    await addPayment('p3');
    const request = { state: 'needs_human', reason: 'Cancelled', message: 'No answer' };
    await addReversal('r2', 'p2', { ...request, requested_by: 2, created_at: 2 });
    await addReversal('r1', 'p1', { ...request, requested_by: 1, created_at: 1, amount_cents: 700 });
    await addReversal('r3', 'p3', { ...request, requested_by: 9, created_at: 3 });
    await addReversal('r4', 'p1', { state: 'approved' });
    expect(await listUndecidedReversals(db, ACCOUNT)).toMatchObject([
      { id: 'r1', requestedBy: 'ana@maple.example', firstName: 'Marta', invoiceNumber: 'INV-1', refundedCents: 500 },
      {
        id: 'r2',
        requestedBy: 'ben@maple.example',
        companyName: 'Núñez Studio',
        invoiceNumber: 'INV-2',
        paidCents: 10_000,
      },
      { id: 'r3', requestedBy: null, firstName: null, reason: 'Cancelled', gatewayMessage: 'No answer' },
    ]);
  });
});

describe('manual decisions', () => {
  it('list payments newest first up to a limit, each with the person who decided', async () => {
    await addPayment('p1', { invoice_number: 'INV-1' });
    await addPayment('p2', { invoice_number: 'INV-2' });
    const decision = { verdict: 'charged', note: 'Seen there' };
    await add('resolutions', { ...decision, id: 'x1', attempt_id: 'p1', resolved_by: 1, at: 1 });
    await add('resolutions', { ...decision, id: 'x2', attempt_id: 'p2', resolved_by: 2, at: 2 });
    await add('resolutions', { ...decision, id: 'x3', attempt_id: 'p2', resolved_by: 9, at: 3 });
    expect(await listResolutions(db, ACCOUNT, 3)).toMatchObject([
      { invoiceNumber: 'INV-2', email: null, at: 3 },
      { invoiceNumber: 'INV-2', email: 'ben@maple.example', at: 2 },
      { invoiceNumber: 'INV-1', email: 'ana@maple.example', at: 1, amountCents: 10_000, note: 'Seen there' },
    ]);
    expect(await listResolutions(db, ACCOUNT, 1)).toHaveLength(1);
  });

  it('list voids and refunds newest first up to a limit, each with the person who decided', async () => {
    await addPayment('p1', { invoice_number: 'INV-1' });
    await addPayment('p2', { invoice_number: 'INV-2' });
    await addReversal('r1', 'p1', { state: 'approved', amount_cents: 700 });
    await addReversal('r2', 'p2', { state: 'not_done' });
    const decision = { verdict: 'happened', note: 'Seen there' };
    await add('reversal_resolutions', { ...decision, id: 'x1', reversal_id: 'r1', resolved_by: 1, at: 1 });
    await add('reversal_resolutions', { ...decision, id: 'x2', reversal_id: 'r2', resolved_by: 2, at: 2 });
    await add('reversal_resolutions', { ...decision, id: 'x3', reversal_id: 'r2', resolved_by: 9, at: 3 });
    expect(await listReversalResolutions(db, ACCOUNT, 3)).toMatchObject([
      { invoiceNumber: 'INV-2', email: null, at: 3 },
      { invoiceNumber: 'INV-2', email: 'ben@maple.example', at: 2 },
      { invoiceNumber: 'INV-1', email: 'ana@maple.example', kind: 'refund', amountCents: 700, verdict: 'happened' },
    ]);
    expect(await listReversalResolutions(db, ACCOUNT, 1)).toHaveLength(1);
  });
});
