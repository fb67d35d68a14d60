import { and, eq, sql } from 'drizzle-orm';
import { invoices } from '#worker/data/schema/schema';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import type { Db } from '../db.ts';
import { keptLines } from './bill-lines.ts';

export type InvoiceRow = typeof invoices.$inferSelect;

/** The CRM's columns of an invoice's row; the local status is ours and is never set here. */
function copyOf(invoice: CrmInvoice, readAt: number) {
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
    contactHasAddress: Object.values(invoice.contactAddress).every((part) => part.trim() !== ''),
    contactLanguage: invoice.contactLanguage,
    companyName: invoice.company.name,
    companyAddress: invoice.company.address,
    companyCity: invoice.company.city,
    companyState: invoice.company.state,
    companyZip: invoice.company.zip,
    paidAt: invoice.paidAt,
    ...(invoice.lines && { billLines: keptLines(invoice.lines, invoice, readAt) }),
    readAt,
    deletedAt: null,
  };
}

/** Save a CRM invoice, unless a newer version is stored. */
export async function saveInvoice(db: Db, accountId: number, invoice: CrmInvoice, readAt: number): Promise<void> {
  const copy = copyOf(invoice, readAt);
  await db
    .insert(invoices)
    .values({ accountId, invoiceId: invoice.id, ...copy })
    .onConflictDoUpdate({
      target: [invoices.accountId, invoices.invoiceId],
      set: copy,
      setWhere: sql`(${invoice.modifiedAt}, ${readAt}) >= (${invoices.modifiedAt}, ${invoices.readAt})`,
    });
}

/** The row as it will be once `invoice` is saved: the CRM's new values under our local status. */
export const withFreshCopy = (row: InvoiceRow, invoice: CrmInvoice, readAt: number): InvoiceRow => ({
  ...row,
  ...copyOf(invoice, readAt),
});

export const findInvoice = (db: Db, accountId: number, invoiceId: string) =>
  db.query.invoices.findFirst({ where: and(eq(invoices.accountId, accountId), eq(invoices.invoiceId, invoiceId)) });
