import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { ONLINE_CURRENCY } from '#shared/money';
import { type Collection, collections } from '#worker/data/schema/invoices';
import { accounts, paymentAttempts } from '#worker/data/schema/schema';
import { eventStatement, eventWrite, type NewEvent, type TextEvent } from '../audit/events.ts';
import { columnsOf, type Db, hasChanged, type RawRow, rowOf, unindexed } from '../db.ts';
import { RELEASE_WINDOW_MS } from '../payable-conditions.ts';

/** A collection in installments, with its current amounts. */
export type CollectionState = Collection & {
  /** The sum of approved installments minus refunds. */
  paidCents: number;
  /** The number of the last installment whose key was used at the gateway, even if it was refunded. */
  taken: number;
  /** The number of the invoice's next collection. */
  nextN: number;
  /** The amount (cents) by which our records have reduced the CRM's balance since the collection was opened. */
  movedCents: number;
  /** The time at which one of our records was last written (UTC ms); 0 if none was. */
  movedAt: number;
  /** 1 if a record was requested and it is unclear whether the CRM's balance includes it. */
  unsettled: number;
  /** The amount (cents) of the last attempt at the next installment, if it may still turn out to be charged. */
  releasedCents: number | null;
};

type CollectionKey = { accountId: number; invoiceId: string; collection: number };

const FROM_ATTEMPTS = `FROM payment_attempts a WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id AND a.collection = c.n`;
/**
 * SQL: the number of the next collection of invoice `i`. Checks all tables, because a restore may have lost collections
 * whose charges and keys the gateway still has.
 */
export const nextCollectionOf = (i: string) =>
  `1 + max(${i}.collection,
    coalesce((SELECT max(a.collection) FROM payment_attempts a WHERE a.account_id = ${i}.account_id AND a.invoice_id = ${i}.invoice_id), 0),
    coalesce((SELECT max(o.n) FROM collections o WHERE o.account_id = ${i}.account_id AND o.invoice_id = ${i}.invoice_id), 0))`;
/**
 * All CRM records of an invoice, because a record of an earlier collection may be written while a later one is open.
 */
const FROM_CRM_WRITES = `FROM payment_attempts a JOIN crm_writes w ON w.attempt_id = a.id
  WHERE a.account_id = c.account_id AND a.invoice_id = c.invoice_id`;
/** A record without a response, or without a known effect, blocks payers for at most this long (ms). */
const UNSETTLED_MS = 15 * 60_000;
/**
 * SQL: true if it is unclear whether a record has changed the CRM's balance by `now`. After UNSETTLED_MS, an unchanged
 * balance means that the record had no effect, and any other balance freezes the collection until a person decides. If
 * records are known not to change balances, there is no wait.
 */
const isUnsettledAt = (now: string) => `EXISTS (SELECT 1 ${FROM_CRM_WRITES}
  AND NOT EXISTS (SELECT 1 FROM crm_write_settings x WHERE x.account_id = c.account_id AND x.moves_balance = 0)
  AND ((w.state IN ('sent', 'unknown') AND coalesce(w.sent_at, w.created_at) > ${now} - ${UNSETTLED_MS})
    OR (w.state = 'written' AND w.effect = '' AND w.done_at > ${now} - ${UNSETTLED_MS})))`;
/**
 * SQL: the total effect of our records since the collection was opened. It uses the time of the request, because after
 * a lost response the record may be found weeks later, although the balance at the opening already included it.
 */
const MOVED_CENTS = `coalesce((SELECT sum(iif(w.kind = 'payment', w.amount_cents, -w.amount_cents)) ${FROM_CRM_WRITES}
  AND w.state = 'written' AND w.effect = 'balance_moved' AND coalesce(w.sent_at, w.done_at) >= c.opened_at), 0)`;
const MOVED_AT = `coalesce((SELECT max(w.done_at) ${FROM_CRM_WRITES} AND w.state = 'written'), 0)`;

