import type { CrmWrite } from '#worker/data/schema/crm';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { type Db, hasChanged } from '../db.ts';

/** As the trigger on the ledger names it. */
const OF_REVERSAL = "'rev-' || p.attempt_id || '-' || p.provider_txn_id";

/** An entry of the ledger with what the CRM was told of it. */
export type ToldEntry = {
  /** In the ledger's own order. */
  seq: number;
  /** By which staff note it as recorded: a payment's attempt, or the row of what was given back. */
  id: string;
  kind: 'payment' | 'refund' | 'void' | 'return';
  invoiceId: string;
  invoiceNumber: string;
  customer: string;
  amountCents: number;
  /** Of a payment. */
  refundedCents: number;
  attemptState: string;
  currency: string;
  at: number;
  reference: string;
  /** The CRM's own status of the invoice, by its copy; empty: it is not in there. */
  crmStatus: string;
  state: CrmWrite['state'] | null;
  /** Of the record of the payment, also where this is what was given back of it. */
  paymentState: CrmWrite['state'] | null;
  effect: CrmWrite['effect'] | null;
  said: string | null;
  /** When the record was written, asked for, or owed (UTC ms): the last of these. */
  since: number | null;
};

export type LedgerPlace = Pick<ToldEntry, 'at' | 'seq'>;

/** The newest entries of an account before a place, so many at most. */
export async function listToldEntries(
  { $client }: Db,
  accountId: number,
  { at, seq }: LedgerPlace,
  limit: number,
): Promise<ToldEntry[]> {
  const { results } = await $client
    .prepare(
      `SELECT p.seq, p.kind, iif(p.kind = 'payment', p.attempt_id, ${OF_REVERSAL}) AS id, p.invoice_id AS invoiceId,
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
        LEFT JOIN crm_writes w ON w.id = iif(p.kind = 'payment', 'pay-' || p.attempt_id, ${OF_REVERSAL})
        LEFT JOIN crm_writes own ON own.id = 'pay-' || p.attempt_id
        ORDER BY p.at DESC, p.seq DESC`,
    )
    .bind(accountId, at, seq, limit)
    .all<ToldEntry>();
  return results;
}

/** After so long (ms) a call that had no answer is not on its way any more. */
export const ON_ITS_WAY_MS = 15 * 60_000;

/** SQL: nothing is written for the account now, so what was begun for it stays as it is; in accounts that write, the clock ends it. */
const IS_IDLE = `NOT EXISTS (SELECT 1 FROM crm_write_settings s WHERE s.account_id = ?1 AND s.is_on = 1 AND s.state = 'ready')`;

/** `id`: of the list. */
type ByHand = { accountId: number; id: string; note: string; by: number };

/**
 * Somebody recorded a payment in the CRM. Not while a record of ours is on its way or there. False: it is, or the account
 * has no such payment.
 */
export async function markPaymentByHand(
  { $client }: Db,
  { accountId, id: attemptId, note, by }: ByHand,
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
                OR (state = 'sent' AND sent_at <= ?5 - ${ON_ITS_WAY_MS})
                OR (state = 'written' AND effect = '' AND crm_writes.done_at <= ?5 - ${ON_ITS_WAY_MS})))`,
      )
      .bind(accountId, attemptId, note, by, now),
    eventStatement($client, event),
  ]);
  return hasChanged(marked);
}

/** The payment whose money went back, by the id of the list. */
export async function findReversalWrite({ $client }: Db, accountId: number, id: string): Promise<string | null> {
  return $client
    .prepare("SELECT attempt_id FROM crm_writes WHERE id = ?2 AND account_id = ?1 AND kind = 'reversal'")
    .bind(accountId, id)
    .first<string>('attempt_id');
}

/** The same of what was given back, once a person has to look. */
export async function markReversalByHand(
  { $client }: Db,
  { accountId, id, note, by }: ByHand,
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
      .bind(accountId, id, note, by, now),
    eventStatement($client, event),
  ]);
  return hasChanged(marked);
}
