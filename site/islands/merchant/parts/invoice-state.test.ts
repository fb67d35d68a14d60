import { describe, expect, it } from 'vitest';
import { stateOf } from './InvoiceStatus.tsx';

const open = { status: 'open', balance: '12.50', due: '2020-01-01', refunded: '0.00', partPaid: '0.00' };

describe('state of an invoice', () => {
  it('is "overdue" from the day after the due date while an amount is owed', () => {
    expect(stateOf(open)).toBe('overdue');
    expect(stateOf({ ...open, due: '2999-01-01' })).toBe('open');
    expect(stateOf({ ...open, due: null })).toBe('open');
    expect(stateOf({ ...open, balance: '0.00' })).toBe('open');
    expect(stateOf({ ...open, balance: null })).toBe('open');
  });

  it('is "partly paid" for an open invoice that is not overdue', () => {
    expect(stateOf({ ...open, due: '2999-01-01', partPaid: '5.00' })).toBe('partly_paid');
    expect(stateOf({ ...open, partPaid: '5.00' })).toBe('overdue');
    expect(stateOf({ ...open, status: 'paid', partPaid: '12.50' })).toBe('paid');
  });
});
