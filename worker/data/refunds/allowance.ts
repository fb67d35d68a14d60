import { type SQL, sql } from 'drizzle-orm';
import { rolesWith } from '#shared/contracts/staff/team-values';
import type { Db } from '../db.ts';

type Person = { accountId: number; userId: number };

/** The person whose reversals are limited, and the start of the period that counts (UTC ms). */
export type ReversalLimit = Person & { since: number };

/** SQL: cents that this manager may still refund; NULL if the account's managers may refund nothing. */
const left = ({ accountId, userId }: Person, since: number): SQL =>
  sql`(SELECT refund_limit_cents - coalesce((SELECT sum(amount_cents) FROM reversals WHERE account_id = ${accountId}
    AND requested_by = ${userId} AND created_at > ${since} AND state NOT IN ('refused', 'not_done')), 0)
    FROM accounts WHERE account_id = ${accountId})`;

/** Condition: this amount may still be refunded; always true without a limit. */
export const isWithin = (limit: ReversalLimit | null, amountCents: number): SQL =>
  limit === null ? sql`1` : sql`${left(limit, limit.since)} >= ${amountCents}`;

/** Cents that this manager may still refund; 0 if the account's managers may refund nothing. */
export async function findAllowance(db: Db, limit: ReversalLimit): Promise<number> {
  const row = await db.get<{ cents: number | null } | undefined>(sql`SELECT ${left(limit, limit.since)} AS cents`);
  return Math.max(0, row?.cents ?? 0);
}

/** Roles that may refund, and approve a colleague's refund. */
export const GIVE_BACK = rolesWith('refund');
const ROLES = sql.raw(GIVE_BACK.map((role) => `'${role}'`).join(', '));

const mayOf = (accountId: number): SQL => sql`account_id = ${accountId} AND role IN (${ROLES}) AND removed_at IS NULL`;

/** SQL: the ids of an account's people who may refund. */
export const usersWhoMayRefund = (accountId: number): SQL => sql`(SELECT user_id FROM users WHERE ${mayOf(accountId)})`;

/** SQL: true if a person of the account may refund; `userId` is a number or a column of the outer statement. */
export const givesBack = (accountId: number, userId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE user_id = ${userId} AND ${mayOf(accountId)})`;
