import type { CustomerMail, CustomerPayment, CustomerReply, Owed } from '#shared/contracts/lists/customers';
import { deliveries } from '#shared/contracts/lists/mail-values';
import { wallets } from '#shared/contracts/payments/wallet-values';
import { decimalFromCents, ONLINE_CURRENCY } from '#shared/money';
import { cardName } from '#shared/text/card-name';
import { localDay } from '#shared/text/local-day';
import { methodName } from '#shared/text/wallet-name';
import type { RawRow } from '#worker/data/db';
import { type CustomerRows, findCustomer } from '#worker/data/lists/customers';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import { listedAs } from '#worker/data/schema/mail';
import type { Deps } from '#worker/deps';
import { presentCustomer, presentInvoice } from './present.ts';

/** Minimum number of paid invoices for a usual time to pay. */
const MIN_PAID_INVOICES = 3;
const DAY_MS = 86_400_000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const instant = (value: unknown): string => new Date(number(value)).toISOString();
const instantOrNull = (value: unknown): string | null => (number(value) > 0 ? instant(value) : null);

export type CustomerView =
  | { kind: 'customer'; customer: CustomerReply }
  | { kind: 'no-session' }
  | { kind: 'not-found' };

/** An account's own customer: amounts owed, paid and refunded, and the emails sent. Reads only our own records. */
export async function viewCustomer({ db, now }: Deps, claim: SessionClaim, contactId: string): Promise<CustomerView> {
  const facts = await findCustomer(db, claim, now(), contactId);
  if (facts === null) return { kind: 'no-session' };
  return facts ? { kind: 'customer', customer: presentFacts(facts, now()) } : { kind: 'not-found' };
}

function presentFacts({ contact, owed, invoices, paid, payments, mails }: CustomerRows, now: number): CustomerReply {
  return {
    customer: presentCustomer(contact),
    address: addressOf(contact),
    copied_at: instant(contact.read_at),
    owed: presentOwed(owed, localDay(now, text(contact.time_zone))),
    on_its_way: decimalFromCents(number(paid.on_its_way_cents)),
    invoices: invoices.map(presentInvoice),
    invoice_count: number(invoices[0]?.n),
    paid: {
      amount: decimalFromCents(number(paid.cents)),
      // All charges are in this currency.
      currency: ONLINE_CURRENCY,
      payments: number(paid.payments),
      given_back: number(paid.given_back),
      last_at: instantOrNull(contact.last_paid_at),
      usual_days: usualDays(payments),
    },
    payments: payments.map(presentPayment),
    mails: mails.map(presentMail),
    since: instantOrNull(invoices[0]?.since),
  };
}

/** "1 Elm St, Carmel, IN 46032" */
const addressOf = ({ address, city, state, zip }: RawRow): string =>
  [text(address), text(city), `${text(state)} ${text(zip)}`]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');

/** One total per currency. An invoice is overdue from the day after its due date, in the clinic's zone. */
function presentOwed(rows: RawRow[], today: string): Owed[] {
  return [...new Set(rows.map(({ currency }) => text(currency)))].map((currency) => {
    const currencyRows = rows.filter((row) => text(row.currency) === currency);
    const overdueRows = currencyRows.filter(({ due_date: due }) => text(due) !== '' && text(due) < today);
    const totalOf = (group: RawRow[], column: 'cents' | 'n' | 'unreadable') =>
      group.reduce((sum, row) => sum + number(row[column]), 0);
    const isPartial = totalOf(overdueRows, 'unreadable') > 0;
    return {
      currency,
      amount: decimalFromCents(totalOf(currencyRows, 'cents')),
      invoices: totalOf(currencyRows, 'n'),
      unreadable: totalOf(currencyRows, 'unreadable'),
      overdue_amount: isPartial ? null : decimalFromCents(totalOf(overdueRows, 'cents')),
      overdue_invoices: totalOf(overdueRows, 'n'),
      first_due:
        currencyRows
          .map(({ due_date: due }) => text(due))
          .filter(Boolean)
          .sort()[0] ?? null,
    };
  });
}

/** The median of days between the first mailed link and the payment, for payments that were not reversed. */
function usualDays(rows: RawRow[]): number | null {
  const days = rows
    .filter(({ kind, state, link_sent_at: sent }) => kind === 'payment' && state === 'approved' && number(sent) > 0)
    .map(({ at, link_sent_at: sent }) => Math.round((number(at) - number(sent)) / DAY_MS))
    .sort((a, b) => a - b);
  return days.length < MIN_PAID_INVOICES ? null : (days[Math.floor((days.length - 1) / 2)] ?? null);
}

const KINDS: CustomerPayment['kind'][] = ['payment', 'refund', 'void', 'return', 'submitted', 'returned'];

function presentPayment(row: RawRow): CustomerPayment {
  const card = cardName({ brand: text(row.brand), lastFour: text(row.card_last_four) });
  return {
    id: text(row.id),
    kind: KINDS.find((kind) => kind === row.kind) ?? 'payment',
    amount: decimalFromCents(number(row.amount_cents)),
    currency: text(row.currency),
    at: instant(row.at),
    how: methodName({ method: text(row.method), wallet: wallets.find((name) => name === row.wallet) ?? '' }, card),
    where: row.channel === 'link' ? 'online' : text(row.terminal) || 'card reader',
    invoice_id: text(row.invoice_id),
    invoice_number: text(row.number),
  };
}

const STATES: CustomerMail['state'][] = ['due', 'sent', 'failed'];

const presentMail = (row: RawRow): CustomerMail => ({
  id: text(row.id),
  kind: listedAs(row.kind),
  state: STATES.find((state) => state === row.state) ?? 'due',
  delivery: deliveries.find((word) => word === row.delivery) ?? null,
  at: instant(row.at),
  to: text(row.recipient),
  invoice_id: text(row.invoice_id),
  invoice_number: text(row.number),
});
