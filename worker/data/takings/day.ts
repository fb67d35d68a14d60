import type { Db, RawRow } from '../db.ts';
import { prepare, type RawSql, rawSql } from '../sql.ts';

/**
 * SQL: true if a ledger entry counts in its day's figures. A voided payment was never charged, so neither it nor its
 * refunds count. The view counted_entries and the triggers of daily_totals use the same rule.
 */
export const isCounted = (entry: string) =>
  `${entry}.kind <> 'void' AND NOT EXISTS (SELECT 1 FROM ledger gone WHERE gone.attempt_id = ${entry}.attempt_id AND gone.kind = 'void')`;

/** SQL: true if an entry is a refund or return. The correction of a refund moves money, but is not another refund. */
export const isRefund = (entry: string) => `(${entry}.kind <> 'payment' AND ${entry}.corrects = 0)`;

/** The maximum difference between a local day and the UTC day of the same date (ms). */
const MAX_OFFSET_MS = 15 * 3_600_000;
const DAY_MS = 86_400_000;

/** The times (UTC ms) that enclose all entries of a local day (YYYY-MM-DD), regardless of the time zone at booking. */
export const timeRangeOfDay = (day: string): { from: number; to: number } => ({
  from: Date.parse(day) - MAX_OFFSET_MS,
  to: Date.parse(day) + DAY_MS + MAX_OFFSET_MS,
});

/** A day of an account (`day` in local time), with its first and last instants (UTC ms, inclusive). */
export type AccountDay = { accountId: number; day: string; weekBefore: string; from: number; to: number };

/** A ledger entry of that day, which is a payment that was not voided, a refund, or a return. */
export type DayEntry = {
  attemptId: string;
  invoiceId: string;
  isPayment: boolean;
  /** True for a refund or return, but not for the correction of one. */
  isRefund: boolean;
  /** True for a payment that is not fully refunded. */
  isKept: boolean;
  amountCents: number;
  at: number;
  method: string;
  brand: string;
  lastFour: string;
} & Place;

/** The place and purpose of a payment; an empty terminal means online. */
type Place = { invoiceNumber: string; terminal: string; customer: string };
export type UndecidedPayment = Place & { amountCents: number; at: number };

export type DayFigures = {
  business: { name: string; address: string };
  booked: DayEntry[];
  undecided: UndecidedPayment[];
  declined: number;
  weekBeforeCents: number | null;
  /** `cents` is null if none of their amounts is readable. */
  paidElsewhere: { count: number; cents: number | null };
  closed: { at: number; by: string } | null;
};

/** SQL: invoice, card reader and customer of a payment, for a query that also has PLACE_JOINS. */
export const PLACE_COLUMNS = `a.invoice_number AS invoiceNumber, iif(a.channel = 'terminal', ifnull(t.name, a.terminal_id), '') AS terminal,
  coalesce(nullif(trim(i.contact_first_name || ' ' || i.contact_last_name), ''), i.company_name, '') AS customer`;
export const PLACE_JOINS = `LEFT JOIN terminals t ON t.account_id = a.account_id AND t.terminal_id = a.terminal_id
  LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id`;

/** Uses the day stored with the entry, as daily_totals does, because the account's time zone may have changed. */
const bookedQuery = ({ accountId, day }: AccountDay): RawSql => ({
  text: `SELECT l.attempt_id, a.invoice_id, l.kind, ${isRefund('l')} AS is_refund, l.amount_cents, l.at, l.brand, a.card_last_four, a.state = 'approved' AS is_kept, p.method,
      ${PLACE_COLUMNS}
    FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id
    LEFT JOIN payments_by_method p ON p.attempt_id = l.attempt_id AND p.provider_txn_id = l.provider_txn_id
    ${PLACE_JOINS}
    WHERE l.account_id = ? AND l.at BETWEEN ? AND ? AND l.day = ? AND ${isCounted('l')} ORDER BY l.at`,
  values: [accountId, timeRangeOfDay(day).from, timeRangeOfDay(day).to, day],
});

/** Must match the partial index word for word, or SQLite does not use it. */
const undecidedQuery = ({ accountId, day }: AccountDay): RawSql => ({
  text: `SELECT a.amount_cents, a.created_at AS at, ${PLACE_COLUMNS}
    FROM payment_attempts a INDEXED BY payment_attempts_undecided ${PLACE_JOINS}
    WHERE a.account_id = ? AND a.state IN ('sent', 'unknown', 'needs_human') AND a.day = ? ORDER BY a.created_at LIMIT 50`,
  values: [accountId, day],
});

