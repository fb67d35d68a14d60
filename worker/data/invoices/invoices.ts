import { and, eq, sql } from 'drizzle-orm';
import type { BillLines } from '#shared/contracts/staff/account-settings';
import { billLineLimits } from '#shared/limits';
import { decimalFromCents } from '#shared/money';
import { isSessionLive, type SessionClaim } from '#worker/data/merchants/sessions';
import { invoices } from '#worker/data/schema/schema';
import type { CrmInvoice, CrmLine } from '#worker/vendors/hubspot/port';
import type { Db, RawRow } from '../db.ts';
import { prepare, rawSql } from '../sql.ts';
import { maskAddress } from './mask-address.ts';

/** The lines of a bill as stored in its row: the first lines, and the number of all lines. */
type StoredLines = {
  at: number;
  totalCents: number | null;
  count: number;
  items: StoredLine[];
  /** The part of the total that was already paid in the CRM when the lines were read. */
  paidBeforeCents?: number | null;
};
type StoredLine = { name: string; quantity: string | null; cents: number | null };

type InvoiceTotals = Pick<CrmInvoice, 'billedCents' | 'balanceCents'>;

/** Serializes the lines of a bill for its row. `at`: the time at which they were read (UTC ms). */
export function serializeLines(
  lines: CrmLine[],
  { billedCents: totalCents, balanceCents }: InvoiceTotals,
  at: number,
): string {
  const items = lines.slice(0, billLineLimits.stored).map(({ name, quantity, totalCents: cents }) => ({
    name: name.replace(/\s+/g, ' ').trim().slice(0, billLineLimits.name),
    quantity,
    cents,
  }));
  return JSON.stringify({
    at,
    totalCents,
    count: lines.length,
    items,
    paidBeforeCents: totalCents === null || balanceCents === null ? null : totalCents - balanceCents,
  } satisfies StoredLines);
}

/** Only our own code writes this column, so it can only be empty or valid. */
const parseLines = (text: string): StoredLines | null => (text === '' ? null : (JSON.parse(text) as StoredLines));

/** The time at which the lines were read (UTC ms); 0 if never. */
export const linesReadAt = (text: string): number => parseLines(text)?.at ?? 0;

/**
 * The lines as sent to the browser. Null if none are stored, or the bill has none. `requestedCents`: the amount
 * requested from a payer; `paidBefore` is only included if the total minus it is exactly that amount.
 */
export function billLinesOf(text: string, requestedCents: number | null = null): BillLines | null {
  const lines = parseLines(text);
  if (!lines || lines.count === 0) return null;
  const amount = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));
  const { totalCents, paidBeforeCents: earlierCents } = lines;
  const showsPaidBefore =
    totalCents !== null && earlierCents != null && earlierCents > 0 && totalCents - earlierCents === requestedCents;
  return {
    count: lines.count,
    total: amount(totalCents),
    ...(showsPaidBefore && { paidBefore: decimalFromCents(earlierCents) }),
    items: lines.items.map(({ name, quantity, cents }) => ({ name, quantity, total: amount(cents) })),
  };
}

export type InvoiceRow = typeof invoices.$inferSelect;

/** The CRM's columns of an invoice's row; the local status is ours and is never set here. */
function crmColumnsOf(invoice: CrmInvoice, readAt: number) {
  return {
    number: invoice.number,
    status: invoice.status,
    currency: invoice.currency,
    balanceCents: invoice.balanceCents,
    billedCents: invoice.billedCents,
    dueDate: invoice.dueDate,
    invoiceDate: invoice.invoiceDate,
    createdAt: invoice.createdAt,
    modifiedAt: invoice.modifiedAt,
    contactId: invoice.contactId,
    companyId: invoice.companyId,
    contactFirstName: invoice.contact.firstName,
    contactLastName: invoice.contact.lastName,
    contactEmail: invoice.contact.email,
    contactMaskedAddress: maskAddress(invoice.contactAddress),
    contactLanguage: invoice.contactLanguage,
    companyName: invoice.company.name,
    companyAddress: invoice.company.address,
    companyCity: invoice.company.city,
    companyState: invoice.company.state,
    companyZip: invoice.company.zip,
    paidAt: invoice.paidAt,
    ...(invoice.lines && { billLines: serializeLines(invoice.lines, invoice, readAt) }),
    readAt,
    deletedAt: null,
  };
}

/** Save a CRM invoice, unless a newer version is stored. */
export async function saveInvoice(db: Db, accountId: number, invoice: CrmInvoice, readAt: number): Promise<void> {
  const copy = crmColumnsOf(invoice, readAt);
  await db
    .insert(invoices)
    .values({ accountId, invoiceId: invoice.id, ...copy })
    .onConflictDoUpdate({
      target: [invoices.accountId, invoices.invoiceId],
      set: copy,
      setWhere: sql`(${invoice.modifiedAt}, ${readAt}) >= (${invoices.modifiedAt}, ${invoices.readAt})`,
    });
}

/** The row as it is after `invoice` is saved: the CRM's new values with our local status. */
export const withCrmData = (row: InvoiceRow, invoice: CrmInvoice, readAt: number): InvoiceRow => ({
  ...row,
  ...crmColumnsOf(invoice, readAt),
});

export const findInvoice = (db: Db, accountId: number, invoiceId: string) =>
  db.query.invoices.findFirst({ where: and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, invoiceId)) });

/** The customer from the synced contacts, or else from the invoice's row. */
const SELECT_CUSTOMER = `SELECT i.contact_id AS contact_id,
  coalesce(c.first_name, i.contact_first_name) AS first_name, coalesce(c.last_name, i.contact_last_name) AS last_name,
  coalesce(c.email, i.contact_email) AS email, coalesce(c.phone, '') AS phone,
  coalesce(nullif(c.company, ''), i.company_name) AS company
FROM invoices i
LEFT JOIN contacts c ON c.account_id = i.account_id AND c.contact_id = i.contact_id AND c.deleted_at IS NULL
WHERE i.account_id = ?1 AND i.deleted_at IS NULL
  AND i.invoice_id = coalesce((SELECT invoice_id FROM pay_links WHERE pay_id = ?2 AND account_id = ?1), ?2)`;

/**
 * The customer of an invoice, by the CRM's id or a pay id; checks the session in the same round trip. Null if the
 * session has ended. Undefined if the account has no such invoice.
 */
export async function findInvoiceCustomer(
  { $client: d1 }: Db,
  claim: SessionClaim,
  now: number,
  id: string,
): Promise<RawRow | null | undefined> {
  const [session, customers] = await d1.batch<RawRow>([
    prepare(d1, rawSql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    d1.prepare(SELECT_CUSTOMER).bind(claim.accountId, id),
  ]);
  return session?.results[0]?.is_live === 1 ? customers?.results[0] : null;
}
