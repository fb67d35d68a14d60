import { and, eq, type SQL, sql } from 'drizzle-orm';
import { accounts, staffInvitations, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { StaffInvitationRow } from './team.ts';

/** Who comes in: the people of a clinic, as the CRM and invitations name them. */

/** A person as the CRM names one who logs in; it has verified the address. */
export type CrmPerson = { accountId: number; crmUserId: number; email: string };

/** Condition on a user: the CRM's own person. */
const isOfCrm = ({ accountId, crmUserId }: CrmPerson) =>
  and(eq(users.accountId, accountId), eq(users.crmUserId, crmUserId));

/** SQL: a column of the open invitation to this address, NULL where there is none. */
const invited = (column: 'id' | 'name' | 'role', { accountId, email }: CrmPerson, now: number): SQL =>
  sql`(SELECT ${sql.raw(column)} FROM invitations WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
    AND ended_at IS NULL AND ends_at > ${now} AND ${email} <> '' LIMIT 1)`;

/** SQL: our number of the CRM's person, NULL where there is none yet. */
const userIdOf = ({ accountId, crmUserId }: CrmPerson): SQL =>
  sql`(SELECT user_id FROM users WHERE account_id = ${accountId} AND crm_user_id = ${crmUserId})`;

/** SQL: the same as the actor of an event. */
export const actorOf = (person: CrmPerson): SQL => sql`coalesce(CAST(${userIdOf(person)} AS TEXT), '')`;

/** SQL: a person with this address who never came through the CRM; one who was removed comes last. */
const withoutCrm = ({ accountId, email }: CrmPerson): SQL =>
  sql`(SELECT user_id FROM users WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
    AND crm_user_id IS NULL AND ${email} <> '' ORDER BY removed_at IS NOT NULL, user_id LIMIT 1)`;

export type Known = {
  name: string | undefined;
  isOut: boolean;
  invitation: Pick<StaffInvitationRow, 'id' | 'role'> | undefined;
};

/**
 * What is known before a login through the CRM writes anything: the account's name, an open invitation to its person,
 * and whether that person was removed and not invited again since.
 */
export async function findKnown(db: Db, person: CrmPerson, now: number): Promise<Known> {
  const { accountId } = person;
  const [[account], [invitation], [user]] = await db.batch([
    db.select({ name: accounts.name }).from(accounts).where(eq(accounts.accountId, accountId)),
    db
      .select({ id: staffInvitations.id, role: staffInvitations.role })
      .from(staffInvitations)
      .where(sql`id = ${invited('id', person, now)}`),
    db
      .select({ removedAt: users.removedAt })
      .from(users)
      .where(
        and(
          eq(users.accountId, accountId),
          eq(users.userId, sql`coalesce(${userIdOf(person)}, ${withoutCrm(person)})`),
        ),
      ),
  ]);
  const isRemoved = user !== undefined && user.removedAt !== null;
  return { name: account?.name, isOut: isRemoved && !invitation, invitation };
}

/**
 * Statements for the batch of a login through the CRM. It finds its person by the CRM's number, else by the address of
 * one who never came through the CRM, else it makes one: the first of an account is its administrator, unconfirmed.
 * An open invitation to the address gives its role, also to one who was removed; `joined` is the event of that.
 */
export const crmPersonWrites = (db: Db, person: CrmPerson, now: number, joined: NewEvent) => {
  const { accountId, crmUserId, email } = person;
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId})`;
  return [
    db
      .update(users)
      .set({ crmUserId })
      .where(
        and(eq(users.accountId, accountId), eq(users.userId, withoutCrm(person)), sql`${userIdOf(person)} IS NULL`),
      ),
    db
      .update(users)
      .set({ removedAt: null, isConfirmed: true, role: sql`${invited('role', person, now)}` })
      .where(and(isOfCrm(person), sql`removed_at IS NOT NULL AND ${invited('id', person, now)} IS NOT NULL`)),
    db
      .insert(users)
      .select(
        sql`SELECT ${accountId}, 1 + coalesce((SELECT max(user_id) FROM users WHERE account_id = ${accountId}), 0), ${email},
          ${now}, ${crmUserId}, coalesce(${invited('name', person, now)}, ''),
          coalesce(${invited('role', person, now)}, iif(${isFirst}, 'admin', 'desk')), NOT (${isFirst}), NULL WHERE true`,
      )
      .onConflictDoUpdate({
        target: [users.accountId, users.crmUserId],
        targetWhere: sql`crm_user_id IS NOT NULL`,
        set: { email },
      })
      .returning({ userId: users.userId, removedAt: users.removedAt }),
    db
      .update(staffInvitations)
      .set({ endedAt: now })
      .where(sql`id = ${invited('id', person, now)}`),
    eventWrite(db, { ...joined, actorId: actorOf(person) }),
  ] as const;
};
