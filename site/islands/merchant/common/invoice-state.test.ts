import { describe, expect, it } from 'vitest';
import { stateOf } from './InvoiceStatus.tsx';

const openInvoice = { status: 'open', balance: '12.50', due: '2020-01-01', refunded: '0.00', partPaid: '0.00' };

describe('state of an invoice', () => {
  it('is "overdue" from the day after the due date while an amount is owed', () => {
    expect(stateOf(openInvoice)).toBe('overdue');
    expect(stateOf({ ...openInvoice, due: '2999-01-01' })).toBe('open');
    expect(stateOf({ ...openInvoice, due: null })).toBe('open');
    expect(stateOf({ ...openInvoice, balance: '0.00' })).toBe('open');
    expect(stateOf({ ...openInvoice, balance: null })).toBe('open');
  });

  it('is "partly paid" for an open invoice that is not overdue', () => {
    expect(stateOf({ ...openInvoice, due: '2999-01-01', partPaid: '5.00' })).toBe('partly_paid');
    expect(stateOf({ ...openInvoice, partPaid: '5.00' })).toBe('overdue');
    expect(stateOf({ ...openInvoice, status: 'paid', partPaid: '12.50' })).toBe('paid');
  });
});
