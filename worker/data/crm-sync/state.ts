import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { crmSyncs, type SyncCursor, type SyncRow, syncCursors } from '#worker/data/schema/schema';
import type { CrmKind } from '#worker/vendors/hubspot/port';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';

const syncs = crmSyncs;

export type Lease = { accountId: number; leaseId: string };

/**
 * Claim the sync of an account. Only one run may hold it; runs start at least `gapMs` apart, and not before the CRM
 * allows it. `isViewed`: a person is waiting for the result. Null if it may not run now.
 */
export async function claimSync(
  db: Db,
  { accountId, leaseId }: Lease,
  { now, leaseMs, gapMs, isViewed }: { now: number; leaseMs: number; gapMs: number; isViewed: boolean },
): Promise<SyncRow | null> {
  const [row] = await db
    .update(syncs)
    .set({ leaseId, leaseUntil: now + leaseMs, requestedAt: now, ...(isViewed ? { lookedAt: now } : {}) })
    .where(
      and(
        eq(syncs.accountId, accountId),
        lte(syncs.leaseUntil, now),
        lte(syncs.waitUntil, now),
        lte(syncs.requestedAt, now - gapMs),
      ),
    )
    .returning();
  return row ?? null;
}

const hasLease = ({ accountId, leaseId }: Lease) => and(eq(syncs.accountId, accountId), eq(syncs.leaseId, leaseId));

/** False if another run has taken over. */
export async function extendLease(db: Db, lease: Lease, leaseUntil: number): Promise<boolean> {
  const rows = await db
    .update(syncs)
    .set({ leaseUntil })
    .where(hasLease(lease))
    .returning({ accountId: syncs.accountId });
  return rows.length === 1;
}

export type SyncOutcome = { failingSince: number | null; failure: string; waitUntil: number; dueAt: number };

export async function releaseSync(db: Db, lease: Lease, outcome: SyncOutcome): Promise<void> {
  await db
    .update(syncs)
    .set({ ...outcome, leaseId: '', leaseUntil: 0 })
    .where(hasLease(lease));
}

export type SyncCursors = Record<CrmKind, SyncCursor>;

export async function findSyncCursors(db: Db, accountId: number): Promise<SyncCursors> {
  const rows = await db.select().from(syncCursors).where(eq(syncCursors.accountId, accountId));
  const cursorFor = (kind: CrmKind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    if (!row) throw new Error(`account ${accountId} has no cursor of ${kind}`);
    return row;
  };
  return { companies: cursorFor('companies'), contacts: cursorFor('contacts'), invoices: cursorFor('invoices') };
}

/** Columns of the account's sync row that a step changes. */
export type SyncChange = Pick<
  SyncRow,
  'leaseUntil' | 'asOf' | 'failingSince' | 'firstPageAt' | 'completeAt' | 'copied' | 'expected'
>;

/**
 * Save a step's records and the next cursor, in one transaction. False if another run has taken over and owns the
 * cursors. The records are saved anyway, because an older record never replaces a newer one.
 */
export async function saveStep(
  db: Db,
  lease: Lease,
  change: SyncChange,
  cursors: SyncCursor[],
  writes: D1PreparedStatement[],
): Promise<boolean> {
  const d1 = db.$client;
  const stateUpdate = db
    .update(syncs)
    .set(change)
    .where(hasLease(lease))
    .returning({ accountId: syncs.accountId })
    .toSQL();
  const cursorUpdates = cursors.map(({ accountId, kind, ...cursor }) => {
    const holdsLease = sql`EXISTS (SELECT 1 FROM crm_sync_states WHERE account_id = ${accountId} AND lease_id = ${lease.leaseId})`;
    return db
      .update(syncCursors)
      .set(cursor)
      .where(and(eq(syncCursors.accountId, accountId), eq(syncCursors.kind, kind), holdsLease))
      .toSQL();
  });
  const [updated] = await d1.batch([
    ...[stateUpdate].map((query) => d1.prepare(query.sql).bind(...query.params)),
    ...writes,
    ...cursorUpdates.map((query) => d1.prepare(query.sql).bind(...query.params)),
  ]);
  return updated?.results.length === 1;
}

/** Run ANALYZE for tables that have grown. It samples each index, because a full run would block all other queries. */
export async function gatherStatistics({ $client }: Db): Promise<void> {
  await $client.prepare('PRAGMA optimize(0x10002)').run();
}

/** Accounts whose sync is due, most overdue first. */
export async function listDueSyncs(db: Db, now: number): Promise<number[]> {
  const rows = await db
    .select({ accountId: syncs.accountId })
    .from(syncs)
    .where(and(lte(syncs.dueAt, now), lte(syncs.leaseUntil, now), lte(syncs.waitUntil, now)))
    .orderBy(asc(syncs.dueAt));
  return rows.map(({ accountId }) => accountId);
}

/** The columns of the account's sync row (alias `k`) for a larger statement; `syncRowOf` builds the row from them. */
export const SYNC_COLUMNS = columnsOf(syncs, 'k', 'k_');
export const syncRowOf = (raw: RawRow): SyncRow | undefined =>
  raw.k_account_id === null ? undefined : rowOf(syncs, raw, 'k_');

export const findSync = (db: Db, accountId: number) =>
  db.query.crmSyncs.findFirst({ where: eq(syncs.accountId, accountId) });
