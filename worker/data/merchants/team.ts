import { and, asc, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { type StaffRole, SUPPORT_USER } from '#shared/contracts/staff/team-values';
import { approvals, pins, staffPasskeys } from '#worker/data/schema/proofs';
import { accounts, outbox, sessions, staffInvitations, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import { type Db, unindexed } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { mayRefund } from '../refunds/allowance.ts';
import { selectValues } from '../sql.ts';

export type MemberRow = typeof users.$inferSelect;
export type StaffInvitationRow = typeof staffInvitations.$inferSelect;
/** One person of an account. */
export type Member = { accountId: number; userId: number };

/** Higher than the number of people in any clinic. */
const MAX_ROWS = 500;

const isCurrentMember = ({ accountId, userId }: Member) =>
  and(
    eq(users.accountId, accountId),
    eq(users.userId, userId),
    gt(users.userId, SUPPORT_USER),
    isNull(users.removedAt),
  );

/** Condition: this person is an administrator now. Null means the operator, who is always allowed. */
export const isAdministrator = (requester: Member | null): SQL =>
  requester === null
    ? sql`1`
    : sql`EXISTS (SELECT 1 FROM users WHERE account_id = ${requester.accountId} AND user_id = ${requester.userId} AND role = 'admin'
        AND removed_at IS NULL)`;

/** Condition on a user's row: this user is not the account's last administrator. */
const isNotLastAdmin = ({ accountId, userId }: Member): SQL =>
  sql`(role <> 'admin' OR EXISTS (SELECT 1 FROM users o WHERE o.account_id = ${accountId} AND o.user_id <> ${userId}
    AND o.role = 'admin' AND o.removed_at IS NULL))`;

/** Condition on an invitation: it can still be accepted. */
export const isOpenInvitation = (now: number) =>
  and(isNull(staffInvitations.endedAt), gt(staffInvitations.endsAt, now));

/** SQL: true if a person has a passkey or a PIN. */
const hasFactor = sql<number>`(EXISTS (SELECT 1 FROM staff_passkeys f WHERE f.account_id = users.account_id
    AND f.user_id = users.user_id) OR EXISTS (SELECT 1 FROM pins f WHERE f.account_id = users.account_id
    AND f.user_id = users.user_id))`;
const memberColumns = { ...getTableColumns(users), hasFactor };

/** A member; `hasFactor`: has a passkey or a PIN. */
export type TeamMember = MemberRow & { hasFactor: boolean };
const toMember = (row: MemberRow & { hasFactor: number }): TeamMember => ({ ...row, hasFactor: row.hasFactor === 1 });

/** All members and open invitations, and the amount that managers may refund (cents), in one round trip. */
export async function readTeam(db: Db, accountId: number, now: number) {
  const [members, invitations, [account]] = await db.batch([
    db
      .select(memberColumns)
      .from(users)
      .where(and(eq(users.accountId, accountId), gt(users.userId, SUPPORT_USER), isNull(users.removedAt)))
      .orderBy(asc(users.userId))
      .limit(MAX_ROWS),
    db
      .select()
      .from(staffInvitations)
      .where(and(eq(staffInvitations.accountId, accountId), isOpenInvitation(now)))
      .orderBy(desc(staffInvitations.createdAt))
      .limit(MAX_ROWS),
    db
      .select({ refundLimitCents: accounts.refundLimitCents, secondPersonCents: accounts.secondPersonCents })
      .from(accounts)
      .where(eq(accounts.accountId, accountId)),
  ]);
  const { refundLimitCents = null, secondPersonCents = null } = account ?? {};
  return { members: members.map(toMember), invitations, refundLimitCents, secondPersonCents };
}

export async function findMember(db: Db, member: Member): Promise<MemberRow | undefined> {
  const [row] = await db.select().from(users).where(isCurrentMember(member));
  return row;
}

/** The member with this address, ignoring case; the first if several have it. */
export async function findMemberByEmail(db: Db, accountId: number, email: string): Promise<MemberRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.accountId, accountId), sql`email = ${email} COLLATE NOCASE`, isNull(users.removedAt)))
    .orderBy(asc(unindexed(users.userId)))
    .limit(1);
  return row;
}

/**
 * End the invitations sent by people who are no longer administrators. Runs in the batch that demotes or removes them.
 * Otherwise they could return, or stay administrators, through an invitation to an address of their own.
 */
const endInvitationsOfNonAdmins = (db: Db, accountId: number, now: number) =>
  db
    .update(staffInvitations)
    .set({ endedAt: now })
    .where(
      and(
        eq(staffInvitations.accountId, accountId),
        sql`ended_at IS NULL AND invited_by IS NOT NULL AND invited_by NOT IN (SELECT user_id FROM users
          WHERE account_id = ${accountId} AND role = 'admin' AND removed_at IS NULL)`,
      ),
    );

/**
 * End waiting refunds requested by people who may no longer refund. Runs in the batch that demotes or removes them.
 * Otherwise such a refund could be made once they return, and would block other requests until then.
 */
const endApprovalsOfNonRefunders = (db: Db, accountId: number) =>
  db
    .update(approvals)
    .set({ state: 'ended', nextTryAt: null })
    .where(
      sql`id IN (SELECT w.id FROM approvals w INDEXED BY approvals_waiting
        WHERE w.account_id = ${accountId} AND w.state = 'waiting' AND NOT ${mayRefund(accountId, sql`w.requested_by`)})`,
    );

