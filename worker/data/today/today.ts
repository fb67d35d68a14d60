import type { Db, RawRow } from '../db.ts';
import { IS_RETURNED_UNPAID, isOpen, isUnreadable } from '../payable-conditions.ts';
import { PAYMENT_REQUEST_KINDS } from '../schema/mail.ts';
import { prepare, raw, rawSql } from '../sql.ts';
import { isCounted, isRefund, timeRangeOfDay } from '../takings/day.ts';

const IS_COUNTED = { text: isCounted('l'), values: [] };
const IS_REFUND = { text: isRefund('l'), values: [] };

/** A ledger entry, with its payment. */
export type Movement = {
  id: string;
  attemptId: string;
  kind: 'payment' | 'refund' | 'void' | 'return';
  cents: number;
  at: number;
  /** True if it counts in its day's figures, unlike a void, a voided payment, or a refund of one. */
  isCounted: boolean;
  /** True for a refund or return, but not for the correction of one. */
  isRefund: boolean;
  /** True for a payment that is not fully refunded. */
  isKept: boolean;
} & Payment;

/** The details by which a person recognizes a payment. */
export type Payment = {
  invoiceId: string;
  invoiceNumber: string;
  customer: string;
  /** The name that the payer entered; empty at the counter. */
  payer: string;
  brand: string;
  lastFour: string;
  /** The card reader; null for an online payment. */
  terminal: { id: string; name: string } | null;
};

const PAYMENT_COLUMNS = {
  text: `a.invoice_id, a.invoice_number, a.channel, a.terminal_id, a.card_brand, a.card_last_four, t.name AS terminal_name,
    trim(a.payer_first_name || ' ' || a.payer_last_name) AS payer,
    coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), nullif(i.company_name, ''),
      trim(a.payer_first_name || ' ' || a.payer_last_name)) AS customer`,
  values: [],
};
const PAYMENT_JOINS = {
  text: `LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id
    LEFT JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id`,
  values: [],
};

const paymentOf = (row: RawRow): Payment => ({
  invoiceId: String(row.invoice_id),
  invoiceNumber: String(row.invoice_number),
  customer: String(row.customer),
  payer: String(row.payer),
  brand: String(row.card_brand),
  lastFour: String(row.card_last_four),
  terminal:
    row.channel === 'terminal'
      ? { id: String(row.terminal_id), name: String(row.terminal_name ?? row.terminal_id) }
      : null,
});

/** All ledger entries of a local day (YYYY-MM-DD), newest first. */
export async function listMovements(db: Db, accountId: number, day: string): Promise<Movement[]> {
  const { from, to } = timeRangeOfDay(day);
  const { results } = await prepare(
    db.$client,
    rawSql`SELECT l.provider_txn_id AS id, l.attempt_id, l.kind, l.amount_cents AS cents, l.at, ${IS_COUNTED} AS is_counted, ${IS_REFUND} AS is_refund,
        a.state = 'approved' AS is_kept, ${PAYMENT_COLUMNS}
      FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id ${PAYMENT_JOINS}
      WHERE l.account_id = ${accountId} AND l.at BETWEEN ${from} AND ${to} AND l.day = ${day} ORDER BY l.at DESC`,
  ).all<RawRow>();
  return results.map((row) => ({
    id: String(row.id),
    attemptId: String(row.attempt_id),
    kind: row.kind as Movement['kind'],
    cents: Number(row.cents),
    at: Number(row.at),
    isCounted: row.is_counted === 1,
    isRefund: row.is_refund === 1,
    isKept: row.is_kept === 1,
    ...paymentOf(row),
  }));
}

/** The amount taken on a local day (YYYY-MM-DD) up to `to` (UTC ms), in cents, by the rule of all daily figures. */
export async function sumTaken(db: Db, accountId: number, day: string, to: number): Promise<number> {
  const { from } = timeRangeOfDay(day);
  const row = await prepare(
    db.$client,
    rawSql`SELECT coalesce(sum(l.amount_cents), 0) AS cents FROM ledger l INDEXED BY ledger_day
      WHERE l.account_id = ${accountId} AND l.at BETWEEN ${from} AND ${to} AND l.day = ${day} AND ${IS_COUNTED}`,
  ).first<{ cents: number }>();
  return row?.cents ?? 0;
}

export type OwedTotals = {
  count: number;
  cents: number;
  overdue: { count: number; cents: number; since: string | null };
};

/** The amount owed for open invoices, and the part that was due before `today`. */
export async function sumOwedInvoices(db: Db, accountId: number, today: string): Promise<OwedTotals> {
  const row = await prepare(
    db.$client,
    rawSql`SELECT coalesce(sum(n), 0) AS n, coalesce(sum(cents), 0) AS cents,
        coalesce(sum(iif(late, n, 0)), 0) AS late_n, coalesce(sum(iif(late, cents, 0)), 0) AS late_cents,
        min(iif(late, due_day, NULL)) AS since
      FROM (SELECT n, cents, due_day, due_day <> '' AND due_day < ${today} AS late FROM owed_totals
        WHERE account_id = ${accountId})`,
  ).first<{ n: number; cents: number; late_n: number; late_cents: number; since: string | null }>();
  return {
    count: row?.n ?? 0,
    cents: row?.cents ?? 0,
    overdue: { count: row?.late_n ?? 0, cents: row?.late_cents ?? 0, since: row?.since ?? null },
  };
}

