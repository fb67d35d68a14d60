import type { CrmWrite } from '#worker/data/schema/crm';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { type Db, hasChanged } from '../db.ts';

/** SQL: the id of a reversal's record, as assigned by the trigger on the ledger. */
const REVERSAL_RECORD_ID = "'rev-' || p.attempt_id || '-' || p.provider_txn_id";

/** A ledger entry with its record in the CRM. */
export type RecordedEntry = {
  /** The ledger's own order. */
  seq: number;
  /** The id by which staff mark the entry as recorded: the id of the payment's attempt, or of the refund's record. */
  id: string;
  kind: 'payment' | 'refund' | 'void' | 'return';
  invoiceId: string;
  invoiceNumber: string;
  customer: string;
  amountCents: number;
  /** The refunded amount of the payment (cents). */
  refundedCents: number;
  attemptState: string;
  currency: string;
  at: number;
  reference: string;
  /** The CRM's status of the invoice, from our copy; empty without a copy. */
  crmStatus: string;
  state: CrmWrite['state'] | null;
  /** The state of the payment's record, even if this entry is its refund. */
  paymentState: CrmWrite['state'] | null;
  effect: CrmWrite['effect'] | null;
  said: string | null;
  /** The time at which the record was written, or else sent, or else queued (UTC ms). */
  since: number | null;
};

export type LedgerPosition = Pick<RecordedEntry, 'at' | 'seq'>;

/** The newest entries of an account before a position, at most `limit`. */
export async function listRecordedEntries(
  { $client }: Db,
  accountId: number,
  { at, seq }: LedgerPosition,
  limit: number,
): Promise<RecordedEntry[]> {
  const { results } = await $client
    .prepare(
      `SELECT p.seq, p.kind, iif(p.kind = 'payment', p.attempt_id, ${REVERSAL_RECORD_ID}) AS id, p.invoice_id AS invoiceId,
          a.invoice_number AS invoiceNumber,
          coalesce(nullif(i.company_name, ''), trim(i.contact_first_name || ' ' || i.contact_last_name), '') AS customer,
          abs(p.amount_cents) AS amountCents, a.refunded_cents AS refundedCents, a.state AS attemptState, p.currency, p.at,
          p.provider_txn_id AS reference, coalesce(i.status, '') AS crmStatus, w.state, own.state AS paymentState, w.effect, w.said,
          coalesce(w.done_at, w.sent_at, w.created_at) AS since
        FROM (SELECT rowid AS seq, attempt_id, invoice_id, amount_cents, currency, at, provider_txn_id, kind, account_id
          FROM ledger INDEXED BY ledger_day WHERE account_id = ?1 AND at <= ?2 AND (at < ?2 OR rowid < ?3)
          ORDER BY at DESC, rowid DESC LIMIT ?4) p
        JOIN payment_attempts a ON a.id = p.attempt_id
        LEFT JOIN invoices i ON i.account_id = p.account_id AND i.invoice_id = p.invoice_id
        LEFT JOIN crm_writes w ON w.id = iif(p.kind = 'payment', 'pay-' || p.attempt_id, ${REVERSAL_RECORD_ID})
        LEFT JOIN crm_writes own ON own.id = 'pay-' || p.attempt_id
        ORDER BY p.at DESC, p.seq DESC`,
    )
    .bind(accountId, at, seq, limit)
    .all<RecordedEntry>();
  return results;
}

/** A request without a response counts as ended after this long (ms). */
export const RESPONSE_WAIT_MS = 15 * 60_000;

/**
 * SQL: the account's write-back is off or not ready, so unfinished records stay unchanged. Otherwise the alarm finishes
 * them.
 */
const IS_IDLE = `NOT EXISTS (SELECT 1 FROM crm_write_settings s WHERE s.account_id = ?1 AND s.is_on = 1 AND s.state = 'ready')`;

/** A decision of staff. `id`: the id in the list. */
type ManualRecord = { accountId: number; id: string; note: string; decidedBy: number };

/**
 * Mark a payment as recorded in the CRM by hand. False if our own record is under way or written, or if the account has
 * no such payment.
 */
export async function markPaymentByHand(
  { $client }: Db,
  { accountId, id: attemptId, note, decidedBy }: ManualRecord,
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const [marked] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, note, decided_by, created_at, done_at)
          SELECT 'pay-' || attempt_id, account_id, invoice_id, attempt_id, 'payment', amount_cents, 'by_hand', ?3, ?4, at, ?5
            FROM ledger INDEXED BY ledger_attempt WHERE attempt_id = ?2 AND account_id = ?1 AND kind = 'payment'
          ON CONFLICT (id) DO UPDATE SET state = 'by_hand', note = ?3, decided_by = ?4, done_at = ?5, next_try_at = NULL
            WHERE state IN ('refused', 'unknown', 'not_wanted')
              OR (state = 'written' AND effect = 'nothing_moved')
              OR (${IS_IDLE} AND (state = 'due'
                OR (state = 'sent' AND sent_at <= ?5 - ${RESPONSE_WAIT_MS})
                OR (state = 'written' AND effect = '' AND crm_writes.done_at <= ?5 - ${RESPONSE_WAIT_MS})))`,
      )
      .bind(accountId, attemptId, note, decidedBy, now),
    eventStatement($client, event),
  ]);
  return hasChanged(marked);
}

/** The payment of a refund, by its id in the list. */
export async function findReversalWrite({ $client }: Db, accountId: number, id: string): Promise<string | null> {
  return $client
    .prepare("SELECT attempt_id FROM crm_writes WHERE id = ?2 AND account_id = ?1 AND kind = 'reversal'")
    .bind(accountId, id)
    .first<string>('attempt_id');
}

/** Mark a refund whose record failed as recorded in the CRM by hand. */
export async function markReversalByHand(
  { $client }: Db,
  { accountId, id, note, decidedBy }: ManualRecord,
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const [marked] = await $client.batch([
    $client
      .prepare(
        `UPDATE crm_writes SET state = 'by_hand', note = ?3, decided_by = ?4, done_at = ?5, next_try_at = NULL
          WHERE id = ?2 AND account_id = ?1 AND kind = 'reversal'
            AND (state IN ('refused', 'unknown') OR (state = 'due' AND ${IS_IDLE}))`,
      )
      .bind(accountId, id, note, decidedBy, now),
    eventStatement($client, event),
  ]);
  return hasChanged(marked);
}
