// What our own books say against offering an invoice to its payer; SQL, of SQL that names the account and the invoice.

import type { Db } from './db.ts';

/**
 * A payment of the invoice is under way, in doubt or being given back, or has been made; one installment that was paid
 * leaves the others open. Money in doubt counts whichever collection it was asked for in, as the claim of a payment counts it.
 */
export const isPaying = (hub: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM payment_attempts a JOIN invoices i ON i.hub_id = a.hub_id AND i.invoice_id = a.invoice_id
    WHERE a.hub_id = ${hub} AND a.invoice_id = ${invoice}
    AND (a.state IN ('sent', 'unknown', 'pending', 'needs_human')
      OR (a.state = 'approved' AND a.collection = i.collection AND (i.part_base_cents IS NULL OR EXISTS (
        SELECT 1 FROM reversals r WHERE r.attempt_id = a.id AND r.state IN ('sent', 'unknown', 'needs_human'))))))`;

/** An invoice in installments whose amount has changed: nothing is paid until staff have said what is owed. */
export const isFrozen = (hub: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM collections c JOIN invoices i ON i.hub_id = c.hub_id AND i.invoice_id = c.invoice_id
    AND i.collection = c.n WHERE c.hub_id = ${hub} AND c.invoice_id = ${invoice} AND c.state = 'frozen')`;

const WHY_NOT = `SELECT CASE WHEN ${isPaying('?1', '?2')} THEN 'paying' WHEN ${isFrozen('?1', '?2')} THEN 'amount-changed' END AS why`;

/** Why a payer who is offered the invoice now could not pay it, as far as our own books know. Null: nothing is against it. */
export async function whyNotOffered(
  { $client }: Db,
  { accountId, invoiceId }: { accountId: number; invoiceId: string },
): Promise<'paying' | 'amount-changed' | null> {
  const found = await $client
    .prepare(WHY_NOT)
    .bind(accountId, invoiceId)
    .first<{ why: 'paying' | 'amount-changed' | null }>();
  return found?.why ?? null;
}
