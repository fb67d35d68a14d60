import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { columnsOf, type Db, type RawRow, rowOf } from './db.ts';

// What our own books say against offering an invoice to its payer; SQL, of SQL that names the account and the invoice.

/**
 * A payment of the invoice is under way, in doubt or being given back, or has been made; one installment that was paid
 * leaves the others open. Money in doubt counts whichever collection it was asked for in, as the claim of a payment counts it.
 */
export const isPaying = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM payment_attempts a JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id
    WHERE a.account_id = ${account} AND a.invoice_id = ${invoice}
    AND (a.state IN ('sent', 'unknown', 'pending', 'needs_human')
      OR (a.state = 'approved' AND a.collection = i.collection AND (i.collection_base_cents IS NULL OR EXISTS (
        SELECT 1 FROM reversals r WHERE r.attempt_id = a.id AND r.state IN ('sent', 'unknown', 'needs_human'))))))`;

/** An invoice in installments whose amount has changed: nothing is paid until staff have said what is owed. */
export const isFrozen = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM collections c JOIN invoices i ON i.account_id = c.account_id AND i.invoice_id = c.invoice_id
    AND i.collection = c.n WHERE c.account_id = ${account} AND c.invoice_id = ${invoice} AND c.state = 'frozen')`;

const RELEASED = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
  WHERE a.account_id = ?1 AND a.invoice_id = ?2 AND a.state = 'not_charged' AND a.settled_at > ?3`;

const FACTS = `SELECT ${isPaying('?1', '?2')} AS isPaying, ${isFrozen('?1', '?2')} AS isFrozen,
  EXISTS (SELECT 1 FROM terminals WHERE account_id = ?1 AND public_key <> '') AS hasTerminal,
  h.restored_at AS restoredAt, h.closes_at AS closesAt FROM accounts h WHERE h.account_id = ?1`;

export type OfferFacts = {
  isPaying: 0 | 1;
  isFrozen: 0 | 1;
  /** 1: one that a browser can talk to. */
  hasTerminal: 0 | 1;
  restoredAt: number | null;
  closesAt: number | null;
};

/** The facts of an offer to pay, and the attempts that were released after `since` (ms) and may still show up as charged. */
export async function readOffer(
  { $client }: Db,
  { accountId, invoiceId }: { accountId: number; invoiceId: string },
  since: number,
): Promise<{ facts: OfferFacts | null; released: Attempt[] }> {
  const [facts, released] = await $client.batch<RawRow>([
    $client.prepare(FACTS).bind(accountId, invoiceId),
    $client.prepare(RELEASED).bind(accountId, invoiceId, since),
  ]);
  return {
    facts: (facts?.results[0] as OfferFacts | undefined) ?? null,
    released: (released?.results ?? []).map((raw) => rowOf(paymentAttempts, raw, '')),
  };
}

// An open invoice in SQL: the rule of `invoiceBalance`, in the words of the partial indexes, so that a query can use them.
// `row`: the table's alias with its dot, or nothing.

/** Not settled in our books, and open in the CRM. */
export const isOpen = (row = '') => `${row}local_status = 'none' AND ${row}status = 'open'`;

/** Open, in dollars, and the CRM names no amount that can be read. */
export const isUnreadable = (row = '') =>
  `${isOpen(row)} AND ${row}currency = 'USD' AND ${row}balance_cents IS NULL AND ${row}collection_base_cents IS NULL`;

/** Open, and with something left to pay. */
export const isOwed = (row = '') => `${isOpen(row)} AND ${row}balance_cents > 0`;

/**
 * An attempt that was released as not charged may still show up for this long (ms): meanwhile its invoice takes the same
 * amount alone, in the same collection. The trigger claims_fit has the same number.
 */
export const RELEASED_MS = 24 * 3_600_000;
