import { describe, expect, it } from 'vitest';
import { readCursor, viewName, writeCursor } from '../list-cursor.ts';
import { paymentRules } from '../payments/payment-list.ts';
import {
  customerRules,
  invoiceRules,
  type ListRequest,
  type ListRules,
  openInvoiceRules,
  readListRequest,
} from './list-request.ts';

const parseQuery = (query: string, rules: ListRules = invoiceRules) =>
  readListRequest(rules, new URLSearchParams(query));
function parseValidQuery(query: string, rules?: ListRules): ListRequest {
  const request = parseQuery(query, rules);
  if ('fields' in request) throw new Error(`refused: ${request.fields}`);
  return request;
}

describe('reading a list request', () => {
  it('defaults to the newest hundred rows', () => {
    expect(parseValidQuery('')).toEqual({
      page: 1,
      size: 100,
      sort: 'hs_createdate',
      isDescending: true,
      q: '',
      statuses: [],
      ranges: [],
      contactId: null,
      hasOpenInvoice: false,
      terminal: null,
      cursor: null,
      format: 'json',
    });
    expect(parseValidQuery('page=&size=&sort=&q=&hs_invoice_status=&hs_due_date=&cursor=&format=')).toEqual(
      parseValidQuery(''),
    );
  });

  it('reads filters by each list’s own field names', () => {
    expect(
      parseValidQuery(
        'hs_invoice_status=paid,open,paid&hs_due_date=2026-01-01..&hs_balance_due=..10.5&hs_amount_billed=7&q=%20a%20b%20',
      ),
    ).toMatchObject({
      q: 'a b',
      statuses: ['open', 'paid'],
      ranges: [
        { field: 'hs_due_date', from: '2026-01-01', to: null },
        { field: 'hs_amount_billed', from: 700, to: 700 },
        { field: 'hs_balance_due', from: null, to: 1050 },
      ],
    });
    expect(parseValidQuery('status=open&contact=12&amount_due=-5..5&sort=-company', openInvoiceRules)).toMatchObject({
      statuses: ['open'],
      contactId: '12',
      ranges: [{ field: 'amount_due', from: -500, to: 500 }],
      sort: 'company',
      isDescending: true,
    });
    expect(parseValidQuery('open=1', customerRules)).toMatchObject({
      hasOpenInvoice: true,
      sort: 'name',
      isDescending: false,
    });
    expect(parseValidQuery('terminal=front-1', paymentRules)).toMatchObject({ terminal: 'front-1' });
    expect(parseValidQuery('open=1&contact=3&terminal=front-1')).toMatchObject({
      hasOpenInvoice: false,
      contactId: null,
      terminal: null,
    });
  });

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=1e3', 'page'],
    ['page=99999999', 'page'],
    ['page=NaN', 'page'],
    ['size=0', 'size'],
    ['size=101', 'size'],
    ['size=ten', 'size'],
    ['sort=balance_cents', 'sort'],
    ['sort=--hs_number', 'sort'],
    ['sort=hs_number;DROP TABLE invoices', 'sort'],
    ['sort=(SELECT 1)', 'sort'],
    ['sort=constructor', 'sort'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ["hs_invoice_status=open' OR 1=1", 'hs_invoice_status'],
    ['hs_invoice_status=*', 'hs_invoice_status'],
    ['hs_due_date=2026-02-30', 'hs_due_date'],
    ['hs_due_date=2026-1-1..', 'hs_due_date'],
    ['hs_due_date=..', 'hs_due_date'],
    ['hs_due_date=2026-01-01..2026-01-02..2026-01-03', 'hs_due_date'],
    ['hs_balance_due=1.234', 'hs_balance_due'],
    ['hs_balance_due=1e9..', 'hs_balance_due'],
    ['hs_balance_due=..9999999999999', 'hs_balance_due'],
    ['cursor=%%%', 'cursor'],
    ['cursor=bm9wZQ', 'cursor'],
    ['format=xml', 'format'],
    ['page=1&page=2', 'page'],
  ])('rejects %j and names the field', (query, field) => {
    expect(parseQuery(query)).toEqual({ fields: [field] });
  });

  it('reports all invalid fields at once', () => {
    expect(parseQuery('page=0&sort=x&hs_due_date=x')).toEqual({ fields: ['page', 'sort', 'hs_due_date'] });
  });
});

describe('a list cursor', () => {
  const cursor = { page: 3, side: 'after', key: 'Núñez "東京" 🦷', id: 12, total: 40 } as const;

  it('survives encoding for a header and a URL', () => {
    const text = writeCursor('abc', cursor);
    expect(text).toMatch(/^[\w-]+$/);
    expect(readCursor(text)).toEqual({ view: 'abc', cursor });
  });

  it('applies only to its own list and page', () => {
    const request = parseValidQuery('sort=hs_number&size=10');
    const text = writeCursor(viewName(request), cursor);
    expect(parseValidQuery(`sort=hs_number&size=10&page=3&cursor=${text}`)).toMatchObject({ page: 3, cursor });
    expect(parseValidQuery(`sort=hs_number&size=10&cursor=${text}`)).toMatchObject({ page: 3, cursor });
    expect(parseValidQuery(`sort=hs_number&size=10&page=4&cursor=${text}`)).toMatchObject({ page: 4, cursor: null });
    for (const otherList of ['sort=-hs_number&size=10', 'sort=hs_number&size=20', 'sort=hs_number&size=10&q=a']) {
      expect(parseValidQuery(`${otherList}&page=3&cursor=${text}`)).toMatchObject({ page: 3, cursor: null });
    }
  });
});
