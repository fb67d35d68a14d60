import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { type BatchClose, batchCloses } from '#worker/data/schema/payments';
import type { GatewayBatch } from '#worker/vendors/gateway-port';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { prepare, rawSql, selectValues } from '../sql.ts';

type Terminal = { accountId: number; terminalId: string };

/** Store a terminal's batches as the gateway lists them; writes only changes. */
export async function saveBatches(
  { $client: d1 }: Db,
  { accountId, terminalId }: Terminal,
  batches: GatewayBatch[],
): Promise<void> {
  if (batches.length === 0) return;
  const rows = batches.map(({ id, status, openedAt, settledAt, netCents, confirmationCode }) => ({
    id,
    status,
    openedAt,
    settledAt,
    netCents,
    code: confirmationCode,
  }));
  await prepare(
    d1,
    rawSql`INSERT INTO batches
      (account_id, terminal_id, batch_id, status, opened_at, settled_at, net_cents, confirmation_code)
      SELECT ${accountId}, ${terminalId}, b.value ->> 'id', b.value ->> 'status', b.value ->> 'openedAt',
        b.value ->> 'settledAt', b.value ->> 'netCents', b.value ->> 'code'
      FROM json_each(${JSON.stringify(rows)}) b WHERE true
      ON CONFLICT (account_id, terminal_id, batch_id) DO UPDATE SET status = excluded.status,
        opened_at = excluded.opened_at, settled_at = excluded.settled_at, net_cents = excluded.net_cents,
        confirmation_code = excluded.confirmation_code
      WHERE status <> excluded.status OR settled_at IS NOT excluded.settled_at
        OR net_cents IS NOT excluded.net_cents OR confirmation_code <> excluded.confirmation_code`,
  ).run();
}

/** Terminals with a batch that was open when last read, or with a close whose outcome is unknown. */
export async function listOpenTerminals({ $client: d1 }: Db, accountId: number): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT terminal_id FROM batches INDEXED BY batches_open WHERE account_id = ?1 AND status <> 'closed'
        UNION SELECT terminal_id FROM batch_closes INDEXED BY batch_closes_open
          WHERE account_id = ?1 AND state IN ('sent', 'unknown', 'processing')`,
    )
    .bind(accountId)
    .all<{ terminal_id: string }>();
  return results.map(({ terminal_id }) => terminal_id);
}

/**
 * The settlement time of the oldest batch settled after `settledAfter` that has not been paid out; null if none.
 */
export async function findOldestUnfunded(
  { $client: d1 }: Db,
  accountId: number,
  settledAfter: number,
): Promise<number | null> {
  return d1
    .prepare(
      `SELECT min(settled_at) AS at FROM batches INDEXED BY batches_unfunded
      WHERE account_id = ?1 AND settled_at > ?2 AND status = 'closed' AND funded_on IS NULL`,
    )
    .bind(accountId, settledAfter)
    .first<number>('at');
}

type Deposit = { batchId: string; terminalId: string; fundedOn: string; depositCents: number };

/** Record the deposits that arrived at the bank. */
export async function saveDeposits({ $client: d1 }: Db, accountId: number, deposits: Deposit[]): Promise<void> {
  await prepare(
    d1,
    rawSql`UPDATE batches INDEXED BY batches_unfunded SET funded_on = d.value ->> 'fundedOn', deposit_cents = d.value ->> 'depositCents'
      FROM json_each(${JSON.stringify(deposits)}) d
      WHERE account_id = ${accountId} AND status = 'closed' AND funded_on IS NULL AND batch_id = d.value ->> 'batchId'
        AND terminal_id = d.value ->> 'terminalId'`,
  ).run();
}

export async function findMerchantNumber({ $client: d1 }: Db, accountId: number): Promise<string | null> {
  return d1
    .prepare('SELECT merchant_number FROM merchants WHERE account_id = ?1')
    .bind(accountId)
    .first<string>('merchant_number');
}

const closeTable = batchCloses;
type CloseKey = Pick<BatchClose, 'accountId' | 'terminalId' | 'batchId'>;

const terminalCondition = ({ accountId, terminalId }: Omit<CloseKey, 'batchId'>) =>
  and(eq(closeTable.accountId, accountId), eq(closeTable.terminalId, terminalId));
const batchCondition = (key: CloseKey) => and(terminalCondition(key), eq(closeTable.batchId, key.batchId));

/**
 * Claim the close of a batch. A batch is closed once; after a failed close it may be closed again. The claim fails
 * while another close of the terminal is under way. It also fails if a close of this batch, or of any batch with
 * `anyBatch`, has ended since `endedSince.at`, because the request then referred to the batch that is already closed.
 */
export async function claimClose(
  db: Db,
  claim: CloseKey & { requestedBy: number; requestedAt: number },
  endedSince: { at: number; anyBatch: boolean },
  event: NewEvent,
): Promise<boolean> {
  const { accountId, terminalId, batchId, requestedBy, requestedAt } = claim;
  const mayClose = sql`NOT EXISTS (SELECT 1 FROM batch_closes WHERE account_id = ${accountId} AND terminal_id = ${terminalId}
    AND state IN ('sent', 'unknown'))
    AND NOT EXISTS (SELECT 1 FROM batch_closes WHERE account_id = ${accountId} AND terminal_id = ${terminalId}
    AND ended_at >= ${endedSince.at} AND (${endedSince.anyBatch ? 1 : 0} = 1 OR batch_id = ${batchId}))`;
  const [reclosed, , inserted] = await db.batch([
    db
      .update(closeTable)
      .set({ state: 'sent', requestedBy, requestedAt, endedAt: null, message: '' })
      .where(and(batchCondition(claim), eq(closeTable.state, 'failed'), mayClose))
      .returning({ batchId: closeTable.batchId }),
    eventWrite(db, event),
    db
      .insert(closeTable)
      .select(selectValues(closeTable, { ...claim, state: 'sent' }, mayClose))
      .onConflictDoNothing()
      .returning({ batchId: closeTable.batchId }),
    eventWrite(db, event),
  ]);
  return reclosed.length + inserted.length === 1;
}

/** Save the outcome of a close, unless its state is no longer in `from`. */
export async function settleClose(
  db: Db,
  close: BatchClose | CloseKey,
  from: BatchClose['state'][],
  to: { state: BatchClose['state']; at: number; message?: string },
  event: NewEvent,
): Promise<void> {
  await db.batch([
    db
      .update(closeTable)
      .set({ state: to.state, endedAt: to.state === 'unknown' ? null : to.at, message: to.message ?? '' })
      .where(and(batchCondition(close), inArray(closeTable.state, from))),
    eventWrite(db, event),
  ]);
}

export const findClose = async (db: Db, key: CloseKey): Promise<BatchClose | undefined> =>
  (await db.select().from(closeTable).where(batchCondition(key)))[0];

/** Closes of a terminal, newest first. */
export const listCloses = (db: Db, terminal: Omit<CloseKey, 'batchId'>, limit: number): Promise<BatchClose[]> =>
  db.select().from(closeTable).where(terminalCondition(terminal)).orderBy(desc(closeTable.requestedAt)).limit(limit);

/** Closes of a terminal without a final outcome. */
export const listOpenCloses = (db: Db, terminal: Omit<CloseKey, 'batchId'>): Promise<BatchClose[]> =>
  db
    .select()
    .from(closeTable)
    // Must match the partial index word for word, or SQLite does not use it.
    .where(and(terminalCondition(terminal), sql`${closeTable.state} IN ('sent', 'unknown', 'processing')`));
