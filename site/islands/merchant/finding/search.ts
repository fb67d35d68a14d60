import type { InvoiceItem } from '#shared/contracts/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { writeAddress } from '#site/islands/ui/table/list-address.ts';
import { api } from '../api/api.ts';
import { customerSource } from '../lists/customers.ts';
import { invoiceSource } from '../lists/invoices.tsx';
import type { ListSource } from '../lists/use-list.ts';
import { moneyOf } from '../parts/amount.ts';
import { customerPath } from '../parts/customer-name.ts';
import { stateOf, wordOf } from '../parts/InvoiceStatus.tsx';
import type { Entry } from './entry.ts';

/** Of each kind; more are in its list. */
const MOST = 3;

export type Found = { customers: Entry[]; invoices: Entry[] };

async function firstOf<Row>({ path, sort, readRows }: ListSource<Row>, q: string, signal: AbortSignal): Promise<Row[]> {
  const address = writeAddress({ page: 1, size: 10, sort, q, filters: {} });
  const answer = await api.call(`${path}?${address}`, (body) => readRows(body), { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.slice(0, MOST);
}

/** "$588.50, overdue": what is owed, or else what was billed. */
function sumOf({ properties, refunded, part_paid: partPaid }: InvoiceItem): string {
  const { hs_balance_due, hs_amount_billed, hs_currency, hs_invoice_status: status, hs_due_date: due } = properties;
  const word = wordOf(stateOf({ status, balance: hs_balance_due, due, refunded, partPaid }));
  return `${moneyOf(status === 'open' ? hs_balance_due : hs_amount_billed, hs_currency)}, ${word.toLowerCase()}`;
}

/** What the copy of the CRM holds under these words. Throws the server's reason. */
export async function find(q: string, signal: AbortSignal): Promise<Found> {
  const [customers, invoices] = await Promise.all([
    firstOf(customerSource, q, signal),
    firstOf(invoiceSource, q, signal),
  ]);
  return {
    customers: customers.map(({ id, owed, properties: { firstname, lastname, company, email } }) => ({
      id: `customer-${id}`,
      icon: 'user',
      name: `${firstname} ${lastname}`.trim() || email || 'No name',
      beside: company,
      state: owed !== null && Number(owed) > 0 ? `owes ${moneyOf(owed, ONLINE_CURRENCY)}` : '',
      path: customerPath(id),
      payPath: `/payments?${new URLSearchParams({ customer: id })}`,
    })),
    invoices: invoices.map((invoice) => ({
      id: `invoice-${invoice.id}`,
      icon: 'fileText',
      name: invoice.properties.hs_number || invoice.id,
      // Both, since the words may have been found in either.
      beside: [invoice.customer_name, invoice.company_name].filter(Boolean).join(', '),
      state: sumOf(invoice),
      path: `/invoice/${encodeURIComponent(invoice.id)}`,
      isOwed: invoice.properties.hs_invoice_status === 'open',
    })),
  };
}
