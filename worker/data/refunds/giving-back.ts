import { type SQL, sql } from 'drizzle-orm';
import { rolesWith } from '#shared/contracts/team-values';

/** Roles that may give money back, and approve what a colleague asks for. */
export const GIVE_BACK = rolesWith('refund');
const ROLES = sql.raw(GIVE_BACK.map((role) => `'${role}'`).join(', '));

const mayOf = (accountId: number): SQL => sql`account_id = ${accountId} AND role IN (${ROLES}) AND removed_at IS NULL`;

/** SQL: the numbers of an account's people who may. */
export const whoGivesBack = (accountId: number): SQL => sql`(SELECT user_id FROM users WHERE ${mayOf(accountId)})`;

/** SQL: whether one person of the account may; `userId` is a number or a column of the statement around it. */
export const givesBack = (accountId: number, userId: number | SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE user_id = ${userId} AND ${mayOf(accountId)})`;
