import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { type BatchClose, batchCloses } from '#worker/data/schema/batches';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';

const t = batchCloses;
type Key = Pick<BatchClose, 'accountId' | 'terminalId' | 'batchId'>;

const ofTerminal = ({ accountId, terminalId }: Omit<Key, 'batchId'>) =>
  and(eq(t.accountId, accountId), eq(t.terminalId, terminalId));
const ofBatch = (key: Key) => and(ofTerminal(key), eq(t.batchId, key.batchId));

/**
 * Win the right to close a batch. A batch is closed once; after a failed close it may be closed again. The claim fails
 * while another close of the terminal is under way. It also fails when a close of this batch, or of any with
 * `anyBatch`, ended since: the press then meant the batch that is closed.
 */
export async function claimClose(
  db: Db,
  claim: Key & { requestedBy: number; requestedAt: number },
  endedSince: { at: number; anyBatch: boolean },
  event: NewEvent,
): Promise<boolean> {
  const { accountId, terminalId, batchId, requestedBy, requestedAt } = claim;
  const isFree = sql`NOT EXISTS (SELECT 1 FROM batch_closes WHERE account_id = ${accountId} AND terminal_id = ${terminalId}
    AND state IN ('sent', 'unknown'))
    AND NOT EXISTS (SELECT 1 FROM batch_closes WHERE account_id = ${accountId} AND terminal_id = ${terminalId}
    AND ended_at >= ${endedSince.at} AND (${endedSince.anyBatch ? 1 : 0} = 1 OR batch_id = ${batchId}))`;
  const [again, , first] = await db.batch([
    db
      .update(t)
      .set({ state: 'sent', requestedBy, requestedAt, endedAt: null, message: '' })
      .where(and(ofBatch(claim), eq(t.state, 'failed'), isFree))
      .returning({ batchId: t.batchId }),
    eventWrite(db, event),
    db
      .insert(t)
      .select(selectValues(t, { ...claim, state: 'sent' }, isFree))
      .onConflictDoNothing()
      .returning({ batchId: t.batchId }),
    eventWrite(db, event),
  ]);
  return again.length + first.length === 1;
}

/** Write the outcome of a close, unless it has left the states in `from`. */
export async function settleClose(
  db: Db,
  close: BatchClose | Key,
  from: BatchClose['state'][],
  to: { state: BatchClose['state']; at: number; message?: string },
  event: NewEvent,
): Promise<void> {
  await db.batch([
    db
      .update(t)
      .set({ state: to.state, endedAt: to.state === 'unknown' ? null : to.at, message: to.message ?? '' })
      .where(and(ofBatch(close), inArray(t.state, from))),
    eventWrite(db, event),
  ]);
}

export const findClose = async (db: Db, key: Key): Promise<BatchClose | undefined> =>
  (await db.select().from(t).where(ofBatch(key)))[0];

/** Closes of a terminal, newest first. */
export const listCloses = (db: Db, terminal: Omit<Key, 'batchId'>, limit: number): Promise<BatchClose[]> =>
  db.select().from(t).where(ofTerminal(terminal)).orderBy(desc(t.requestedAt)).limit(limit);

/** Closes of a terminal whose outcome is still open. */
export const listOpenCloses = (db: Db, terminal: Omit<Key, 'batchId'>): Promise<BatchClose[]> =>
  db
    .select()
    .from(t)
    // Word for word as in the partial index, or SQLite does not use it.
    .where(and(ofTerminal(terminal), sql`${t.state} IN ('sent', 'unknown', 'processing')`));