const SELECT_STATE = `SELECT ${columnsOf(collections, 'c', 'c_')}, s.paid_cents - c.paid_before_cents AS paidCents,
  s.taken, (SELECT ${nextCollectionOf('i')} FROM invoices i WHERE i.account_id = c.account_id AND i.invoice_id = c.invoice_id) AS nextN,
  ${MOVED_CENTS} AS movedCents, ${MOVED_AT} AS movedAt, ${isUnsettledAt(`(?4 + ${RELEASE_WINDOW_MS})`)} AS unsettled,
  (SELECT a.amount_cents ${FROM_ATTEMPTS} AND a.part = 1 + s.taken AND a.state = 'not_charged' AND a.settled_at > ?4
    ORDER BY a.settled_at DESC LIMIT 1) AS releasedCents
FROM collections c JOIN collection_sums s ON s.account_id = c.account_id AND s.invoice_id = c.invoice_id AND s.n = c.n
WHERE c.account_id = ?1 AND c.invoice_id = ?2 AND c.n = ?3`;

export async function findCollectionState(
  { $client }: Db,
  key: CollectionKey,
  now: number,
): Promise<CollectionState | null> {
  const { accountId, invoiceId, collection } = key;
  const query = $client.prepare(SELECT_STATE).bind(accountId, invoiceId, collection, now - RELEASE_WINDOW_MS);
  const raw = await query.first<RawRow>();
  if (!raw) return null;
  const { paidCents, taken, nextN, movedCents, movedAt, unsettled, releasedCents } = raw as unknown as CollectionState;
  return { ...rowOf(collections, raw, 'c_'), paidCents, taken, nextN, movedCents, movedAt, unsettled, releasedCents };
}

/**
 * The paid installments of an invoice, in all its collections, minus refunds. `day`: the day of the ledger entry
 * (YYYY-MM-DD), because a charge may become known days later.
 */
export async function listPaidInstallments(db: Db, { accountId, invoiceId }: Omit<CollectionKey, 'collection'>) {
  const { accountId: account, invoiceId: invoice, state, amountCents, refundedCents, settledAt } = paymentAttempts;
  const day = sql<string>`coalesce((SELECT l.day FROM ledger l WHERE l.attempt_id = ${paymentAttempts.id} AND l.kind = 'payment'),
    ${paymentAttempts.day})`;
  return db
    .select({ cents: sql<number>`${amountCents} - ${refundedCents}`, day })
    .from(paymentAttempts)
    .where(and(eq(account, accountId), eq(invoice, invoiceId), eq(state, 'approved'), gt(amountCents, refundedCents)))
    .orderBy(asc(unindexed(settledAt)));
}

const FREEZE_COLLECTION = `UPDATE collections AS c SET state = 'frozen', frozen_at = ?4, frozen_balance_cents = ?5
WHERE account_id = ?1 AND invoice_id = ?2 AND n = ?3 AND state = 'open' AND NOT ${isUnsettledAt('?4')} AND ${MOVED_CENTS} = ?6`;

/**
 * Block further payments until a person decides on the amount owed. False if the collection was not open, or if our
 * records have changed the balance since they were read, which may explain the CRM's balance.
 */
export async function freezeCollection(
  { $client }: Db,
  { accountId, invoiceId, n, movedCents }: CollectionState,
  observed: { balanceCents: number | null; at: number },
  event: TextEvent,
): Promise<boolean> {
  const [frozen] = await $client.batch([
    $client.prepare(FREEZE_COLLECTION).bind(accountId, invoiceId, n, observed.at, observed.balanceCents, movedCents),
    eventStatement($client, event),
  ]);
  return hasChanged(frozen);
}

export type NewCollection = Omit<Collection, 'state' | 'frozenBalanceCents' | 'frozenAt' | 'takenBeforeCents'>;

const COLUMNS = `account_id, invoice_id, n, base_cents, min_cents, deposit_cents, max_installments, paid_before_cents,
  crm_balance_cents, crm_billed_cents, opened_by, opened_at, taken_before_cents`;
