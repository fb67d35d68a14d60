import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { eventStatement, eventWrite, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { contentInvitations, contentResets, type contentUsers } from '#worker/data/schema/content-accounts';

/** Links that verify an address: invitations and password resets. */

type NewUser = Pick<typeof contentUsers.$inferSelect, 'id' | 'name' | 'password'>;

export type InvitationRow = typeof contentInvitations.$inferSelect;

const isOpenInvitation = (now: number) => and(isNull(contentInvitations.endedAt), gt(contentInvitations.endsAt, now));

/**
 * End the invitations sent by users who are no longer owners. Runs in the batch that demotes or removes them. Otherwise
 * a removed owner could return through an invitation to an address of their own.
 */
export const endInvitationsOfNonOwners = (db: Db, now: number) =>
  db
    .update(contentInvitations)
    .set({ endedAt: now })
    .where(sql`ended_at IS NULL AND inviter_id NOT IN (SELECT id FROM content_users WHERE role = 'owner')`);

/** Statements for a batch: insert an invitation, and end an earlier one to the same address. */
export const replaceInvitation = (db: Db, row: typeof contentInvitations.$inferInsert, event: NewEvent) =>
  [
    db
      .update(contentInvitations)
      .set({ endedAt: row.createdAt })
      .where(and(eq(contentInvitations.email, row.email), isNull(contentInvitations.endedAt))),
    db.insert(contentInvitations).values(row),
    eventWrite(db, event),
    endInvitationsOfNonOwners(db, row.createdAt),
  ] as const;

export const findInvitation = (db: Db, tokenHash: string, now: number) =>
  db
    .select()
    .from(contentInvitations)
    .where(and(eq(contentInvitations.tokenHash, tokenHash), isOpenInvitation(now)))
    .get();

export const listInvitations = (db: Db, now: number): Promise<InvitationRow[]> =>
  db.select().from(contentInvitations).where(isOpenInvitation(now)).orderBy(desc(contentInvitations.createdAt));

export async function endInvitation(db: Db, id: string, now: number, event: NewEvent): Promise<boolean> {
  const [rows] = await db.batch([
    db
      .update(contentInvitations)
      .set({ endedAt: now })
      .where(and(eq(contentInvitations.id, id), isOpenInvitation(now)))
      .returning({ id: contentInvitations.id }),
    eventWrite(db, event),
  ]);
  return rows.length > 0;
}

/**
 * Redeem an invitation and create its account, in one transaction; a concurrent second use creates nothing. A pending
 * user with that address is replaced, because only the invitation verifies the address.
 */
export async function redeemInvitation(
  { $client }: Db,
  tokenHash: string,
  { id, name, password }: NewUser,
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const invitation = `SELECT email, role FROM content_invitations WHERE token_hash = ?1 AND ended_at IS NULL AND ends_at > ?2`;
  const [, created] = await $client.batch([
    $client
      .prepare(
        `DELETE FROM content_users WHERE status <> 'active' AND email = (SELECT email FROM (${invitation}))
AND NOT EXISTS (SELECT 1 FROM content_users a WHERE a.status = 'active' AND a.email = content_users.email)`,
      )
      .bind(tokenHash, now),
    $client
      .prepare(
        `INSERT INTO content_users (id, email, name, role, status, password, created_at)
SELECT ?3, i.email, ?4, i.role, 'active', ?5, ?2 FROM (${invitation}) i WHERE true ON CONFLICT DO NOTHING RETURNING id`,
      )
      .bind(tokenHash, now, id, name, password),
    eventStatement($client, event),
    $client
      .prepare('UPDATE content_invitations SET ended_at = ?2 WHERE token_hash = ?1 AND ended_at IS NULL')
      .bind(tokenHash, now),
  ]);
  return (created?.results.length ?? 0) > 0;
}

export const insertReset = (db: Db, row: typeof contentResets.$inferInsert) => db.insert(contentResets).values(row);

/**
 * End the open resets of a user, if the previous statement of the batch changed a row, because a mailed link must not
 * undo a newer password, passkey or recovery code.
 */
export const endResets = (db: Db, userId: string, now: number) =>
  db
    .update(contentResets)
    .set({ usedAt: now })
    .where(and(eq(contentResets.userId, userId), isNull(contentResets.usedAt), sql`changes() > 0`));

/** Selects the user of an open reset; ?1: the token's hash, ?2: the time (UTC ms). */
const RESET_USER = 'SELECT user_id FROM content_resets WHERE token_hash = ?1 AND used_at IS NULL AND ends_at > ?2';

/** The user who may set a new password. Null if the reset was used or has expired. */
export const findResetUser = ({ $client }: Db, tokenHash: string, now: number) =>
  $client
    .prepare(`SELECT id, email, name FROM content_users WHERE id = (${RESET_USER})`)
    .bind(tokenHash, now)
    .first<{ id: string; email: string; name: string }>();

/** Redeem a reset: set the password, and end all sessions and other resets. False if it was used or has expired. */
export async function redeemReset(
  { $client }: Db,
  tokenHash: string,
  password: string,
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const [changed] = await $client.batch([
    $client
      .prepare(`UPDATE content_users SET password = ?3 WHERE id = (${RESET_USER}) AND status <> 'decoy' RETURNING id`)
      .bind(tokenHash, now, password),
    eventStatement($client, event),
    $client
      .prepare(
        `DELETE FROM content_users WHERE status = 'decoy' AND email = (SELECT email FROM content_users WHERE id = (${RESET_USER}))`,
      )
      .bind(tokenHash, now),
    $client
      .prepare(`UPDATE content_sessions SET revoked_at = ?2 WHERE revoked_at IS NULL AND user_id = (${RESET_USER})`)
      .bind(tokenHash, now),
    $client.prepare(`UPDATE content_resets SET used_at = ?2 WHERE user_id = (${RESET_USER})`).bind(tokenHash, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}