const totalsQuery = ({ accountId, day, weekBefore }: AccountDay) =>
  rawSql`SELECT day, net_cents, statuses ->> '$.declined' AS declined FROM daily_totals
    WHERE account_id = ${accountId} AND day IN (${day}, ${weekBefore})`;

/**
 * Invoices that were paid elsewhere on the day, according to the CRM. A payment date without a time is stored as
 * midnight UTC. Invoices with a payment or a possible payment here are excluded. If that payment was refunded, the
 * CRM's payment only counts if it is later than the refund, because an earlier one may be our own.
 */
const paidElsewhereQuery = ({ accountId, day, from, to }: AccountDay) =>
  rawSql`SELECT count(*) AS n, sum(i.billed_cents) AS cents FROM invoices i INDEXED BY invoices_paid
    WHERE i.account_id = ${accountId}
      AND i.paid_at BETWEEN ${Math.min(from, Date.parse(day))} AND ${Math.max(to, Date.parse(day))}
      AND iif(i.paid_at % ${DAY_MS} = 0, i.paid_at = ${Date.parse(day)}, i.paid_at BETWEEN ${from} AND ${to})
      AND i.status = 'paid' AND i.currency = 'USD' AND i.deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id
        AND a.state NOT IN ('declined', 'rejected', 'not_charged', 'cancelled', 'timed_out')
        AND (a.state NOT IN ('voided', 'refunded', 'returned')
          OR i.paid_at <= (SELECT max(back.at) FROM ledger back WHERE back.attempt_id = a.id AND back.kind <> 'payment')))`;

const closedQuery = ({ accountId, from, to }: AccountDay) =>
  rawSql`SELECT c.ended_at, coalesce(nullif(u.name, ''), u.email, '') AS by
    FROM terminals t CROSS JOIN batch_closes c INDEXED BY batch_closes_ended
      ON c.account_id = t.account_id AND c.terminal_id = t.terminal_id AND c.ended_at BETWEEN ${from} AND ${to}
    LEFT JOIN users u ON u.account_id = c.account_id AND u.user_id = c.requested_by
    WHERE t.account_id = ${accountId} AND c.state = 'closed' ORDER BY +c.ended_at DESC LIMIT 1`;

const businessQuery = ({ accountId }: AccountDay) =>
  rawSql`SELECT name, address FROM accounts WHERE account_id = ${accountId}`;

/** All of a day's figures from our own data, in one round trip. */
export async function readDay(db: Db, day: AccountDay): Promise<DayFigures> {
  const queries = [
    bookedQuery(day),
    undecidedQuery(day),
    totalsQuery(day),
    paidElsewhereQuery(day),
    closedQuery(day),
    businessQuery(day),
  ];
  const batchResults = await db.$client.batch<RawRow>(queries.map((query) => prepare(db.$client, query)));
  const [entries = [], undecidedRows = [], days = [], paidElsewhereRows = [], closes = [], names = []] =
    batchResults.map(({ results }) => results);
  const currentDay = days.find((row) => row.day === day.day);
  const earlier = days.find((row) => row.day === day.weekBefore);
  return {
    booked: entries.map((row) => ({
      ...placeOf(row),
      attemptId: String(row.attempt_id),
      invoiceId: String(row.invoice_id),
      isPayment: row.kind === 'payment',
      isRefund: row.is_refund === 1,
      isKept: row.is_kept === 1,
      amountCents: Number(row.amount_cents),
      at: Number(row.at),
      method: String(row.method ?? ''),
      brand: String(row.brand),
      lastFour: String(row.card_last_four),
    })),
    undecided: undecidedRows.map((row) => ({
      ...placeOf(row),
      amountCents: Number(row.amount_cents),
      at: Number(row.at),
    })),
    declined: Number(currentDay?.declined ?? 0),
    weekBeforeCents: earlier ? Number(earlier.net_cents) : null,
    paidElsewhere: {
      count: Number(paidElsewhereRows[0]?.n),
      cents: typeof paidElsewhereRows[0]?.cents === 'number' ? paidElsewhereRows[0].cents : null,
    },
    closed: closes[0] ? { at: Number(closes[0].ended_at), by: String(closes[0].by) } : null,
    business: { name: String(names[0]?.name ?? ''), address: String(names[0]?.address ?? '') },
  };
}

const placeOf = (row: RawRow): Place => ({
  invoiceNumber: String(row.invoiceNumber),
  terminal: String(row.terminal),
  customer: String(row.customer ?? ''),
});
