import { fullName, type PayView, tickedWords } from '../contracts/payment.ts';
import { formatMoney, parseCents } from '../money.ts';

/** "Mar 4, 2026" for a plain date (YYYY-MM-DD), independent of the reader's zone. */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/**
 * The texts of the pay page's HTML, by `data-fill` name. The Worker writes them into the built page and the island
 * renders the same ones, so hydration finds what it expects. Null: the row (`data-row` of that name) is left out.
 */
export function payPageFill(view: PayView) {
  const cents = parseCents(view.invoice.amountDue) ?? 0;
  const customer = fullName(view.customer.firstName, view.customer.lastName);
  return {
    title: `Pay invoice ${view.invoice.number} – ${view.business.name}`,
    business: view.business.name,
    amount: formatMoney(cents, view.invoice.currency),
    due: view.invoice.dueDate ? `Due ${formatDate(view.invoice.dueDate)}` : null,
    number: view.invoice.number,
    customer: customer || null,
    company: view.company.name || null,
    billedTo: [customer, view.company.name].filter(Boolean).join(', ') || null,
    payAs: view.addressOnFile ? customer : null,
    tick: customer ? tickedWords(customer) : null,
    signer: customer || null,
    pad: customer ? null : '',
    phone: view.business.phone || null,
    email: view.business.email || null,
    provider: view.sdk.provider,
    form: view.state === 'ready' ? '' : null,
    confirming: view.state === 'pending' ? '' : null,
  };
}
