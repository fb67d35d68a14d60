import { and, sql as bound, desc, eq } from 'drizzle-orm';
import type { PaymentMethod } from '#shared/contracts/payment';
import type { GatewayTransaction } from '../ports/gateway.ts';
import type { Db, RawRow } from './db.ts';
import { type GatewayRow, gatewayTransactions as g } from './schema.ts';
import { prepare, raw, sql } from './sql.ts';

export type SeenTransaction = {
  txn: GatewayTransaction;
  method: PaymentMethod;
  /** What it moved in the end; null: not decided yet. */
  effectCents: number | null;
};

/**
 * What our own books say of a transaction: a refund by its own row; a payment by all that was booked for its attempt but
 * refunds, so that one that was voided or returned comes to 0.
 */
const OURS = raw(`(SELECT CASE WHEN own.kind = 'refund' THEN own.amount_cents
    ELSE (SELECT sum(part.amount_cents) FROM ledger part WHERE part.attempt_id = own.attempt_id AND part.kind <> 'refund') END
  FROM ledger own WHERE own.hub_id = g.hub_id AND own.provider_txn_id = g.provider_txn_id)`);

/**
 * Keep transactions as the gateway has just shown them and hold each against the ledger. What was seen later is not
 * overwritten. `oursSince`: when the merchant's first terminal became ours; what is older was never in our books.
 */
export async function keepTransactions(
  db: Db,
  hubId: number,
  seen: SeenTransaction[],
  { seenAt, oursSince }: { seenAt: number; oursSince: number },
): Promise<GatewayRow[]> {
  if (seen.length === 0) return [];
  const rows = JSON.stringify(
    seen.map(({ txn, method, effectCents }) => ({
      ...{ id: txn.id, method, terminal: txn.terminalId, batch: txn.batchId, kind: txn.kind, state: txn.state },
      ...{ voided: txn.isVoided ? 1 : 0, amount: txn.amountCents, effect: effectCents, order: txn.attemptId },
      ...{ parent: txn.parentId, key: txn.dedupeKey, card: txn.maskedCard, at: txn.createdAt },
      payer: `${txn.name.first} ${txn.name.last}`.trim(),
    })),
  );
  const ids = sql`SELECT value->>'id' FROM json_each(${rows})`;
  const d1 = db.$client;
  await d1.batch([
    prepare(
      d1,
      sql`INSERT INTO gateway_transactions (hub_id, provider_txn_id, method, terminal_id, batch_id, kind, state, is_voided,
          amount_cents, effect_cents, order_id, parent_id, dedupe_key, card, payer, at, seen_at)
        SELECT ${hubId}, value->>'id', value->>'method', value->>'terminal', value->>'batch', value->>'kind',
          value->>'state', value->>'voided', value->>'amount', value->>'effect', value->>'order', value->>'parent',
          value->>'key', value->>'card', value->>'payer', value->>'at', ${seenAt}
        FROM json_each(${rows}) WHERE true
        ON CONFLICT (hub_id, provider_txn_id) DO UPDATE SET batch_id = excluded.batch_id, state = excluded.state,
          is_voided = excluded.is_voided, amount_cents = excluded.amount_cents, effect_cents = excluded.effect_cents,
          seen_at = excluded.seen_at
        WHERE excluded.seen_at >= gateway_transactions.seen_at`,
    ),
    prepare(
      d1,
      sql`UPDATE gateway_transactions AS g SET verdict = CASE
          WHEN effect_cents IS NULL THEN 'none'
          WHEN ${OURS} = effect_cents THEN 'matched'
          WHEN ${OURS} IS NOT NULL THEN 'amount-differs'
          WHEN effect_cents = 0 THEN 'none'
          WHEN ifnull(at, 0) < ${oursSince} THEN 'earlier'
          ELSE 'only-gateway' END
        WHERE hub_id = ${hubId} AND provider_txn_id IN (${ids})`,
    ),
  ]);
  return listSeen(
    db,
    hubId,
    seen.map(({ txn }) => txn.id),
  );
}

/** The rows of a list of the gateway's ids. */
const listSeen = (db: Db, hubId: number, ids: string[]): Promise<GatewayRow[]> =>
  db
    .select()
    .from(g)
    .where(and(eq(g.hubId, hubId), bound`${g.providerTxnId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`));

/** A transaction with the invoice that it belongs to: by our own attempt, else by the number that the gateway was given. */
export type MatchLine = {
  row: GatewayRow;
  ourCents: number | null;
  attemptId: string | null;
  invoice: { id: string; number: string; customer: string } | null;
};