/** The maximum number of addresses to check, newest first. */
const MAX_BAD_ADDRESSES = 200;

/**
 * The number of open invoices whose payment link bounced and whose contact still has that address in our copy of the
 * CRM, and the invoice whose link bounced first. Null if there are none.
 */
export async function findBouncedLinks(
  db: Db,
  accountId: number,
): Promise<{ count: number; first: { id: string; number: string } } | null> {
  const row = await prepare(
    db.$client,
    rawSql`SELECT i.invoice_id AS id, i.number, count(*) OVER () AS n
      FROM (SELECT account_id, address, mail_id, at FROM mail_addresses INDEXED BY mail_addresses_at
        WHERE account_id = ${accountId} ORDER BY at DESC LIMIT ${MAX_BAD_ADDRESSES}) m
      CROSS JOIN outbox o ON o.id = m.mail_id AND o.kind IN ${raw(PAYMENT_REQUEST_KINDS)}
      CROSS JOIN invoices i ON i.account_id = m.account_id AND i.invoice_id = o.invoice_id
      WHERE ${raw(isOpen('i.'))} AND i.deleted_at IS NULL AND lower(trim(i.contact_email)) = m.address
      ORDER BY m.at LIMIT 1`,
  ).first<{ id: string; number: string; n: number }>();
  return row && { count: row.n, first: { id: row.id, number: row.number } };
}

/** A payment with an unknown outcome. `heldFrom`: its state before it needed a person; empty if its record was lost. */
export type OpenPayment = Payment & { id: string; cents: number; at: number; needsPerson: boolean; heldFrom: string };

/** Payments with an unknown outcome, oldest first, with their total number and amount. */
export async function listOpenPayments(
  db: Db,
  accountId: number,
  limit: number,
): Promise<{ count: number; cents: number; first: OpenPayment[] }> {
  const { results } = await prepare(
    db.$client,
    // The condition is worded as in the partial index. Payments in state `sent` are still under way.
    rawSql`SELECT a.id, a.amount_cents AS cents, a.created_at AS at, a.state, a.needs_human_from, ${PAYMENT_COLUMNS},
        count(*) OVER () AS n, sum(a.amount_cents) OVER () AS sum
      FROM payment_attempts a INDEXED BY payment_attempts_undecided ${PAYMENT_JOINS}
      WHERE a.account_id = ${accountId} AND a.state IN ('sent', 'unknown', 'needs_human') AND a.state <> 'sent'
      ORDER BY +a.created_at LIMIT ${limit}`,
  ).all<RawRow>();
  return {
    count: Number(results[0]?.n ?? 0),
    cents: Number(results[0]?.sum ?? 0),
    first: results.map((row) => ({
      id: String(row.id),
      heldFrom: String(row.needs_human_from),
      cents: Number(row.cents),
      at: Number(row.at),
      needsPerson: row.state === 'needs_human',
      ...paymentOf(row),
    })),
  };
}

/**
 * Bank payments made after `madeFrom` that were returned after `from` (UTC ms), before they settled, newest first.
 * Their invoices are open again; each invoice is listed once, and omitted if it has been paid in the meantime.
 */
export async function listReturnedPayments(
  db: Db,
  accountId: number,
  { from, madeFrom, limit }: { from: number; madeFrom: number; limit: number },
): Promise<(Payment & { cents: number; at: number })[]> {
  const { results } = await prepare(
    db.$client,
    rawSql`SELECT a.amount_cents AS cents, a.settled_at AS at, ${PAYMENT_COLUMNS}
      FROM payment_attempts a INDEXED BY payment_attempts_returned ${PAYMENT_JOINS}
      WHERE a.account_id = ${accountId} AND a.created_at > ${madeFrom} AND ${raw(IS_RETURNED_UNPAID)}
        AND NOT EXISTS (SELECT 1 FROM payment_attempts later INDEXED BY payment_attempts_invoice
          WHERE later.account_id = a.account_id AND later.invoice_id = a.invoice_id AND later.state = 'returned'
          AND later.created_at > a.created_at)
        AND a.settled_at > ${from} AND i.local_status = 'none' AND i.status = 'open' AND i.deleted_at IS NULL
      ORDER BY a.settled_at DESC LIMIT ${limit}`,
  ).all<RawRow>();
  return results.map((row) => ({ cents: Number(row.cents), at: Number(row.at), ...paymentOf(row) }));
}

export type UnreadableInvoice = { id: string; number: string; customer: string; modifiedAt: number };

/** Open invoices without a readable amount in the CRM, earliest change first. */
export async function listUnreadableInvoices(db: Db, accountId: number, limit: number): Promise<UnreadableInvoice[]> {
  const { results } = await prepare(
    db.$client,
    // Must match the partial index word for word, or SQLite does not use it.
    rawSql`SELECT i.invoice_id AS id, i.number, i.modified_at AS modifiedAt,
        coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name) AS customer
      FROM invoices i INDEXED BY invoices_unreadable
      WHERE i.account_id = ${accountId} AND i.deleted_at IS NULL AND ${raw(isUnreadable('i.'))}
      ORDER BY i.modified_at, i.invoice_id LIMIT ${limit}`,
  ).all<UnreadableInvoice>();
  return results;
}
