import type { ReactNode } from 'react';
import type { CustomerReply, Owed } from '#shared/contracts/lists/customers';
import { ONLINE_CURRENCY, parseCents } from '#shared/money';
import { partners } from '#shared/partners';
import { formatCount } from '#shared/text/format-count';
import { formatList } from '#shared/text/format-list';
import { DetailRows } from '#site/islands/ui/DetailRows.tsx';
import { formatDay, formatInZone, formatSince } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { moneyOf } from '../common/amount.ts';
import { MoreIcon } from '../common/MoreIcon.tsx';

const NOTHING_OWED: Owed = {
  currency: ONLINE_CURRENCY,
  amount: '0.00',
  invoices: 0,
  unreadable: 0,
  overdue_amount: '0.00',
  overdue_invoices: 0,
  first_due: null,
};

/** The amount owed, the contact details, and facts about past payments. */
export function CustomerSidebar({ reply, children }: { reply: CustomerReply; children: ReactNode }) {
  const { owed, on_its_way: onItsWay, paid, since, customer } = reply;
  const isMoneyOnItsWay = (parseCents(onItsWay) ?? 0) > 0;
  const { email, phone } = customer.properties;
  // The page also lists invoices paid elsewhere, so the label states which payments the sum includes.
  const facts: [string, ReactNode][] = [
    ['Paid through Tillway', <Money key="" amount={paid.amount} currency={paid.currency} />],
  ];
  if (paid.last_at) facts.push(['Last paid through Tillway', formatDay(paid.last_at)]);
  if (paid.usual_days !== null) facts.push(['Usually pays', `${describeDays(paid.usual_days)} after we send`]);
  if (since) facts.push(['Customer since', formatInZone(new Date(since), { month: 'long', year: 'numeric' })]);
  return (
    <div className="customer-side">
      <section className="customer-owes" aria-labelledby="owes">
        <h2 id="owes">Owes</h2>
        {(owed.length > 0 ? owed : [NOTHING_OWED]).map((sum) => (
          <div key={sum.currency}>
            <p className="customer-amount">
              {sum.unreadable === sum.invoices && sum.invoices > 0 ? (
                'Cannot be read'
              ) : (
                <Money amount={sum.amount} currency={sum.currency} />
              )}
            </p>
            {sum.unreadable > 0 && sum.unreadable < sum.invoices && <p>{describeUnreadable(sum, reply)}</p>}
            <p>{describeOwed(sum, isMoneyOnItsWay)}</p>
          </div>
        ))}
        {isMoneyOnItsWay && <p>{moneyOf(onItsWay, ONLINE_CURRENCY)} on its way from the bank.</p>}
      </section>
      {children}
      <ul className="customer-contact">
        {email && (
          <li>
            <MoreIcon name="mail" />
            <a href={`mailto:${email}`}>{email}</a>
          </li>
        )}
        {phone && (
          <li>
            <MoreIcon name="phone" />
            <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
          </li>
        )}
        {reply.address && (
          <li>
            <MoreIcon name="user" />
            <span>{reply.address}</span>
          </li>
        )}
        <li className="customer-from">
          {email || phone || reply.address ? 'from' : 'No email, phone or address in'} {partners.crm}, copied{' '}
          <time dateTime={reply.copied_at}>{formatSince(reply.copied_at)}</time>
        </li>
      </ul>
      <DetailRows rows={facts} />
    </div>
  );
}

const describeDays = (days: number): string => (days === 0 ? 'less than a day' : formatCount(days, 'day'));

/** Names the invoices that the sum does not include, for example "plus INV-1100 (amount unreadable)". */
function describeUnreadable({ currency, unreadable }: Owed, { invoices }: CustomerReply): string {
  const numbers = invoices
    .filter(({ properties: { hs_currency, hs_invoice_status: status, hs_balance_due: due } }) => {
      return hs_currency === currency && status === 'open' && due === null;
    })
    .map(({ id, properties }) => properties.hs_number || `invoice ${id}`);
  const areAllListed = numbers.length === unreadable;
  return `plus ${areAllListed ? formatList(numbers) : `${unreadable} invoices`} (${unreadable === 1 ? 'amount' : 'amounts'} unreadable)`;
}

function describeOwed(
  { currency, invoices, overdue_amount, overdue_invoices, first_due }: Owed,
  isMoneyOnItsWay: boolean,
): string {
  if (invoices === 0) return isMoneyOnItsWay ? 'Nothing else is owed.' : 'Nothing is owed.';
  const due = first_due ? `, ${invoices === 1 ? '' : 'the first '}due ${formatDay(first_due)}` : '';
  const overdue =
    overdue_invoices === 0
      ? 'Nothing overdue.'
      : `${overdue_amount === null ? 'Some of it' : moneyOf(overdue_amount, currency)} overdue.`;
  return `${formatCount(invoices, 'invoice')}${due}. ${overdue}`;
}

const skeletonLine = (width: string) => <span className="skeleton" style={{ width }} />;

export function CustomerSidebarSkeleton() {
  return (
    <div className="customer-side">
      <section className="customer-owes" aria-labelledby="owes">
        <h2 id="owes">Owes</h2>
        <p className="customer-amount">{skeletonLine('9rem')}</p>
        {skeletonLine('80%')}
      </section>
      <ul className="customer-contact">
        <li>{skeletonLine('70%')}</li>
        <li>{skeletonLine('50%')}</li>
        <li>{skeletonLine('85%')}</li>
      </ul>
    </div>
  );
}
