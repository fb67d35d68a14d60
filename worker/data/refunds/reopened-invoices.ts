import { invoices } from '#worker/data/schema/schema';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { hasNoOpenPayment, nextCollectionOf } from '../installments/collections.ts';
import { RELEASE_WINDOW_MS } from '../payable-conditions.ts';

/** Identifies a collection by account, the CRM's invoice id, and number. */
type CollectionKey = { accountId: number; invoiceId: string; collection: number };

const REOPEN = `UPDATE invoices AS i SET collection = ${nextCollectionOf('i')}, local_status = 'none'
WHERE i.account_id = ?1 AND i.invoice_id = ?2 AND i.collection = ?3 AND i.local_status IN ('voided', 'refunded', 'returned')
  AND i.collection_base_cents IS NULL AND ${hasNoOpenPayment('?4')}`;

/**
 * Open the next collection of an invoice after a refund. Of several concurrent calls, one succeeds. Undefined if the
 * invoice has changed since it was read, or if one of its payments is under way, needs a person, or was released within
 * a day and may still turn out to be charged.
 */
export async function markInvoiceReopened(
  { $client }: Db,
  { accountId, invoiceId, collection }: CollectionKey,
  now: number,
  event: TextEvent,
): Promise<typeof invoices.$inferSelect | undefined> {
  const [, , rows] = await $client.batch<RawRow>([
    $client.prepare(REOPEN).bind(accountId, invoiceId, collection, now - RELEASE_WINDOW_MS),
    eventStatement($client, event),
    $client
      .prepare(`SELECT ${columnsOf(invoices, 'i', '')} FROM invoices i WHERE account_id = ?1 AND invoice_id = ?2`)
      .bind(accountId, invoiceId),
  ]);
  const row = rows?.results[0] && rowOf(invoices, rows.results[0], '');
  return row && row.collection > collection ? row : undefined;
}