/** SQL: the amount charged in earlier collections, minus the part that was owed again (cents). */
const TAKEN_BEFORE = `(SELECT coalesce(sum(a.amount_cents - a.owed_again_cents), 0) FROM payment_attempts a
  WHERE a.account_id = ?1 AND a.invoice_id = ?2 AND a.collection < ?3 AND a.state IN ('approved', 'refunded'))`;
/**
 * SQL: no payment of invoice `i`, in any collection, is under way, needs a person, or may still turn out to be charged.
 */
export const hasNoOpenPayment = (releasedAfter: string) =>
  `NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE a.account_id = i.account_id AND a.invoice_id = i.invoice_id
    AND (a.state IN ('sent', 'unknown', 'pending', 'needs_human')
      OR (a.state = 'not_charged' AND a.settled_at > ${releasedAfter})))`;

const valuesOf = (row: NewCollection) => [
  ...[row.accountId, row.invoiceId, row.n, row.baseCents, row.minCents, row.depositCents, row.maxParts],
  ...[row.paidBeforeCents, row.crmBalanceCents, row.crmBilledCents, row.openedBy, row.openedAt],
];

/** Allow installments for an invoice. False if it was paid, is being paid, or already allows them. */
export async function openParts({ $client }: Db, row: NewCollection, event: TextEvent): Promise<boolean> {
  const [opened] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO collections (${COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ${TAKEN_BEFORE} FROM invoices i
          WHERE i.account_id = ?1 AND i.invoice_id = ?2 AND i.collection = ?3 AND i.local_status = 'none' AND ${hasNoOpenPayment('?13')}
            AND EXISTS (SELECT 1 FROM accounts h WHERE h.account_id = i.account_id AND h.takes_installments = 1)
          ON CONFLICT DO NOTHING`,
      )
      .bind(...valuesOf(row), row.openedAt - RELEASE_WINDOW_MS),
    eventStatement($client, event),
  ]);
  return hasChanged(opened);
}

const END_COLLECTION = `UPDATE invoices AS i
SET collection = ?8, local_status = 'none', collection_base_cents = NULL, collection_paid_cents = 0
WHERE i.account_id = ?1 AND i.invoice_id = ?2 AND i.collection = ?3 AND ${nextCollectionOf('i')} = ?8 AND ${hasNoOpenPayment('?4')}
  AND (i.local_status IN ('none', 'refunded') OR (i.local_status = 'paid' AND i.collection_paid_cents < i.collection_base_cents))
  AND EXISTS (SELECT 1 FROM collections c JOIN collection_sums s ON s.account_id = c.account_id AND s.invoice_id = c.invoice_id
      AND s.n = c.n
    WHERE c.account_id = i.account_id AND c.invoice_id = i.invoice_id AND c.n = i.collection AND c.state = ?5
      AND s.paid_cents - c.paid_before_cents = ?6 AND NOT ${isUnsettledAt(`(?4 + ${RELEASE_WINDOW_MS})`)} AND ${MOVED_CENTS} = ?7)`;

const UPDATE_LABEL = `UPDATE invoices SET local_status = b.label FROM invoice_labels b
WHERE changes() > 0 AND b.account_id = ?1 AND b.invoice_id = ?2 AND invoices.rowid = b.doc`;

/**
 * End a collection in installments and start the next one, in installments again (`next`) or in full. False if an
 * installment was paid, is being paid, needs a person or may still turn out to be charged, or if another caller was
 * faster.
 */
export async function startNextCollection(
  { $client }: Db,
  current: CollectionState,
  at: number,
  next: NewCollection | null,
  event: TextEvent,
): Promise<boolean> {
  const { accountId, invoiceId, n, nextN, state, paidCents, movedCents } = current;
  const end = $client
    .prepare(END_COLLECTION)
    .bind(accountId, invoiceId, n, at - RELEASE_WINDOW_MS, state, paidCents, movedCents, nextN);
  const begin =
    next &&
    $client
      .prepare(
        `INSERT INTO collections (${COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ${TAKEN_BEFORE}
          WHERE changes() > 0`,
      )
      .bind(...valuesOf(next));
  const close = $client
    .prepare(
      `UPDATE collections SET state = 'closed' WHERE account_id = ?1 AND invoice_id = ?2 AND n = ?3
        AND EXISTS (SELECT 1 FROM invoices i WHERE i.account_id = ?1 AND i.invoice_id = ?2 AND i.collection > ?3)`,
    )
    .bind(accountId, invoiceId, n);
  // Without `next`, the invoice is payable only in full, and payments of earlier collections may already cover it.
  const label = $client.prepare(UPDATE_LABEL).bind(accountId, invoiceId);
  const [ended] = await $client.batch([end, eventStatement($client, event), begin ?? label, close]);
  return hasChanged(ended);
}

type NewFrozenCollection = Pick<Collection, 'accountId' | 'invoiceId' | 'n' | 'openedBy'> & {
  balanceCents: number;
  billedCents: number | null;
  at: number;
};

/**
 * Block payments of an invoice that is payable only in full until a person decides on the amount owed. Its collection
 * becomes a frozen one in installments, with the amount owed (cents) as its base. Does nothing if it has ended.
 */
export async function openFrozenCollection({ $client }: Db, row: NewFrozenCollection, event: TextEvent): Promise<void> {
  const { accountId, invoiceId, n, balanceCents, billedCents, openedBy, at } = row;
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO collections (${COLUMNS}, state, frozen_at, frozen_balance_cents)
          SELECT ?1, ?2, ?3, ?4, ?4, NULL, 12, 0, ?4, ?5, ?6, ?7, ${TAKEN_BEFORE}, 'frozen', ?7, ?4
          FROM invoices i
          WHERE i.account_id = ?1 AND i.invoice_id = ?2 AND i.collection = ?3 AND i.local_status = 'none'
          ON CONFLICT DO NOTHING`,
      )
      .bind(accountId, invoiceId, n, balanceCents, billedCents, openedBy, at),
    eventStatement($client, event),
  ]);
}

const SELECT_SUSPECTED = `SELECT i.account_id AS accountId, i.invoice_id AS invoiceId FROM invoices i INDEXED BY invoices_in_parts
  CROSS JOIN collections c ON c.account_id = i.account_id AND c.invoice_id = i.invoice_id AND c.n = i.collection
  WHERE i.collection_base_cents IS NOT NULL AND i.local_status = 'none' AND i.deleted_at IS NULL AND i.read_at > ?1
    AND c.state = 'open' AND i.read_at > c.opened_at AND NOT ${isUnsettledAt('?3')}
    AND (i.status, i.currency, i.balance_cents, i.billed_cents)
      IS NOT ('open', '${ONLINE_CURRENCY}', c.crm_balance_cents - ${MOVED_CENTS}, c.crm_billed_cents)
  ORDER BY i.read_at LIMIT ?2`;

/**
 * Invoices in installments whose copy, read after `readAfter` (UTC ms), shows an unexpected amount, in the order of
 * reading. A copy may be older than one of our records, so the CRM must be read before a collection is frozen.
 */
export async function listSuspectedCollections(
  { $client }: Db,
  { readAfter, now }: { readAfter: number; now: number },
  limit: number,
) {
  const query = $client.prepare(SELECT_SUSPECTED).bind(readAfter, limit, now);
  return (await query.all<{ accountId: number; invoiceId: string }>()).results;
}

export async function readInstallmentSwitch(db: Db, accountId: number): Promise<boolean> {
  const [row] = await db.select({ isOn: accounts.takesParts }).from(accounts).where(eq(accounts.accountId, accountId));
  return row?.isOn ?? false;
}

/** Turn installments on or off for new collections. Collections that are already in installments stay so. */
export async function saveInstallmentSwitch(db: Db, accountId: number, isOn: boolean, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(accounts)
      .set({ takesParts: isOn })
      .where(and(eq(accounts.accountId, accountId), eq(accounts.takesParts, !isOn))),
    eventWrite(db, event),
  ]);
}
