import type { Db } from '../db.ts';
import { isUnreadable } from '../open-invoice.ts';
import { prepare, raw, rawSql } from '../raw-sql.ts';

export type UnreadableInvoice = { id: string; number: string; customer: string; modifiedAt: number };

/** Open invoices of which the CRM names no amount that can be read; the one that was changed first comes first. */
export async function listUnreadable(db: Db, accountId: number, most: number): Promise<UnreadableInvoice[]> {
  const { results } = await prepare(
    db.$client,
    // The words of the partial index.
    rawSql`SELECT i.invoice_id AS id, i.number, i.modified_at AS modifiedAt,
        coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name) AS customer
      FROM invoices i INDEXED BY invoices_unreadable
      WHERE i.account_id = ${accountId} AND i.deleted_at IS NULL AND ${raw(isUnreadable('i.'))}
      ORDER BY i.modified_at, i.invoice_id LIMIT ${most}`,
  ).all<UnreadableInvoice>();
  return results;
}
