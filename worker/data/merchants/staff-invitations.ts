import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { StaffRole } from '#shared/contracts/staff/team-values';
import { accounts, outbox, staffInvitations, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import { businessNameIn } from '../business-name.ts';
import type { Db } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { selectValues } from '../sql.ts';
import { isAdministrator, isOpenInvitation, type Member, type StaffInvitationRow } from './team.ts';

/** Check whether a member has this address, and count the account's open invitations, in one statement. */
export async function checkInvitee(db: Db, accountId: number, email: string, now: number) {
  const row = await db.get<{ is_member: number; open: number }>(sql`SELECT
    EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
      AND removed_at IS NULL) AS is_member,
    (SELECT count(*) FROM invitations WHERE account_id = ${accountId} AND ended_at IS NULL AND ends_at > ${now}) AS open`);
  return { isMember: row.is_member === 1, open: row.open };
}

/**
 * Store an invitation and queue its email; ends an earlier one to the same address. False if the requester is no longer
 * an administrator.
 */
export async function insertInvitation(
  db: Db,
  requester: Member | null,
  row: StaffInvitationRow,
  { details = {}, ...mail }: NewMail,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, email, createdAt } = row;
  const isAllowed = isAdministrator(requester);
  const mailRow = { ...mail, details: JSON.stringify(details), nextTryAt: createdAt, createdAt };
  const [, inserted] = await db.batch([
    db
      .update(staffInvitations)
      .set({ endedAt: createdAt })
      .where(
        and(
          eq(staffInvitations.accountId, accountId),
          sql`email = ${email} COLLATE NOCASE`,
          isNull(staffInvitations.endedAt),
          isAllowed,
        ),
      ),
    db
      .insert(staffInvitations)
      .select(selectValues(staffInvitations, row, isAllowed))
      .returning({ id: staffInvitations.id }),
    eventWrite(db, event),
    db
      .insert(outbox)
      .select(selectValues(outbox, mailRow, sql`EXISTS (SELECT 1 FROM invitations WHERE id = ${row.id})`)),
  ]);
  return inserted.length === 1;
}

/** Withdraw an open invitation. False if there is none, or if the requester is no longer an administrator. */
export async function endInvitation(
  db: Db,
  requester: Member,
  id: string,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const [ended] = await db.batch([
    db
      .update(staffInvitations)
      .set({ endedAt: now })
      .where(
        and(
          eq(staffInvitations.id, id),
          eq(staffInvitations.accountId, requester.accountId),
          isOpenInvitation(now),
          isAdministrator(requester),
        ),
      )
      .returning({ id: staffInvitations.id }),
    eventWrite(db, event),
  ]);
  return ended.length === 1;
}

export type OpenInvitation = {
  id: string;
  accountId: number;
  business: string;
  email: string;
  name: string;
  role: StaffRole;
  /** Name or address; empty for the operator, and for a person who was removed in the meantime. */
  invitedBy: string;
  endsAt: number;
};

/** The open invitation with this secret, with the names of the business and the sender. */
export async function findOpenInvitation(db: Db, secretHash: string, now: number): Promise<OpenInvitation | undefined> {
  const [row] = await db
    .select({
      id: staffInvitations.id,
      accountId: staffInvitations.accountId,
      business: sql<string>`${sql.raw(businessNameIn('accounts'))}`,
      email: staffInvitations.email,
      name: staffInvitations.name,
      role: staffInvitations.role,
      invitedBy: sql<string>`coalesce(nullif(${users.name}, ''), ${users.email}, '')`,
      endsAt: staffInvitations.endsAt,
    })
    .from(staffInvitations)
    .innerJoin(accounts, eq(accounts.accountId, staffInvitations.accountId))
    .leftJoin(
      users,
      and(
        eq(users.accountId, staffInvitations.accountId),
        eq(users.userId, staffInvitations.invitedBy),
        isNull(users.removedAt),
      ),
    )
    .where(and(eq(staffInvitations.secretHash, secretHash), isOpenInvitation(now)));
  return row;
}

/**
 * Redeem an invitation and make the invited person a member, even if they were removed before. Returns our user id.
 * Null if it has been used, withdrawn or has expired in the meantime; then nothing is written, not even `event`.
 */
export async function acceptInvitation(
  db: Db,
  { id, accountId, email, name, role }: OpenInvitation,
  now: number,
  event: NewEvent,
): Promise<number | null> {
  const isStillOpen = sql`EXISTS (SELECT 1 FROM invitations WHERE id = ${id} AND ended_at IS NULL AND ends_at > ${now})`;
  const existingUserId: SQL = sql`(SELECT user_id FROM users WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
    ORDER BY removed_at IS NOT NULL, user_id LIMIT 1)`;
  const [, , redeemed, , [member]] = await db.batch([
    db
      .update(users)
      .set({ role, isConfirmed: true, removedAt: null, ...(name === '' ? {} : { name }) })
      .where(and(eq(users.accountId, accountId), sql`user_id = ${existingUserId}`, isStillOpen)),
    db.insert(users).select(
      sql`SELECT ${accountId}, 1 + coalesce((SELECT max(user_id) FROM users WHERE account_id = ${accountId}), 0), ${email},
          ${now}, NULL, ${name}, ${role}, 1, NULL WHERE ${existingUserId} IS NULL AND ${isStillOpen}`,
    ),
    db
      .update(staffInvitations)
      .set({ endedAt: now })
      .where(and(eq(staffInvitations.id, id), isOpenInvitation(now)))
      .returning({ id: staffInvitations.id }),
    eventWrite(db, { ...event, actorId: sql`coalesce(CAST(${existingUserId} AS TEXT), '')` }),
    db
      .select({ userId: users.userId })
      .from(users)
      .where(and(eq(users.accountId, accountId), sql`user_id = ${existingUserId}`)),
  ]);
  return redeemed.length === 1 ? (member?.userId ?? null) : null;
}
