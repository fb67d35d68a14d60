import { type SQL, sql } from 'drizzle-orm';
import { rolesWith } from '#shared/contracts/staff/team-values';
import type { Db } from '../db.ts';

type Person = { accountId: number; userId: number };

/** Whose reversals are limited, and those since when (UTC ms) count. */
export type ReversalLimit = Person & { since: number };

/** SQL: cents that this manager may still give back; NULL where the account allows its managers nothing. */
const left = ({ accountId, userId }: Person, since: number): SQL =>
  sql`(SELECT refund_limit_cents - coalesce((SELECT sum(amount_cents) FROM reversals WHERE account_id = ${accountId}
    AND requested_by = ${userId} AND created_at > ${since} AND state NOT IN ('refused', 'not_done')), 0)
    FROM accounts WHERE account_id = ${accountId})`;

/** Condition: so much more may be given back; without a limit, always. */
export const isWithin = (limit: ReversalLimit | null, amountCents: number): SQL =>
  limit === null ? sql`1` : sql`${left(limit, limit.since)} >= ${amountCents}`;

/** Cents that this manager may still give back; 0 also where managers may give back nothing. */
export async function findAllowance(db: Db, limit: ReversalLimit): Promise<number> {
  const row = await db.get<{ cents: number | null } | undefined>(sql`SELECT ${left(limit, limit.since)} AS cents`);
  return Math.max(0, row?.cents ?? 0);
}

/** Roles that may give money back, and approve what a colleague asks for. */
export const GIVE_BACK = rolesWith('refund');
const ROLES = sql.raw(GIVE_BACK.map((role) => `'${role}'`).join(', '));

const mayOf = (accountId: number): SQL => sql`account_id = ${accountId} AND role IN (${ROLES}) AND removed_at IS NULL`;

/** SQL: the numbers of an account's people who may. */
export const whoGivesBack = (accountId: number): SQL => sql`(SELECT user_id FROM users WHERE ${mayOf(accountId)})`;

/** SQL: whether one person of the account may; `userId` is a number or a column of the statement around it. */
export const givesBack = (accountId: number, userId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE user_id = ${userId} AND ${mayOf(accountId)})`;
