import type { CrmWrite } from '#worker/data/schema/write-back';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** A payment of the ledger with what the CRM was told of it. */
export type ToldPayment = {
  attemptId: string;
  invoiceId: string;
  invoiceNumber: string;
  customer: string;
  amountCents: number;
  refundedCents: number;
  currency: string;
  at: number;
  reference: string;
  /** The CRM's own status of the invoice, by its copy; empty: it is not in there. */
  crmStatus: string;
  state: CrmWrite['state'] | null;
  effect: CrmWrite['effect'] | null;
  said: string | null;
};

/** The newest payments of an account, so many at most; those that were voided or came back are left out. */
export async function listNewestPayments({ $client }: Db, accountId: number, limit: number): Promise<ToldPayment[]> {
  const { results } = await $client
    .prepare(
      `SELECT p.attempt_id AS attemptId, p.invoice_id AS invoiceId, a.invoice_number AS invoiceNumber,
          coalesce(nullif(i.company_name, ''), trim(i.contact_first_name || ' ' || i.contact_last_name), '') AS customer,
          p.amount_cents AS amountCents, a.refunded_cents AS refundedCents, p.currency, p.at, p.provider_txn_id AS reference,
          coalesce(i.status, '') AS crmStatus, w.state, w.effect, w.said
        FROM (SELECT attempt_id, invoice_id, amount_cents, currency, at, provider_txn_id, kind, hub_id
          FROM ledger INDEXED BY ledger_day WHERE hub_id = ?1 ORDER BY at DESC LIMIT ?2) p
        JOIN payment_attempts a ON a.id = p.attempt_id AND a.state = 'approved'
        LEFT JOIN invoices i ON i.hub_id = p.hub_id AND i.invoice_id = p.invoice_id
        LEFT JOIN crm_writes w ON w.id = 'pay-' || p.attempt_id
        WHERE p.kind = 'payment' ORDER BY p.at DESC`,
    )
    .bind(accountId, limit)
    .all<ToldPayment>();
  return results;
}

/**
 * Somebody recorded a payment in the CRM. Not while a record of ours is on its way or there. False: it is, or the account
 * has no such payment.
 */
export async function markByHand(
  { $client }: Db,
  { accountId, attemptId, note, by }: { accountId: number; attemptId: string; note: string; by: number },
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const [marked] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO crm_writes (id, hub_id, invoice_id, attempt_id, kind, amount_cents, state, note, decided_by, created_at, done_at)
          SELECT 'pay-' || attempt_id, hub_id, invoice_id, attempt_id, 'payment', amount_cents, 'by_hand', ?3, ?4, at, ?5
            FROM ledger INDEXED BY ledger_attempt WHERE attempt_id = ?2 AND hub_id = ?1 AND kind = 'payment'
          ON CONFLICT (id) DO UPDATE SET state = 'by_hand', note = ?3, decided_by = ?4, done_at = ?5, next_try_at = NULL
            WHERE state IN ('refused', 'unknown', 'not_wanted')
              OR (state = 'due' AND EXISTS (SELECT 1 FROM crm_write_settings s
                WHERE s.hub_id = ?1 AND (s.is_on = 0 OR s.state <> 'ready')))
              OR (state = 'written' AND effect = 'nothing_moved')`,
      )
      .bind(accountId, attemptId, note, by, now),
    eventStatement($client, event),
  ]);
  return (marked?.meta.changes ?? 0) > 0;
}
