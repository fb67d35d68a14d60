import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { eventStatement, eventWrite, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { contentSessions, contentSetup, contentUsers } from '#worker/data/schema/content-accounts';
import { endInvitationsOfNonOwners, endResets } from './invitations.ts';

export type ContentUserRow = typeof contentUsers.$inferSelect;

/** Users with this address, 20 at most. The account comes first, then its decoys. */
export const findUsersByEmail = (db: Db, email: string): Promise<ContentUserRow[]> =>
  db
    .select()
    .from(contentUsers)
    .where(eq(contentUsers.email, email))
    .orderBy(sql`${contentUsers.status} = 'decoy'`, desc(contentUsers.createdAt))
    .limit(20);

/**
 * Record a login, if the password has not changed since it was compared, so that a rehash never replaces a newer
 * password.
 */
export const recordLogin = (db: Db, { id, password }: ContentUserRow, now: number, rehashed = password) =>
  db
    .update(contentUsers)
    .set({ lastLoginAt: now, password: rehashed })
    .where(and(eq(contentUsers.id, id), eq(contentUsers.password, password)));

/** Delete the decoys of an address, because no login can be compared with them once its account has a new salt. */
export const deleteDecoys = (db: Db, email: string) =>
  db.delete(contentUsers).where(and(eq(contentUsers.email, email), eq(contentUsers.status, 'decoy')));

/**
 * Replace the compared password, and end open resets and all sessions of the account except `keptSessionId`. False if
 * the password has changed in the meantime.
 */
export async function setPassword(
  db: Db,
  { id, email, password }: Pick<ContentUserRow, 'id' | 'email' | 'password'>,
  { newPassword, keptSessionId }: { newPassword: string; keptSessionId: string },
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [changed] = await db.batch([
    db
      .update(contentUsers)
      .set({ password: newPassword })
      .where(and(eq(contentUsers.id, id), eq(contentUsers.password, password)))
      .returning({ id: contentUsers.id }),
    eventWrite(db, event),
    endResets(db, id, now),
    db
      .update(contentSessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(contentSessions.userId, id),
          ne(contentSessions.id, keptSessionId),
          isNull(contentSessions.revokedAt),
          sql`EXISTS (SELECT 1 FROM content_users WHERE id = ${id} AND password = ${newPassword})`,
        ),
      ),
    // Decoys have the salt of the old password, so no login can be compared with them.
    deleteDecoys(db, email),
  ]);
  return changed.length > 0;
}

/** Insert a registered user as `pending`, or as `decoy` if the address already has an account. Returns the status. */
export async function insertRegisteredUser(db: Db, user: ContentUserRow, event: NewEvent) {
  const [[inserted]] = await db.batch([
    db
      .insert(contentUsers)
      .values({
        ...user,
        status: sql`iif(EXISTS (SELECT 1 FROM content_users WHERE email = ${user.email} AND status <> 'decoy'), 'decoy', 'pending')`,
      })
      .returning({ status: contentUsers.status }),
    eventWrite(db, event),
  ]);
  return inserted;
}

/** Insert the first owner. False if the setup code was already used. */
export async function insertFirstOwner(
  { $client }: Db,
  { id, email, name, password }: Pick<ContentUserRow, 'id' | 'email' | 'name' | 'password'>,
  now: number,
  event: TextEvent,
): Promise<boolean> {
  const [claim] = await $client.batch([
    $client
      .prepare(
        'INSERT INTO content_setup (id, user_id, used_at) VALUES (1, ?1, ?2) ON CONFLICT DO NOTHING RETURNING id',
      )
      .bind(id, now),
    // The owner replaces pending users and decoys with this address.
    $client
      .prepare(
        `DELETE FROM content_users WHERE email = ?2 AND status <> 'active'
AND EXISTS (SELECT 1 FROM content_setup WHERE user_id = ?1)`,
      )
      .bind(id, email),
    $client
      .prepare(
        `INSERT INTO content_users (id, email, name, role, status, password, created_at)
SELECT ?1, ?2, ?3, 'owner', 'active', ?4, ?5 FROM content_setup WHERE user_id = ?1`,
      )
      .bind(id, email, name, password, now),
    eventStatement($client, event),
  ]);
  return (claim?.results.length ?? 0) > 0;
}

export const findSetup = (db: Db) => db.select().from(contentSetup).where(eq(contentSetup.id, 1)).get();

export const listUsers = (db: Db): Promise<ContentUserRow[]> =>
  db
    .select()
    .from(contentUsers)
    .where(ne(contentUsers.status, 'decoy'))
    .orderBy(desc(sql`${contentUsers.status} = 'pending'`), asc(contentUsers.createdAt));

export const findUser = (db: Db, id: string) =>
  db
    .select()
    .from(contentUsers)
    .where(and(eq(contentUsers.id, id), ne(contentUsers.status, 'decoy')))
    .get();

/** SQL: true if another active owner remains. It runs inside the statement, so that two owners cannot leave at once. */
const hasOtherOwner = (id: string) =>
  sql`EXISTS (SELECT 1 FROM content_users o WHERE o.id <> ${id} AND o.role = 'owner' AND o.status = 'active')`;

const rightsOf = (id: string) =>
  sql`(SELECT json_object('role', role, 'status', status) FROM content_users WHERE id = ${id})`;

export async function setRole(
  db: Db,
  id: string,
  role: ContentUserRow['role'],
  status: 'active' | 'pending',
  now: number,
  event: NewEvent,
) {
  const mayChange = and(
    eq(contentUsers.id, id),
    eq(contentUsers.status, status),
    sql`(${role} = 'owner' OR ${contentUsers.role} <> 'owner' OR ${contentUsers.status} = 'pending' OR ${hasOtherOwner(id)})`,
  );
  const [, [row]] = await db.batch([
    // Before the change, because it overwrites the old role.
    eventWrite(db, { ...event, before: rightsOf(id) }, sql`EXISTS (SELECT 1 FROM content_users WHERE ${mayChange})`),
    db.update(contentUsers).set({ role, status: 'active' }).where(mayChange).returning(),
    endInvitationsOfNonOwners(db, now),
  ]);
  return row;
}

/**
 * Delete an account with its sessions, drafts and decoys, and end its invitations. False if it is gone or is the last
 * owner.
 */
export async function deleteUser(
  db: Db,
  { id, email }: Pick<ContentUserRow, 'id' | 'email'>,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const mayDelete = and(
    eq(contentUsers.id, id),
    inArray(contentUsers.status, ['active', 'pending']),
    sql`(${contentUsers.role} <> 'owner' OR ${contentUsers.status} = 'pending' OR ${hasOtherOwner(id)})`,
  );
  const [, deleted] = await db.batch([
    eventWrite(db, { ...event, before: rightsOf(id) }, sql`EXISTS (SELECT 1 FROM content_users WHERE ${mayDelete})`),
    db.delete(contentUsers).where(mayDelete).returning({ id: contentUsers.id }),
    db
      .delete(contentUsers)
      .where(
        and(
          eq(contentUsers.email, email),
          eq(contentUsers.status, 'decoy'),
          sql`NOT EXISTS (SELECT 1 FROM content_users a WHERE a.email = ${email} AND a.status <> 'decoy')`,
        ),
      ),
    endInvitationsOfNonOwners(db, now),
  ]);
  return deleted.length > 0;
}
