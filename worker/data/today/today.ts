import type { Db, RawRow } from '../db.ts';
import { isOpen, isUnreadable } from '../offers.ts';
import { REQUESTS } from '../schema/mail.ts';
import { prepare, raw, rawSql } from '../sql.ts';
import { isCounted, isRefund, momentsOfDay } from '../takings/day.ts';

const COUNTED = { text: isCounted('l'), values: [] };
const REFUND = { text: isRefund('l'), values: [] };

/** Money that moved, with its payment. */
export type Movement = {
  id: string;
  kind: 'payment' | 'refund' | 'void' | 'return';
  cents: number;
  at: number;
  /** Whether the figure of its day has it: not a void, a voided payment, or what was given back of one. */
  isCounted: boolean;
  /** A refund or return, and not the correction of one. */
  isRefund: boolean;
  /** Of a payment: some of it is still here. */
  isKept: boolean;
} & Payment;

/** A payment as a person tells it from others. */
export type Payment = {
  invoiceId: string;
  invoiceNumber: string;
  customer: string;
  brand: string;
  lastFour: string;
  /** The card reader; null for an online payment. */
  terminal: { id: string; name: string } | null;
};

const PAYMENT = {
  text: `a.invoice_id, a.invoice_number, a.channel, a.terminal_id, a.card_brand, a.card_last_four, t.name AS terminal_name,
    coalesce(nullif(trim(a.payer_first_name || ' ' || a.payer_last_name), ''),
      nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name, '') AS customer`,
  values: [],
};
const OF_PAYMENT = {
  text: `LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id
    LEFT JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id`,
  values: [],
};

const paymentOf = (row: RawRow): Payment => ({
  invoiceId: String(row.invoice_id),
  invoiceNumber: String(row.invoice_number),
  customer: String(row.customer),
  brand: String(row.card_brand),
  lastFour: String(row.card_last_four),
  terminal:
    row.channel === 'terminal'
      ? { id: String(row.terminal_id), name: String(row.terminal_name ?? row.terminal_id) }
      : null,
});

/** All that was booked on a local day (YYYY-MM-DD), newest first. */
export async function listMovements(db: Db, accountId: number, day: string): Promise<Movement[]> {
  const { from, to } = momentsOfDay(day);
  const { results } = await prepare(
    db.$client,
    rawSql`SELECT l.provider_txn_id AS id, l.kind, l.amount_cents AS cents, l.at, ${COUNTED} AS is_counted, ${REFUND} AS is_refund,
        a.state = 'approved' AS is_kept, ${PAYMENT}
      FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id ${OF_PAYMENT}
      WHERE l.account_id = ${accountId} AND l.at BETWEEN ${from} AND ${to} AND l.day = ${day} ORDER BY l.at DESC`,
  ).all<RawRow>();
  return results.map((row) => ({
    id: String(row.id),
    kind: row.kind as Movement['kind'],
    cents: Number(row.cents),
    at: Number(row.at),
    isCounted: row.is_counted === 1,
    isRefund: row.is_refund === 1,
    isKept: row.is_kept === 1,
    ...paymentOf(row),
  }));
}

/** Cents taken on a local day (YYYY-MM-DD) until a moment of it (UTC ms), by the rule of every figure of a day. */
export async function sumTaken(db: Db, accountId: number, day: string, to: number): Promise<number> {
  const { from } = momentsOfDay(day);
  const row = await prepare(
    db.$client,
    rawSql`SELECT coalesce(sum(l.amount_cents), 0) AS cents FROM ledger l INDEXED BY ledger_day
      WHERE l.account_id = ${accountId} AND l.at BETWEEN ${from} AND ${to} AND l.day = ${day} AND ${COUNTED}`,
  ).first<{ cents: number }>();
  return row?.cents ?? 0;
}

export type Owed = { count: number; cents: number; overdue: { count: number; cents: number; since: string | null } };

/** What open invoices still owe, and of it what was due before a day. */
export async function findOwed(db: Db, accountId: number, today: string): Promise<Owed> {
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

/** Addresses that are looked through, the newest first. */
const BAD_ADDRESSES = 200;

/**
 * Open invoices whose payment link came back and whose contact still has that address in our copy of the CRM: how many,
 * and the one that came back first. Null: none.
 */
export async function findCameBack(
  db: Db,
  accountId: number,
): Promise<{ count: number; first: { id: string; number: string } } | null> {
  const row = await prepare(
    db.$client,
    rawSql`SELECT i.invoice_id AS id, i.number, count(*) OVER () AS n
      FROM (SELECT account_id, address, mail_id, at FROM mail_addresses INDEXED BY mail_addresses_at
        WHERE account_id = ${accountId} ORDER BY at DESC LIMIT ${BAD_ADDRESSES}) m
      CROSS JOIN outbox o ON o.id = m.mail_id AND o.kind IN ${raw(REQUESTS)}
      CROSS JOIN invoices i ON i.account_id = m.account_id AND i.invoice_id = o.invoice_id
      WHERE ${raw(isOpen('i.'))} AND i.deleted_at IS NULL AND lower(trim(i.contact_email)) = m.address
      ORDER BY m.at LIMIT 1`,
  ).first<{ id: string; number: string; n: number }>();
  return row && { count: row.n, first: { id: row.id, number: row.number } };
}

export type OpenPayment = Payment & { cents: number; at: number; needsPerson: boolean };

/** Payments of which nobody knows whether they were charged, the oldest first, and how many there are in all. */
export async function listOpenPayments(
  db: Db,
  accountId: number,
  limit: number,
): Promise<{ count: number; cents: number; first: OpenPayment[] }> {
  const { results } = await prepare(
    db.$client,
    // The words of the partial index; one that is only sent is under way.
    rawSql`SELECT a.amount_cents AS cents, a.created_at AS at, a.state, ${PAYMENT},
        count(*) OVER () AS n, sum(a.amount_cents) OVER () AS sum
      FROM payment_attempts a INDEXED BY payment_attempts_undecided ${OF_PAYMENT}
      WHERE a.account_id = ${accountId} AND a.state IN ('sent', 'unknown', 'needs_human') AND a.state <> 'sent'
      ORDER BY +a.created_at LIMIT ${limit}`,
  ).all<RawRow>();
  return {
    count: Number(results[0]?.n ?? 0),
    cents: Number(results[0]?.sum ?? 0),
    first: results.map((row) => ({
      cents: Number(row.cents),
      at: Number(row.at),
      needsPerson: row.state === 'needs_human',
      ...paymentOf(row),
    })),
  };
}

export type UnreadableInvoice = { id: string; number: string; customer: string; modifiedAt: number };

/** Open invoices of which the CRM names no amount that can be read; the one that was changed first comes first. */
export async function listUnreadable(db: Db, accountId: number, most: number): Promise<UnreadableInvoice[]> {
  const { results } = await prepare(
    db.$client,
    // The words of the partial index.
    rawSql`SELECT i.invoice_id AS id, i.number, i.modified_at AS modifiedAt,
        coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name) AS customer
      FROM invoices i INDEXED BY invoices_unreadable
      WHERE i.account_id = ${accountId} AND i.deleted_at IS NULL AND ${raw(isUnreadable('i.'))}
      ORDER BY i.modified_at, i.invoice_id LIMIT ${most}`,
  ).all<UnreadableInvoice>();
  return results;
}
