import type { InvoiceItem } from '../../../../shared/contracts/lists.ts';
import { writeAddress } from '../../ui/table/list-address.ts';
import { api } from '../api/api.ts';
import { customerSource } from '../lists/customers.ts';
import { invoiceSource } from '../lists/invoices.tsx';
import type { ListSource } from '../lists/use-list.ts';
import { moneyOf } from '../parts/amount.ts';
import { statusLooks } from '../parts/InvoiceStatus.tsx';
import type { Entry } from './palette-groups.ts';

/** Of each kind; more are in its list. */
const MOST = 3;

export type Found = { customers: Entry[]; invoices: Entry[] };

async function firstOf<Row>({ path, sort, readRows }: ListSource<Row>, q: string, signal: AbortSignal): Promise<Row[]> {
  const address = writeAddress({ page: 1, size: 10, sort, q, filters: {} });
  const answer = await api.call(`${path}?${address}`, (body) => readRows(body), { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.slice(0, MOST);
}

function stateOf({ hs_balance_due, hs_amount_billed, hs_currency, hs_invoice_status }: InvoiceItem['properties']) {
  const isOwed = hs_invoice_status === 'open';
  const word = statusLooks[hs_invoice_status]?.word ?? hs_invoice_status;
  return `${moneyOf(isOwed ? hs_balance_due : hs_amount_billed, hs_currency)}, ${word.toLowerCase()}`;
}

/** What the copy of the CRM holds under these words. Throws the server's reason. */
export async function find(q: string, signal: AbortSignal): Promise<Found> {
  const [customers, invoices] = await Promise.all([
    firstOf(customerSource, q, signal),
    firstOf(invoiceSource, q, signal),
  ]);
  return {
    customers: customers.map(({ id, properties: { firstname, lastname, company, email } }) => ({
      id: `customer-${id}`,
      icon: 'user',
      name: `${firstname} ${lastname}`.trim() || email || 'No name',
      beside: company,
      path: `/customers?${new URLSearchParams({ q: email || `${firstname} ${lastname}`.trim() })}`,
    })),
    invoices: invoices.map(({ id, customer_name, company_name, properties }) => ({
      id: `invoice-${id}`,
      icon: 'fileText',
      name: properties.hs_number || id,
      beside: customer_name || company_name,
      state: stateOf(properties),
      path: `/invoice/${encodeURIComponent(id)}`,
      isOwed: properties.hs_invoice_status === 'open',
    })),
  };
}
