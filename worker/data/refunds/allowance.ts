import { type SQL, sql } from 'drizzle-orm';
import { rolesWith } from '#shared/contracts/staff/team-values';
import type { Db } from '../db.ts';

type Person = { accountId: number; userId: number };

/**
 * The person whose reversals are limited, the start of the period that counts, and the current time (UTC ms).
 * `request`: the current request, which does not count against itself while it waits; null if there is none.
 */
export type ReversalLimit = Person & { since: number; now: number; request: LimitedRequest | null };
export type LimitedRequest = { attemptId: string; requestKey: string };

/**
 * SQL: true if money of the payment has been refunded since the approval was requested, even if a restore had lost the
 * refund. The request can then no longer succeed. `approval`: the table's name in the statement.
 */
export const wasRefundedSince = (approval: 'approvals' | 'p'): SQL =>
  sql`EXISTS (SELECT 1 FROM ledger l WHERE l.attempt_id = ${sql.raw(approval)}.attempt_id
    AND l.kind <> 'payment' AND l.at >= ${sql.raw(approval)}.requested_at)`;

/**
 * SQL: the amount (cents) of this person's requests that are waiting for a second person, or were approved but have not
 * started. Requests that can no longer succeed do not count.
 */
const waitingCents = ({ accountId, userId, now, request }: ReversalLimit): SQL =>
  sql`(SELECT sum(amount_cents) FROM approvals p INDEXED BY approvals_due WHERE p.next_try_at IS NOT NULL
    AND p.account_id = ${accountId} AND p.requested_by = ${userId} AND p.ends_at > ${now}
    AND (p.attempt_id, p.request_key) <> (${request?.attemptId ?? ''}, ${request?.requestKey ?? ''}) AND NOT ${wasRefundedSince('p')}
    AND NOT EXISTS (SELECT 1 FROM reversals r WHERE r.attempt_id = p.attempt_id AND r.request_key = p.request_key))`;

/**
 * SQL: the amount (cents) that this manager may still refund; NULL if the account's managers may refund nothing.
 * Waiting requests count too, because together they could exceed the limit once they are approved.
 */
const remainingCents = (limit: ReversalLimit): SQL =>
  sql`(SELECT refund_limit_cents - coalesce((SELECT sum(amount_cents) FROM reversals WHERE account_id = ${limit.accountId}
    AND requested_by = ${limit.userId} AND created_at > ${limit.since} AND state NOT IN ('refused', 'not_done')), 0)
    - coalesce(${waitingCents(limit)}, 0) FROM accounts WHERE account_id = ${limit.accountId})`;

/** Condition: this amount may still be refunded. Always true without a limit. */
export const isWithinAllowance = (limit: ReversalLimit | null, amountCents: number): SQL =>
  limit === null ? sql`1` : sql`${remainingCents(limit)} >= ${amountCents}`;

/** The amount (cents) that this manager may still refund; null if the account's managers may refund nothing. */
export async function findAllowance(db: Db, limit: ReversalLimit): Promise<number | null> {
  const row = await db.get<{ cents: number | null } | undefined>(sql`SELECT ${remainingCents(limit)} AS cents`);
  const cents = row?.cents ?? null;
  return cents === null ? null : Math.max(0, cents);
}

/** Roles that may refund, and approve a colleague's refund. */
export const REFUND_ROLES = rolesWith('refund');
const ROLES = sql.raw(REFUND_ROLES.map((role) => `'${role}'`).join(', '));

const isRefunder = (accountId: number): SQL =>
  sql`account_id = ${accountId} AND role IN (${ROLES}) AND removed_at IS NULL`;

/** SQL: the ids of an account's people who may refund. */
export const usersWhoMayRefund = (accountId: number): SQL =>
  sql`(SELECT user_id FROM users WHERE ${isRefunder(accountId)})`;

/** SQL: true if a person of the account may refund; `userId` is a number or a column of the outer statement. */
export const mayRefund = (accountId: number, userId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE user_id = ${userId} AND ${isRefunder(accountId)})`;