const previousStateOf = ({ accountId, userId }: Member): SQL =>
  sql`(SELECT json_object('role', role, 'confirmed', iif(is_confirmed, json('true'), json('false'))) FROM users
    WHERE account_id = ${accountId} AND user_id = ${userId})`;

export type MemberChange = { role?: StaffRole; name?: string; isConfirmed?: true };

/**
 * Change a member, in one statement that also checks that the requester is still allowed to do so and that an
 * administrator remains. If two people demote each other at the same time, one succeeds. Undefined if a check fails, or
 * if there is no such member.
 */
export async function changeMember(
  db: Db,
  requester: Member | null,
  member: Member,
  change: MemberChange,
  now: number,
  event: NewEvent,
): Promise<TeamMember | undefined> {
  const keepsAdmin = change.role === undefined || change.role === 'admin' ? sql`1` : isNotLastAdmin(member);
  const isAllowed = and(isCurrentMember(member), isAdministrator(requester), keepsAdmin);
  const [, [changed]] = await db.batch([
    eventWrite(db, { ...event, before: previousStateOf(member) }, sql`EXISTS (SELECT 1 FROM users WHERE ${isAllowed})`),
    db.update(users).set(change).where(isAllowed).returning(memberColumns),
    endInvitationsOfNonAdmins(db, member.accountId, now),
    endApprovalsOfNonRefunders(db, member.accountId),
  ]);
  return changed && toMember(changed);
}

/**
 * Deletes the passkeys and PIN of a removed person in the same batch, so that a later invitation does not bring them
 * back.
 */
const factorDeletes = (db: Db, { accountId, userId }: Member) => {
  const isGone = sql`account_id = ${accountId} AND user_id = ${userId} AND EXISTS (SELECT 1 FROM users u
    WHERE u.account_id = ${accountId} AND u.user_id = ${userId} AND u.removed_at IS NOT NULL)`;
  return [db.delete(staffPasskeys).where(isGone), db.delete(pins).where(isGone)] as const;
};

/**
 * Remove a member with their sessions, passkeys and PIN, and queue an email to them. False if the requester is no
 * longer an administrator, if this is the last administrator, or if there is no such member.
 */
export async function removeMember(
  db: Db,
  requester: Member,
  member: Member,
  mail: Omit<NewMail, 'recipient' | 'details'>,
  now: number,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, userId } = member;
  const isAllowed = and(isCurrentMember(member), isAdministrator(requester), isNotLastAdmin(member));
  const fromUser = sql`FROM users WHERE account_id = ${accountId} AND user_id = ${userId}`;
  const mayMail = sql`changes() = 1 AND EXISTS (SELECT 1 ${fromUser} AND email <> '')`;
  const mailRow = { ...mail, recipient: sql`(SELECT email ${fromUser})`, nextTryAt: now, createdAt: now };
  const [, removed] = await db.batch([
    eventWrite(db, { ...event, before: previousStateOf(member) }, sql`EXISTS (SELECT 1 FROM users WHERE ${isAllowed})`),
    db.update(users).set({ removedAt: now }).where(isAllowed).returning({ userId: users.userId }),
    db.insert(outbox).select(selectValues(outbox, mailRow, mayMail)),
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(sessions.accountId, accountId),
          eq(sessions.userId, userId),
          isNull(sessions.revokedAt),
          sql`EXISTS (SELECT 1 ${fromUser} AND removed_at IS NOT NULL)`,
        ),
      ),
    endInvitationsOfNonAdmins(db, accountId, now),
    endApprovalsOfNonRefunders(db, accountId),
    ...factorDeletes(db, member),
  ]);
  return removed.length === 1;
}

/** End all sessions of a member. Null if there is no such member, or the requester is no longer an administrator. */
export async function endMemberSessions(
  db: Db,
  by: Member,
  member: Member,
  now: number,
  event: NewEvent,
): Promise<number | null> {
  const isAllowed = sql`EXISTS (SELECT 1 FROM users WHERE ${and(isCurrentMember(member), isAdministrator(by))})`;
  const [[row], , ended] = await db.batch([
    db
      .select({ isAllowed: sql<number>`${isAllowed}` })
      .from(users)
      .where(isCurrentMember(by)),
    eventWrite(db, event, isAllowed),
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(sessions.accountId, member.accountId),
          eq(sessions.userId, member.userId),
          isNull(sessions.revokedAt),
          gt(sessions.endsAt, now),
          isAllowed,
        ),
      )
      .returning({ id: sessions.id }),
  ]);
  return row?.isAllowed === 1 ? ended.length : null;
}

const LIMIT_COLUMNS = { refundLimitCents: 'refund_limit_cents', secondPersonCents: 'second_person_cents' } as const;

/** Set a limit of the account (cents; null: no limit). False if the requester is no longer an administrator. */
export async function saveRefundLimit(
  db: Db,
  by: Member,
  limit: keyof typeof LIMIT_COLUMNS,
  cents: number | null,
  event: NewEvent,
): Promise<boolean> {
  const isAccount = eq(accounts.accountId, by.accountId);
  const isAllowed = and(isAccount, isAdministrator(by));
  const before = sql`(SELECT json_object('cents', ${sql.raw(LIMIT_COLUMNS[limit])}) FROM accounts WHERE ${isAccount})`;
  const [, saved] = await db.batch([
    eventWrite(db, { ...event, before }, sql`EXISTS (SELECT 1 FROM accounts WHERE ${isAllowed})`),
    db
      .update(accounts)
      .set({ [limit]: cents })
      .where(isAllowed)
      .returning({ accountId: accounts.accountId }),
  ]);
  return saved.length === 1;
}
