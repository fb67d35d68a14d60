import { describe, expect, it } from 'vitest';
import type { PayView } from '#shared/contracts/payment';
import { mailHref, telHref } from '../contact.ts';
import { wordsIn } from '../words/bilingual.ts';
import { billWords } from '../words/bill-and-receipt-words.ts';
import type { Language } from '../words/language.ts';
import { payPageFill as fillIn } from './pay-page-fill.ts';

const payPageFill = (payView: PayView, language: Language = 'en') =>
  fillIn(payView, language, wordsIn(billWords, language));

const view: PayView = {
  payId: 'x',
  state: 'ready',
  business: { name: 'Maple Street Dental', phone: '(317) 555-0110', email: 'billing@maple.example' },
  timeZone: 'America/Indiana/Indianapolis',
  invoice: { number: 'INV-1042', amountDue: '1184.00', currency: 'USD', dueDate: '2026-03-04' },
  customer: { firstName: 'Marta', lastName: 'Núñez' },
  addressOnFile: '',
  company: { name: '' },
  sdk: { provider: 'Clearent', scriptUrl: '', scriptObject: '', baseUrl: '', publicKey: '', sandbox: true },
};

describe('the texts of the pay page', () => {
  it('show the amount with symbol, grouping and two decimals', () => {
    expect(payPageFill(view).amount).toBe('$1,184.00');
    expect(payPageFill({ ...view, invoice: { ...view.invoice, amountDue: '9999999.9' } }).amount).toBe('$9,999,999.90');
    expect(payPageFill({ ...view, invoice: { ...view.invoice, currency: 'EUR' } }).amount).toBe('€1,184.00');
  });

  it('omit rows that have no value', () => {
    const texts = payPageFill({
      ...view,
      customer: { firstName: '', lastName: '' },
      invoice: { ...view.invoice, dueDate: null },
    });
    expect([texts.customer, texts.company, texts.due]).toEqual([null, null, null]);
    expect(payPageFill({ ...view, customer: { firstName: 'Marta', lastName: '' } }).customer).toBe('Marta');
  });

  it('have a title without a gap if the invoice has no number in the CRM', () => {
    const viewWithoutNumber = { ...view, invoice: { ...view.invoice, number: '' } };
    expect(payPageFill(viewWithoutNumber).title).toBe('Pay invoice – Maple Street Dental');
  });

  it('show either the form or the notice of a pending payment, never both', () => {
    expect(payPageFill(view)).toMatchObject({ form: '', confirming: null });
    expect(payPageFill({ ...view, state: 'pending' })).toMatchObject({ form: null, confirming: '' });
  });

  it('show the CRM’s due date unchanged in every time zone', () => {
    expect(payPageFill(view).due).toBe('Due Mar 4, 2026');
  });

  it('are translated into Spanish, with US money and date conventions', () => {
    expect(payPageFill(view, 'es')).toMatchObject({
      title: 'Pagar la factura INV-1042 – Maple Street Dental',
      amount: '$1,184.00',
      due: 'Vence el 4 mar 2026',
      tick: 'Soy Marta Núñez y firmo este pago',
    });
  });

  it('have a phone link with only digits and a plus sign', () => {
    expect(telHref('+1 (317) 555-0110')).toBe('tel:+13175550110');
    expect(mailHref('a@b.example')).toBe('mailto:a@b.example');
  });
});
