import { and, asc, eq, lt, lte, or, sql } from 'drizzle-orm';
import type { PaymentMethod } from '#shared/contracts/payment';
import { reconciliationCursors as cursorTable, type ReconciliationCursor, terminals } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

const METHODS: PaymentMethod[] = ['card', 'ach'];

/**
 * Create missing cursors: one per payment method and merchant with a terminal, starting when its first terminal was
 * added.
 */
export async function createCursors(db: Db, nextAt: number): Promise<void> {
  const [merchant] = await db
    .select({ accountId: terminals.accountId })
    .from(terminals)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM reconciliation_cursors WHERE reconciliation_cursors.account_id = terminals.account_id)`,
    )
    .limit(1);
  // Without a new merchant, a cron run writes nothing.
  if (!merchant) return;
  await db.batch(
    METHODS.map((method) =>
      db
        .insert(cursorTable)
        .select(
          db
            .select({
              accountId: terminals.accountId,
              method: sql<PaymentMethod>`${method}`.as('method'),
              readFrom: sql<number>`min(${terminals.createdAt})`.as('read_from'),
              readUntil: sql<number>`min(${terminals.createdAt})`.as('read_until'),
              resumeFrom: sql<number | null>`NULL`.as('resume_from'),
              nextAt: sql<number>`${nextAt}`.as('next_at'),
              leaseUntil: sql<number>`0`.as('lease_until'),
              endedAt: sql<number | null>`NULL`.as('ended_at'),
              failingSince: sql<number | null>`NULL`.as('failing_since'),
            })
            .from(terminals)
            .groupBy(terminals.accountId),
        )
        .onConflictDoNothing(),
    ) as never,
  );
}

/**
 * Due cursors, most overdue first, cards before bank debits; those not read up to `catchUpTo` (UTC ms) are always due.
 */
export const listDueCursors = (
  db: Db,
  now: number,
  limit: number,
  catchUpTo: number | null,
): Promise<ReconciliationCursor[]> => {
  const isDue = lte(cursorTable.nextAt, now);
  return (
    db
      .select()
      .from(cursorTable)
      .where(
        and(
          catchUpTo === null ? isDue : or(isDue, lt(cursorTable.readUntil, catchUpTo)),
          lte(cursorTable.leaseUntil, now),
        ),
      )
      // Equal due times must not depend on how SQLite stores the rows.
      .orderBy(asc(cursorTable.nextAt), sql`${cursorTable.method} = 'ach'`)
      .limit(limit)
  );
};

/** True if all transactions of an account up to `at` (UTC ms) were read and compared with our data. */
export async function isReadUpTo(db: Db, accountId: number, at: number): Promise<boolean> {
  const cursors = await findReconciliationCursors(db, accountId);
  return cursors.length === METHODS.length && cursors.every(({ readUntil }) => readUntil >= at);
}

/** Claim a cursor for the next read. Null if another run holds it. */
export async function claimCursor(
  db: Db,
  { accountId, method }: Pick<ReconciliationCursor, 'accountId' | 'method'>,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<ReconciliationCursor | null> {
  const [row] = await db
    .update(cursorTable)
    .set({ leaseUntil: now + leaseMs })
    .where(and(eq(cursorTable.accountId, accountId), eq(cursorTable.method, method), lte(cursorTable.leaseUntil, now)))
    .returning();
  return row ?? null;
}

export async function releaseCursor(
  db: Db,
  { accountId, method }: Pick<ReconciliationCursor, 'accountId' | 'method'>,
  change: Pick<ReconciliationCursor, 'nextAt' | 'failingSince'> &
    Partial<Pick<ReconciliationCursor, 'readUntil' | 'resumeFrom' | 'endedAt'>>,
): Promise<void> {
  await db
    .update(cursorTable)
    .set({ ...change, leaseUntil: 0 })
    .where(and(eq(cursorTable.accountId, accountId), eq(cursorTable.method, method)));
}

export const findReconciliationCursors = (db: Db, accountId: number): Promise<ReconciliationCursor[]> =>
  db.select().from(cursorTable).where(eq(cursorTable.accountId, accountId));

/**
 * The time up to which transactions must be read before an account accepts payments after a restore (UTC ms); null if
 * it was never restored.
 */
export const findRestoredAt = ({ $client }: Db, accountId: number): Promise<number | null> =>
  $client
    .prepare('SELECT restored_at FROM accounts WHERE account_id = ?1')
    .bind(accountId)
    .first<number>('restored_at');

/** The newest such time of the accounts in this database (UTC ms); null if none was ever restored. */
export const findNewestRestore = ({ $client }: Db): Promise<number | null> =>
  $client.prepare('SELECT max(restored_at) AS at FROM accounts').first<number>('at');

/** True while the CRM's records are being copied for the first time, or again after a restore. */
export const isCopying = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM crm_sync_states WHERE complete_at IS NULL LIMIT 1').first('is_so')) !==
  null;
