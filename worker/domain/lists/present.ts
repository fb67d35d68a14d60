import type {
  CustomerItem,
  InvoiceItem,
  LastEmail,
  ListedCustomer,
  OpenInvoiceItem,
} from '#shared/contracts/lists/lists';
import { badAddresses, deliveries } from '#shared/contracts/lists/mail-values';
import { decimalFromCents, ONLINE_CURRENCY } from '#shared/money';
import type { RawRow } from '#worker/data/db';
import type { ListRow } from '#worker/data/lists/description';
import type { LiveLink } from '#worker/data/pay-links/pay-links';
import { listedAs } from '#worker/data/schema/mail';
import { MAIL_RETENTION_MS } from '#worker/data/schema/table';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const amount = (value: unknown): string | null => (typeof value === 'number' ? decimalFromCents(value) : null);
/** Stored as 0 if the CRM reports no time. */
const instant = (value: unknown): string | null =>
  typeof value === 'number' && value > 0 ? new Date(value).toISOString() : null;
const fullName = (row: RawRow): string => `${text(row.first_name)} ${text(row.last_name)}`.trim();

/** A row of the invoice list in the API's field names. */
export const presentInvoice = (row: RawRow): InvoiceItem => ({
  id: text(row.invoice_id),
  properties: {
    hs_number: text(row.number),
    hs_amount_billed: amount(row.billed_cents),
    hs_balance_due: amount(row.balance_cents),
    hs_due_date: textOrNull(row.due_date),
    hs_createdate: instant(row.created_at),
    hs_lastmodifieddate: instant(row.modified_at),
    hs_invoice_status: text(row.shown_status),
    hs_currency: text(row.currency),
  },
  crm_status: text(row.crm_status),
  customer_name: fullName(row),
  customer_id: text(row.contact_id),
  company_name: text(row.company_name),
  refunded: amount(row.given_back_cents) ?? '0.00',
  part_paid: amount(row.collection_paid_cents) ?? '0.00',
  is_undecided: row.is_undecided === 1,
});

export const presentCustomer = (row: RawRow): CustomerItem => ({
  id: text(row.contact_id),
  properties: {
    firstname: text(row.first_name),
    lastname: text(row.last_name),
    email: text(row.email),
    phone: text(row.phone),
    company: text(row.company),
  },
});

export const presentListedCustomer = (row: RawRow): ListedCustomer => ({
  ...presentCustomer(row),
  owed: amount(row.owed_cents) ?? '0.00',
  has_unreadable: row.is_unreadable === 1,
  first_due: textOrNull(row.first_due),
  last_paid_at: instant(row.last_paid_at),
});

/** The fields of an object that SQLite wrote as JSON. */
function fields(json: unknown): Record<string, unknown> {
  const value: unknown = typeof json === 'string' ? JSON.parse(json) : null;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export const dueDateOf = (row: RawRow): string | null => textOrNull(row.due_date);

/** The live link in a row of open invoices; it may have expired. */
export function liveLinkOf(row: RawRow): LiveLink | null {
  const { payId, endsAt } = fields(row.link);
  return typeof payId === 'string' && typeof endsAt === 'number' ? { payId, endsAt } : null;
}

function lastEmailOf(row: RawRow): LastEmail {
  const { kind, sentAt, delivery, toldAt } = fields(row.mail);
  const at = instant(sentAt);
  if (typeof kind !== 'string' || at === null) return null;
  return {
    kind: listedAs(kind),
    at,
    delivery: deliveries.find((known) => known === delivery) ?? null,
    told_at: instant(toldAt),
  };
}

/** Returns the time of the next reminder for a row's invoice (UTC ms), by the reminder plan. */
export type NextReminder = (row: ListRow) => number | null;

export function presentOpenInvoice(
  row: ListRow,
  link: LiveLink | null,
  now: number,
  nextReminder: NextReminder,
): OpenInvoiceItem {
  const lastEmail = lastEmailOf(row);
  return {
    id: link?.payId ?? '',
    crm_id: text(row.invoice_id),
    invoice_number: text(row.number),
    company: { name: text(row.company_name) },
    customer: { first_name: text(row.first_name), last_name: text(row.last_name) },
    customer_id: text(row.contact_id),
    amount_due: amount(row.balance_cents),
    currency: text(row.currency),
    due_date: dueDateOf(row),
    status: text(row.shown_status),
    crm_status: text(row.crm_status),
    refunded: amount(row.given_back_cents) ?? '0.00',
    part_paid: amount(row.collection_paid_cents) ?? '0.00',
    is_undecided: row.is_undecided === 1,
    email: text(row.email),
    last_email: lastEmail,
    // For an older invoice, an email may have been deleted.
    never_emailed: lastEmail === null && typeof row.created_at === 'number' && row.created_at > now - MAIL_RETENTION_MS,
    opened_at: instant(row.opened_at),
    bad_address: badAddresses.find((reason) => reason === row.bad_address) ?? null,
    next_reminder_at: instant(nextReminder(row)),
    link_ends_at: link && row.currency === ONLINE_CURRENCY ? instant(link.endsAt) : null,
  };
}
