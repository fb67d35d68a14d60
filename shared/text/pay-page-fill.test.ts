import { describe, expect, it } from 'vitest';
import type { PayView } from '#shared/contracts/payment';
import { mailHref, telHref } from '../contact.ts';
import { formatDate, payPageFill } from './pay-page-fill.ts';

const view: PayView = {
  payId: 'x',
  state: 'ready',
  business: { name: 'Maple Street Dental', phone: '(317) 555-0110', email: 'billing@maple.example' },
  invoice: { number: 'INV-1042', amountDue: '1184.00', currency: 'USD', dueDate: '2026-03-04' },
  customer: { firstName: 'Marta', lastName: 'Núñez' },
  addressOnFile: false,
  company: { name: '' },
  sdk: { provider: 'Clearent', scriptUrl: '', baseUrl: '', publicKey: '', sandbox: true },
};

describe('the texts of the pay page', () => {
  it('say the amount with its sign, grouping and both decimals', () => {
    expect(payPageFill(view).amount).toBe('$1,184.00');
    expect(payPageFill({ ...view, invoice: { ...view.invoice, amountDue: '9999999.9' } }).amount).toBe('$9,999,999.90');
    expect(payPageFill({ ...view, invoice: { ...view.invoice, currency: 'EUR' } }).amount).toBe('€1,184.00');
  });

  it('leave out the rows for which there is nothing to say', () => {
    const texts = payPageFill({
      ...view,
      customer: { firstName: '', lastName: '' },
      invoice: { ...view.invoice, dueDate: null },
    });
    expect([texts.customer, texts.company, texts.due]).toEqual([null, null, null]);
    expect(payPageFill({ ...view, customer: { firstName: 'Marta', lastName: '' } }).customer).toBe('Marta');
  });

  it('keep either the form or the line about a payment that is being confirmed, never both', () => {
    expect(payPageFill(view)).toMatchObject({ form: '', confirming: null });
    expect(payPageFill({ ...view, state: 'pending' })).toMatchObject({ form: null, confirming: '' });
  });

  it('name the due day of the CRM, in every time zone', () => {
    expect(formatDate('2026-03-04')).toBe('Mar 4, 2026');
    expect(payPageFill(view).due).toBe('Due Mar 4, 2026');
  });

  it('put only digits and a plus into the telephone link', () => {
    expect(telHref('+1 (317) 555-0110')).toBe('tel:+13175550110');
    expect(mailHref('a@b.example')).toBe('mailto:a@b.example');
  });
});
