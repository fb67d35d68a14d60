import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { paymentAttempts } from '#worker/data/schema/schema';
import { type Db, unindexed } from '../db.ts';

/** How many invoices of one customer are looked through: the newest, so that a regular's mail costs no more. */
const INVOICES = 10;

/**
 * In which language a customer saw the page by which they last tried to pay this invoice or another of theirs; undefined:
 * they never did. A customer of no contact in the CRM is known by this invoice alone.
 */
export async function findLastVisit(db: Db, accountId: number, invoiceId: string): Promise<Language | '' | undefined> {
  const [visit] = await db
    .select({ language: paymentAttempts.payerLanguage })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.accountId, accountId),
        ne(paymentAttempts.payerLanguage, ''),
        sql`${paymentAttempts.invoiceId} IN (SELECT ${invoiceId} UNION ALL SELECT invoice_id FROM (
          SELECT i.invoice_id FROM invoices i WHERE i.account_id = ${accountId} AND i.deleted_at IS NULL AND i.contact_id = (
            SELECT nullif(contact_id, '') FROM invoices WHERE account_id = ${accountId} AND invoice_id = ${invoiceId})
          ORDER BY i.rowid DESC LIMIT ${INVOICES}))`,
      ),
    )
    .orderBy(desc(unindexed(paymentAttempts.createdAt)))
    .limit(1);
  return visit?.language;
}
