import { and, eq, type SQL, sql } from 'drizzle-orm';
import { accounts, crmSyncs, crmTokens, staffInvitations, syncCursors, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { StaffInvitationRow } from './team.ts';

/** The people of a clinic, as identified by the CRM and by invitations. */

/** A person as identified at login by the CRM, which has verified the address. */
export type CrmPerson = { accountId: number; crmUserId: number; email: string };

/** Condition: the user has this CRM user id. */
const isCrmUser = ({ accountId, crmUserId }: CrmPerson) =>
  and(eq(users.accountId, accountId), eq(users.crmUserId, crmUserId));

/** SQL: a column of the open invitation to this address; NULL if there is none. */
const invitationColumn = (column: 'id' | 'name' | 'role', { accountId, email }: CrmPerson, now: number): SQL =>
  sql`(SELECT ${sql.raw(column)} FROM invitations WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
    AND ended_at IS NULL AND ends_at > ${now} AND ${email} <> '' LIMIT 1)`;

/** SQL: our id of a CRM user; NULL if there is none yet. */
const userIdOf = ({ accountId, crmUserId }: CrmPerson): SQL =>
  sql`(SELECT user_id FROM users WHERE account_id = ${accountId} AND crm_user_id = ${crmUserId})`;

/** SQL: our id of a CRM user as text, for the actor of an event; empty if there is none yet. */
export const actorOf = (person: CrmPerson): SQL => sql`coalesce(CAST(${userIdOf(person)} AS TEXT), '')`;

/** SQL: a person with this address who has never logged in through the CRM; removed people come last. */
const userWithoutCrm = ({ accountId, email }: CrmPerson): SQL =>
  sql`(SELECT user_id FROM users WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
    AND crm_user_id IS NULL AND ${email} <> '' ORDER BY removed_at IS NOT NULL, user_id LIMIT 1)`;

export type LoginFacts = {
  name: string | undefined;
  isExcluded: boolean;
  invitation: Pick<StaffInvitationRow, 'id' | 'role'> | undefined;
};

/**
 * The facts known before a login through the CRM writes anything: the account's name, an open invitation to the person,
 * and whether the person was removed and not invited again.
 */
export async function findLoginFacts(db: Db, person: CrmPerson, now: number): Promise<LoginFacts> {
  const { accountId } = person;
  const [[account], [invitation], [user]] = await db.batch([
    db.select({ name: accounts.name }).from(accounts).where(eq(accounts.accountId, accountId)),
    db
      .select({ id: staffInvitations.id, role: staffInvitations.role })
      .from(staffInvitations)
      .where(sql`id = ${invitationColumn('id', person, now)}`),
    db
      .select({ removedAt: users.removedAt })
      .from(users)
      .where(
        and(
          eq(users.accountId, accountId),
          eq(users.userId, sql`coalesce(${userIdOf(person)}, ${userWithoutCrm(person)})`),
        ),
      ),
  ]);
  const isRemoved = user !== undefined && user.removedAt !== null;
  return { name: account?.name, isExcluded: isRemoved && !invitation, invitation };
}

/**
 * Statements for the batch of a login through the CRM. The person is found by CRM user id, or else by the address of a
 * user who has never logged in through the CRM. Otherwise one is created; the first of an account becomes its
 * unconfirmed administrator. An open invitation to the address assigns its role, even to a removed person; `joinEvent`
 * is the event for that.
 */
export const crmPersonWrites = (db: Db, person: CrmPerson, now: number, joinEvent: NewEvent) => {
  const { accountId, crmUserId, email } = person;
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId})`;
  return [
    db
      .update(users)
      .set({ crmUserId })
      .where(
        and(eq(users.accountId, accountId), eq(users.userId, userWithoutCrm(person)), sql`${userIdOf(person)} IS NULL`),
      ),
    db
      .update(users)
      .set({ removedAt: null, isConfirmed: true, role: sql`${invitationColumn('role', person, now)}` })
      .where(
        and(isCrmUser(person), sql`removed_at IS NOT NULL AND ${invitationColumn('id', person, now)} IS NOT NULL`),
      ),
    db
      .insert(users)
      .select(
        sql`SELECT ${accountId}, 1 + coalesce((SELECT max(user_id) FROM users WHERE account_id = ${accountId}), 0), ${email},
          ${now}, ${crmUserId}, coalesce(${invitationColumn('name', person, now)}, ''),
          coalesce(${invitationColumn('role', person, now)}, iif(${isFirst}, 'admin', 'desk')), NOT (${isFirst}), NULL WHERE true`,
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
      .where(sql`id = ${invitationColumn('id', person, now)}`),
    eventWrite(db, { ...joinEvent, actorId: actorOf(person) }),
  ] as const;
};

export type NewAccount = Omit<typeof accounts.$inferInsert, 'connectedAt' | 'accountId'> & { accountId: number };
/** Tokens as stored, sealed. */
export type NewGrant = Pick<typeof crmTokens.$inferInsert, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'>;

/**
 * The id is omitted from updates, because setting it, even to the same value, makes SQLite check every row that
 * references it.
 */
const accountWrite = (db: Db, { accountId, ...columns }: NewAccount, now: number) =>
  db
    .insert(accounts)
    .values({ accountId, ...columns, connectedAt: now })
    .onConflictDoUpdate({ target: accounts.accountId, set: columns });

/**
 * SQL: true if a login's grant replaces the account's grant, because there is none, it was revoked, or the new one has
 * all its scopes. Otherwise the account keeps the wider grant, so that the login of a colleague with fewer permissions
 * does not reduce it for everyone.
 */
const replacesGrant = (accountId: number, scopes: string) => sql`NOT EXISTS (SELECT 1 FROM crm_tokens,
    json_each('["' || replace(scopes, ' ', '","') || '"]') AS had WHERE account_id = ${accountId} AND revoked_at IS NULL
    AND instr(${` ${scopes} `}, ' ' || had.value || ' ') = 0 AND had.value <> '')`;

/** SQL: true if the account already has a grant with all of these scopes. Then a login adds no connection event. */
const hasGrant = (accountId: number, scopes: string) => sql`EXISTS (SELECT 1 FROM crm_tokens
    WHERE account_id = ${accountId} AND revoked_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM json_each('["' || replace(${scopes}, ' ', '","') || '"]') AS given
        WHERE instr(' ' || crm_tokens.scopes || ' ', ' ' || given.value || ' ') = 0))`;

/** A new grant increases the version, which invalidates a refresh in progress. */
function grantWrites(db: Db, { accountId }: NewAccount, grant: NewGrant, event: Parameters<typeof eventWrite>[1]) {
  const grantColumns = { ...grant, revokedAt: null, leaseUntil: 0 };
  const isReplacement = replacesGrant(accountId, grant.scopes);
  const before = sql`coalesce((SELECT json_object('scopes', scopes, 'revokedAt', revoked_at) FROM crm_tokens
    WHERE account_id = ${accountId}), '')`;
  return [
    eventWrite(db, { ...event, before }, sql`${isReplacement} AND NOT ${hasGrant(accountId, grant.scopes)}`),
    db
      .insert(crmTokens)
      .values({ accountId, ...grantColumns })
      .onConflictDoUpdate({
        target: crmTokens.accountId,
        set: { ...grantColumns, version: sql`${crmTokens.version} + 1` },
        setWhere: isReplacement,
      }),
    // A new grant ends any wait.
    db
      .insert(crmSyncs)
      .values({ accountId })
      .onConflictDoUpdate({ target: crmSyncs.accountId, set: { waitUntil: 0, dueAt: 0 } }),
    db
      .insert(syncCursors)
      .values((['companies', 'contacts', 'invoices'] as const).map((kind) => ({ accountId, kind })))
      .onConflictDoNothing(),
  ] as const;
}

/** Save a CRM account and its grant. */
export async function saveAccount(
  db: Db,
  account: NewAccount,
  grant: NewGrant,
  now: number,
  event: NewEvent,
): Promise<void> {
  await db.batch([accountWrite(db, account, now), ...grantWrites(db, account, grant, event)]);
}

/**
 * Save a CRM account, its grant and the person who logged in. Returns our user id, or null for a removed person.
 * `joinEvent`: the event if the login accepts an invitation.
 */
export async function saveLogin(
  db: Db,
  account: NewAccount,
  grant: NewGrant,
  now: number,
  event: NewEvent,
  person: CrmPerson,
  joinEvent: NewEvent,
): Promise<number | null> {
  const eventWithActor = { ...event, actorId: actorOf(person) };
  const [, , , [user]] = await db.batch([
    accountWrite(db, account, now),
    ...crmPersonWrites(db, person, now, joinEvent),
    ...grantWrites(db, account, grant, eventWithActor),
  ]);
  return user && user.removedAt === null ? user.userId : null;
}

export const findAccount = (db: Db, accountId: number) =>
  db.query.accounts.findFirst({ where: eq(accounts.accountId, accountId) });
