import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { paymentAttempts } from '#worker/data/schema/schema';
import { type Db, unindexed } from '../db.ts';

/** The maximum number of a customer's invoices that are searched, newest first, so that the cost stays constant. */
const MAX_INVOICES = 10;

/**
 * The language of the page on which the customer last tried to pay this invoice or another; undefined if they never
 * tried. A customer without a contact in the CRM is identified by this invoice only.
 */
export async function findLastPayerLanguage(
  db: Db,
  accountId: number,
  invoiceId: string,
): Promise<Language | '' | undefined> {
  const [lastAttempt] = await db
    .select({ language: paymentAttempts.payerLanguage })
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.accountId, accountId),
        ne(paymentAttempts.payerLanguage, ''),
        sql`${paymentAttempts.invoiceId} IN (SELECT ${invoiceId} UNION ALL SELECT invoice_id FROM (
          SELECT i.invoice_id FROM invoices i WHERE i.account_id = ${accountId} AND i.deleted_at IS NULL AND i.contact_id = (
            SELECT nullif(contact_id, '') FROM invoices WHERE account_id = ${accountId} AND invoice_id = ${invoiceId})
          ORDER BY i.rowid DESC LIMIT ${MAX_INVOICES}))`,
      ),
    )
    .orderBy(desc(unindexed(paymentAttempts.createdAt)))
    .limit(1);
  return lastAttempt?.language;
}
