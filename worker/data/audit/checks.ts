import { and, asc, desc, eq, lte, sql } from 'drizzle-orm';
import { EVENT_COLUMNS, type EventRow, type SealRow } from '#shared/audit-chain';
import {
  type AuditCheck,
  type AuditSeal,
  auditMails,
  auditSeals,
  auditChecks as checkTable,
  INSTALLATION,
} from '#worker/data/schema/audit';
import { outbox } from '#worker/data/schema/mail';
import type { Db } from '../db.ts';
import { selectValues } from '../sql.ts';
import { eventWrite, type NewEvent } from './events.ts';

/**
 * An account's last check, its newest seal, and whether this user receives the seal by email, in one round trip. With
 * `userId` null, there is no user.
 */
export async function findCheckState(
  db: Db,
  accountId: number,
  userId: number | null,
): Promise<{ check: AuditCheck | undefined; newest: AuditSeal | undefined; receivesMail: boolean }> {
  const [[check], [newest], mails = []] = await db.batch([
    db.select().from(checkTable).where(eq(checkTable.accountId, accountId)),
    db.select().from(auditSeals).where(eq(auditSeals.accountId, accountId)).orderBy(desc(auditSeals.fromSeq)).limit(1),
    // The installation has no such emails.
    ...(userId === null
      ? []
      : [
          db
            .select()
            .from(auditMails)
            .where(and(eq(auditMails.accountId, accountId), eq(auditMails.userId, userId))),
        ]),
  ]);
  return { check, newest, receivesMail: mails.length === 1 };
}

export const listDueChecks = (db: Db, now: number, limit: number): Promise<AuditCheck[]> =>
  db.select().from(checkTable).where(lte(checkTable.dueAt, now)).orderBy(asc(checkTable.dueAt)).limit(limit);

/** Save the progress or completion of a check; does nothing if another run has changed it since. */
export async function saveCheck(
  db: Db,
  check: AuditCheck,
  change: Partial<Omit<AuditCheck, 'accountId'>>,
): Promise<void> {
  await db
    .update(checkTable)
    .set(change)
    .where(
      and(
        eq(checkTable.accountId, check.accountId),
        eq(checkTable.reachedSeq, check.reachedSeq),
        eq(checkTable.dueAt, check.dueAt),
      ),
    );
}

/** The data from which a chain is recomputed, read in one round trip. `connectedAt`: UTC ms, 0 for the installation. */
export type ChainPart = { seals: SealRow[]; events: EventRow[]; connectedAt: number };

/** The first seals and events after `seq`, in order, with the fields that are hashed. */
export async function readChain(
  { $client: d1 }: Db,
  accountId: number,
  seq: number,
  max: { seals: number; events: number },
): Promise<ChainPart> {
  const [seals, events, accounts] = await d1.batch([
    d1
      .prepare('SELECT * FROM audit_seals WHERE account_id = ?1 AND from_seq > ?2 ORDER BY from_seq LIMIT ?3')
      .bind(accountId, seq, max.seals),
    d1
      .prepare(
        `SELECT ${EVENT_COLUMNS.join(', ')} FROM audit_events WHERE account_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
      )
      .bind(accountId, seq, max.events),
    ...(accountId === INSTALLATION
      ? []
      : [d1.prepare('SELECT connected_at FROM accounts WHERE account_id = ?1').bind(accountId)]),
  ]);
  const [account] = (accounts?.results ?? []) as { connected_at: number }[];
  return {
    seals: (seals?.results ?? []) as SealRow[],
    events: (events?.results ?? []) as EventRow[],
    connectedAt: account?.connected_at ?? 0,
  };
}

/** The hash of the seal that ends at `seq`; undefined if there is none. */
export async function findSealHash({ $client }: Db, accountId: number, seq: number): Promise<string | undefined> {
  const seal = await $client
    .prepare(
      'SELECT to_seq, hash FROM audit_seals WHERE account_id = ?1 AND from_seq <= ?2 ORDER BY from_seq DESC LIMIT 1',
    )
    .bind(accountId, seq)
    .first<{ to_seq: number; hash: string }>();
  return seal?.to_seq === seq ? seal.hash : undefined;
}

/**
 * Turn an administrator's weekly email on, from `nextAt` (UTC ms), or off (null). Writes no event if nothing changes.
 */
export async function setWeeklyMail(
  db: Db,
  { accountId, userId }: { accountId: number; userId: number },
  nextAt: number | null,
  event: NewEvent,
): Promise<void> {
  const belongsToUser = and(eq(auditMails.accountId, accountId), eq(auditMails.userId, userId));
  const change =
    nextAt === null
      ? db.delete(auditMails).where(belongsToUser)
      : db.insert(auditMails).values({ accountId, userId, nextAt }).onConflictDoNothing();
  await db.batch([change, eventWrite(db, event)]);
}

export type DueSealMail = { accountId: number; userId: number; nextAt: number; email: string };

/** Weekly emails wait while another email is overdue by more than this (ms), so that they never delay receipts. */
const OVERDUE_MS = 60_000;

/** Weekly emails that are due to administrators; none while any other email is overdue. */
export async function listDueSealMails({ $client }: Db, now: number, limit: number): Promise<DueSealMail[]> {
  const { results } = await $client
    .prepare(
      `SELECT m.account_id AS accountId, m.user_id AS userId, m.next_at AS nextAt, u.email AS email
FROM audit_mails m JOIN users u ON u.account_id = m.account_id AND u.user_id = m.user_id AND u.role = 'admin'
  AND u.removed_at IS NULL
WHERE m.next_at <= iif(EXISTS (SELECT 1 FROM outbox WHERE state = 'due' AND next_try_at <= ?2), 0, ?1)
ORDER BY m.next_at LIMIT ?3`,
    )
    .bind(now, now - OVERDUE_MS, limit)
    .all<DueSealMail>();
  return results;
}

/**
 * Queue a weekly email and save the next due time (UTC ms), in one transaction. Only one of several concurrent runs
 * queues it.
 */
export async function queueSealMail(
  db: Db,
  { accountId, userId, nextAt, email }: DueSealMail,
  { id, details, now, nextAt: next }: { id: string; details: Record<string, string>; now: number; nextAt: number },
): Promise<void> {
  const isStillDue = sql`EXISTS (SELECT 1 FROM audit_mails
    WHERE account_id = ${accountId} AND user_id = ${userId} AND next_at = ${nextAt})`;
  const mail = {
    id,
    kind: 'audit-seal' as const,
    recipient: email,
    accountId,
    details: JSON.stringify(details),
    nextTryAt: now,
    createdAt: now,
  };
  await db.batch([
    db
      .insert(outbox)
      .select(selectValues(outbox, mail, isStillDue))
      .onConflictDoNothing(),
    db
      .update(auditMails)
      .set({ nextAt: next })
      .where(and(eq(auditMails.accountId, accountId), eq(auditMails.userId, userId), eq(auditMails.nextAt, nextAt))),
  ]);
}
