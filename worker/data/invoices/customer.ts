import { isSessionLive, type SessionClaim } from '#worker/data/merchants/session-claim';
import type { Db, RawRow } from '../db.ts';
import { prepare, rawSql } from '../raw-sql.ts';

/** The customer from the synced contacts, or else from the invoice's row. */
const CUSTOMER = `SELECT i.contact_id AS contact_id,
  coalesce(c.first_name, i.contact_first_name) AS first_name, coalesce(c.last_name, i.contact_last_name) AS last_name,
  coalesce(c.email, i.contact_email) AS email, coalesce(c.phone, '') AS phone,
  coalesce(nullif(c.company, ''), i.company_name) AS company
FROM invoices i
LEFT JOIN contacts c ON c.account_id = i.account_id AND c.contact_id = i.contact_id AND c.deleted_at IS NULL
WHERE i.account_id = ?1 AND i.deleted_at IS NULL
  AND i.invoice_id = coalesce((SELECT invoice_id FROM pay_links WHERE pay_id = ?2 AND account_id = ?1), ?2)`;

/**
 * The customer of an invoice, named by the CRM's id or a pay id; proves the session in the same trip. Null: no session.
 * Undefined: the account has no such invoice.
 */
export async function findInvoiceCustomer(
  { $client: d1 }: Db,
  claim: SessionClaim,
  now: number,
  id: string,
): Promise<RawRow | null | undefined> {
  const [session, customers] = await d1.batch<RawRow>([
    prepare(d1, rawSql`SELECT ${isSessionLive(claim, now)} AS is_live`),
    d1.prepare(CUSTOMER).bind(claim.accountId, id),
  ]);
  return session?.results[0]?.is_live === 1 ? customers?.results[0] : null;
}