const LINES = raw(`SELECT g.provider_txn_id AS txn, ifnull(a.id, l.attempt_id) AS attempt_id, ${OURS.text} AS ours,
    i.invoice_id, i.number, trim(i.contact_first_name || ' ' || i.contact_last_name) AS contact, i.company_name
  FROM gateway_transactions g
  LEFT JOIN ledger l ON l.hub_id = g.hub_id AND l.provider_txn_id = g.provider_txn_id
  LEFT JOIN ledger p ON p.hub_id = g.hub_id AND p.provider_txn_id = g.parent_id AND g.parent_id <> ''
  LEFT JOIN payment_attempts a ON a.id = coalesce(l.attempt_id, p.attempt_id, g.order_id) AND a.hub_id = g.hub_id
  LEFT JOIN invoices i ON i.hub_id = g.hub_id AND i.invoice_id = coalesce(a.invoice_id, (SELECT named.invoice_id
    FROM invoices named WHERE named.hub_id = g.hub_id AND named.number = g.dedupe_key COLLATE NOCASE
      AND named.gone_at IS NULL LIMIT 1))`);

/** Transactions by their ids, in no order. */
export async function explain(db: Db, rows: GatewayRow[]): Promise<MatchLine[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = JSON.stringify(rows.map(({ providerTxnId }) => providerTxnId));
  const { results } = await prepare(
    db.$client,
    sql`${LINES} WHERE g.hub_id = ${first.hubId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`,
  ).all<RawRow>();
  const byId = new Map(results.map((result) => [result.txn, result]));
  return rows.map((row) => {
    const found = byId.get(row.providerTxnId) ?? {};
    return {
      row,
      ourCents: typeof found.ours === 'number' ? found.ours : null,
      attemptId: typeof found.attempt_id === 'string' ? found.attempt_id : null,
      invoice: invoiceOf(found),
    };
  });
}

const invoiceOf = (found: RawRow): MatchLine['invoice'] =>
  typeof found.invoice_id === 'string'
    ? {
        id: found.invoice_id,
        number: String(found.number ?? ''),
        customer: String(found.contact || found.company_name || ''),
      }
    : null;

/** What does not agree with our books, newest first. */
export const listMismatches = (db: Db, hubId: number, limit: number): Promise<GatewayRow[]> =>
  db
    .select()
    .from(g)
    // As the partial index words it, so that it is used.
    .where(and(eq(g.hubId, hubId), bound`${g.verdict} IN ('only-gateway', 'amount-differs')`))
    .orderBy(desc(g.at))
    .limit(limit);

/** A booking of ours that the gateway does not show. */
export type OnlyOurs = {
  providerTxnId: string;
  attemptId: string;
  cents: number;
  at: number;
  invoice: MatchLine['invoice'];
};

/** Our bookings of a method between two moments (both included) that no transaction of the gateway stands for. */
export async function listOnlyOurs(
  db: Db,
  hubId: number,
  method: PaymentMethod,
  { from, to, terminalId, limit }: { from: number; to: number; terminalId?: string; limit: number },
): Promise<OnlyOurs[]> {
  const ofTerminal = terminalId === undefined ? raw('') : sql`AND a.terminal_id = ${terminalId}`;
  const { results } = await prepare(
    db.$client,
    sql`SELECT l.provider_txn_id, l.attempt_id, l.amount_cents, l.at, i.invoice_id, i.number,
        trim(i.contact_first_name || ' ' || i.contact_last_name) AS contact, i.company_name
      FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id
      LEFT JOIN invoices i ON i.hub_id = l.hub_id AND i.invoice_id = l.invoice_id
      WHERE l.hub_id = ${hubId} AND l.at BETWEEN ${from} AND ${to} AND l.method = ${method}
        AND l.kind IN ('payment', 'refund') ${ofTerminal}
        AND NOT EXISTS (SELECT 1 FROM gateway_transactions g WHERE g.hub_id = l.hub_id AND g.provider_txn_id = l.provider_txn_id)
      ORDER BY l.at DESC LIMIT ${limit}`,
  ).all<RawRow>();
  return results.map((found) => ({
    providerTxnId: String(found.provider_txn_id),
    attemptId: String(found.attempt_id),
    cents: Number(found.amount_cents),
    at: Number(found.at),
    invoice: invoiceOf(found),
  }));
}
