import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from './db.ts';

// Reasons in our own data not to offer an invoice to its payer, as SQL; arguments are SQL for the account and the
// invoice.

/**
 * SQL: true if a payment of the invoice is under way, in doubt, being refunded, or completed. A paid installment does
 * not block the others. A payment in doubt counts in any collection, as in the claim of a payment.
 */
export const isPaying = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM payment_attempts a JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id
    WHERE a.account_id = ${account} AND a.invoice_id = ${invoice}
    AND (a.state IN ('sent', 'unknown', 'pending', 'needs_human')
      OR (a.state = 'approved' AND a.collection = i.collection AND (i.collection_base_cents IS NULL OR EXISTS (
        SELECT 1 FROM reversals r WHERE r.attempt_id = a.id AND r.state IN ('sent', 'unknown', 'needs_human'))))))`;

/** SQL: an attempt of the invoice may have been charged, but the outcome is still unknown. */
export const isUndecided = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM payment_attempts a INDEXED BY payment_attempts_invoice
    WHERE a.account_id = ${account} AND a.invoice_id = ${invoice} AND a.state IN ('unknown', 'needs_human'))`;

/**
 * SQL: a pending bank payment, which is booked in the ledger when the bank pays. The condition of the index
 * `payment_attempts_in_flight` comes first, word for word, or SQLite does not use it.
 */
export const IS_PENDING_DEBIT = `a.state IN ('sent', 'unknown', 'pending') AND a.state = 'pending'
  AND NOT EXISTS (SELECT 1 FROM ledger booked WHERE booked.attempt_id = a.id)`;

/**
 * SQL: a bank payment that its bank returned before the ledger had booked it. The condition of the index
 * `payment_attempts_returned` comes first, word for word.
 */
export const IS_RETURNED_UNPAID = `a.state = 'returned'
  AND NOT EXISTS (SELECT 1 FROM ledger booked WHERE booked.attempt_id = a.id)`;

/** SQL: an invoice in installments whose amount has changed; it accepts no payment until staff decide on the amount. */
export const isFrozen = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM collections c JOIN invoices i ON i.account_id = c.account_id AND i.invoice_id = c.invoice_id
    AND i.collection = c.n WHERE c.account_id = ${account} AND c.invoice_id = ${invoice} AND c.state = 'frozen')`;

const SELECT_RELEASED = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
  WHERE a.account_id = ?1 AND a.invoice_id = ?2 AND a.state = 'not_charged' AND a.settled_at > ?3`;

const SELECT_FACTS = `SELECT ${isPaying('?1', '?2')} AS isPaying, ${isFrozen('?1', '?2')} AS isFrozen,
  EXISTS (SELECT 1 FROM terminals WHERE account_id = ?1 AND public_key <> '') AS hasTerminal,
  h.restored_at AS restoredAt, h.closes_at AS closesAt FROM accounts h WHERE h.account_id = ?1`;

export type OfferFacts = {
  isPaying: 0 | 1;
  isFrozen: 0 | 1;
  /** 1 if the account has a terminal with a public key, which a browser can use. */
  hasTerminal: 0 | 1;
  restoredAt: number | null;
  closesAt: number | null;
};

/**
 * The facts for an offer to pay, with the attempts released after `releasedAfter` (UTC ms), which may still turn out to
 * be charged.
 */
export async function readOfferFacts(
  { $client }: Db,
  { accountId, invoiceId }: { accountId: number; invoiceId: string },
  releasedAfter: number,
): Promise<{ facts: OfferFacts | null; released: Attempt[] }> {
  const [facts, released] = await $client.batch<RawRow>([
    $client.prepare(SELECT_FACTS).bind(accountId, invoiceId),
    $client.prepare(SELECT_RELEASED).bind(accountId, invoiceId, releasedAfter),
  ]);
  return {
    facts: (facts?.results[0] as OfferFacts | undefined) ?? null,
    released: (released?.results ?? []).map((raw) => rowOf(paymentAttempts, raw, '')),
  };
}

// The rule of `invoiceBalance` for an open invoice as SQL, worded as in the partial indexes so that SQLite uses them.
// `row`: the table's alias with a dot, or nothing.

/** Not settled in our data, and open in the CRM. */
export const isOpen = (row = '') => `${row}local_status = 'none' AND ${row}status = 'open'`;

/** Open, in dollars, and without a readable amount in the CRM. */
export const isUnreadable = (row = '') =>
  `${isOpen(row)} AND ${row}currency = 'USD' AND ${row}balance_cents IS NULL AND ${row}collection_base_cents IS NULL`;

/** Open, with an amount left to pay. */
export const isOwed = (row = '') => `${isOpen(row)} AND ${row}balance_cents > 0`;

/**
 * An attempt released as not charged may still turn out to be charged for this long (ms). Until then, its invoice only
 * accepts the same amount, in the same collection. The trigger claims_fit has the same value.
 */
export const RELEASE_WINDOW_MS = 24 * 3_600_000;
