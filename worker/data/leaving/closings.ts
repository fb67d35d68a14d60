import { eq, getTableColumns, sql } from 'drizzle-orm';
import { type ClosingRow, closings } from '#worker/data/schema/operate';
import { accounts, users } from '#worker/data/schema/schema';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { businessNameIn } from '../business-name.ts';
import type { Db } from '../db.ts';

export type Closing = ClosingRow & { closesAt: number };
export type ClosingView = { business: string; timeZone: string; closing: Closing | null; requestedBy: string };

/**
 * An account's closing, if any, with the account's name and the person who requested it. Null if there is no account.
 */
export async function readClosing(db: Db, accountId: number): Promise<ClosingView | null> {
  const [[account], [row], people] = await db.batch([
    db
      .select({ ...getTableColumns(accounts), business: sql<string>`${sql.raw(businessNameIn('accounts'))}` })
      .from(accounts)
      .where(eq(accounts.accountId, accountId)),
    db.select().from(closings).where(eq(closings.accountId, accountId)),
    db
      .select({ userId: users.userId, name: users.name, email: users.email })
      .from(users)
      .where(eq(users.accountId, accountId)),
  ]);
  if (!account) return null;
  const requester = people.find(({ userId }) => userId === row?.requestedBy);
  return {
    business: account.business,
    timeZone: account.timeZone,
    requestedBy: requester ? requester.name || requester.email : '',
    closing: row && account.closesAt !== null ? { ...row, closesAt: account.closesAt } : null,
  };
}

/** Condition: user ?2 is now an administrator of account ?1. */
const IS_ADMIN = `EXISTS (SELECT 1 FROM users WHERE account_id = ?1 AND user_id = ?2 AND role = 'admin' AND removed_at IS NULL)`;

type Mail = { id: string };

/**
 * Set the closing day of an account, and queue an email to each of its administrators, in one transaction. Times in UTC
 * ms. False if it is already closing, or if the requester is no longer an administrator.
 */
export async function requestClosing(
  { $client }: Db,
  {
    accountId,
    requestedBy,
    requestedAt,
    closesAt,
  }: Pick<Closing, 'accountId' | 'requestedBy' | 'requestedAt' | 'closesAt'>,
  mail: Mail,
  event: TextEvent,
): Promise<boolean> {
  const [inserted] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO closings (account_id, requested_by, requested_at, try_at) SELECT ?1, ?2, ?3, ?4 WHERE ${IS_ADMIN} ON CONFLICT DO NOTHING`,
      )
      .bind(accountId, requestedBy, requestedAt, closesAt),
    eventStatement($client, event),
    $client
      .prepare(
        'UPDATE accounts SET closes_at = (SELECT try_at FROM closings WHERE account_id = ?1) WHERE account_id = ?1 AND closes_at IS NULL',
      )
      .bind(accountId),
    $client
      .prepare(
        `INSERT OR IGNORE INTO outbox (id, kind, recipient, account_id, next_try_at, created_at)
SELECT ?2 || '-' || user_id, 'closing', email, ?1, ?3, ?3 FROM users
WHERE account_id = ?1 AND role = 'admin' AND removed_at IS NULL AND email <> ''
AND EXISTS (SELECT 1 FROM closings WHERE account_id = ?1 AND requested_at = ?3)`,
      )
      .bind(accountId, mail.id, requestedAt),
  ]);
  return inserted?.meta.changes === 1;
}

/**
 * Cancel the closing, so that payments resume at once. False if the account was not closing, or if the requester is no
 * longer an administrator.
 */
export async function cancelClosing(
  { $client }: Db,
  { accountId, userId }: { accountId: number; userId: number },
  event: TextEvent,
): Promise<boolean> {
  const [deleted] = await $client.batch([
    $client.prepare(`DELETE FROM closings WHERE account_id = ?1 AND ${IS_ADMIN}`).bind(accountId, userId),
    eventStatement($client, event),
    $client
      .prepare(
        'UPDATE accounts SET closes_at = NULL WHERE account_id = ?1 AND NOT EXISTS (SELECT 1 FROM closings WHERE account_id = ?1)',
      )
      .bind(accountId),
  ]);
  return deleted?.meta.changes === 1;
}

/** The account whose closing is due; null if there is none. `now`: UTC ms. */
export const findDueClosing = async ({ $client }: Db, now: number): Promise<number | null> =>
  $client.prepare('SELECT account_id FROM closings WHERE try_at <= ?1 LIMIT 1').bind(now).first<number>('account_id');

/** Record the reasons why an account could not be closed, and the time of the next attempt (UTC ms). */
export async function postponeClosing(
  { $client }: Db,
  accountId: number,
  { blockers, tryAt }: { blockers: string[]; tryAt: number },
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    $client
      .prepare('UPDATE closings SET stood = ?2, try_at = ?3 WHERE account_id = ?1')
      .bind(accountId, JSON.stringify(blockers), tryAt),
    eventStatement($client, event),
  ]);
}
