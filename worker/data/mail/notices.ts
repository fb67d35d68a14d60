import type { NoticeChoice } from '#shared/contracts/staff/account-settings';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { isFrozen } from '../payable-conditions.ts';

type Recipient = { accountId: number; userId: number };

/** A user's choice and email address; the address is empty if none is known. */
export async function readNoticeChoice(
  { $client }: Db,
  { accountId, userId }: Recipient,
): Promise<{ how: NoticeChoice; to: string }> {
  const row = await $client
    .prepare(
      `SELECT coalesce(n.how, 'never') AS how, u.email AS "to" FROM users u
        LEFT JOIN payment_notices n ON n.account_id = u.account_id AND n.user_id = u.user_id
        WHERE u.account_id = ?1 AND u.user_id = ?2`,
    )
    .bind(accountId, userId)
    .first<{ how: NoticeChoice; to: string }>();
  return row ?? { how: 'never', to: '' };
}

/**
 * Saves a user's choice; saving the current choice again changes nothing. The first daily email is sent at `nextAt` and
 * covers payments from `now` on (both UTC ms).
 */
export async function saveNoticeChoice(
  { $client }: Db,
  { accountId, userId, how }: Recipient & { how: NoticeChoice },
  { now, nextAt }: { now: number; nextAt: number },
  event: TextEvent,
): Promise<void> {
  const change =
    how === 'never'
      ? $client.prepare('DELETE FROM payment_notices WHERE account_id = ?1 AND user_id = ?2').bind(accountId, userId)
      : $client
          .prepare(
            `INSERT INTO payment_notices (account_id, user_id, how, told_until, next_at)
              SELECT account_id, user_id, ?3, ?4, ?5 FROM users
                WHERE account_id = ?1 AND user_id = ?2 AND removed_at IS NULL AND email <> ''
              ON CONFLICT (account_id, user_id) DO UPDATE
                SET how = excluded.how, told_until = excluded.told_until, next_at = excluded.next_at
                WHERE how <> excluded.how`,
          )
          .bind(accountId, userId, how, now, how === 'daily' ? nextAt : null);
  await $client.batch([change, eventStatement($client, event)]);
}

export type DueNotices = Recipient & { toldUntil: number; nextAt: number; timeZone: string };

/** People whose daily email is due. */
export async function listDueNotices({ $client }: Db, now: number, limit: number): Promise<DueNotices[]> {
  const { results } = await $client
    .prepare(
      `SELECT n.account_id AS accountId, n.user_id AS userId, n.told_until AS toldUntil, n.next_at AS nextAt,
        h.time_zone AS timeZone FROM payment_notices n JOIN accounts h ON h.account_id = n.account_id
        WHERE n.next_at IS NOT NULL AND n.next_at <= ?1 ORDER BY n.next_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all<DueNotices>();
  return results;
}

/**
 * Payments by link to account ?1 whose outcome became known at or after ?2 and before ?3 (UTC ms). Omits voided
 * payments, which were never charged, and returned bank debits, which would appear twice. Searches from a week before
 * ?2, because an outcome may become known a week after the charge.
 */
const PAYMENTS_BY_LINK = `FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts p ON p.id = l.attempt_id
  WHERE l.account_id = ?1 AND l.at >= ?2 - 604800000 AND l.at < ?3 AND coalesce(p.settled_at, l.at) >= ?2 AND coalesce(p.settled_at, l.at) < ?3
  AND l.kind = 'payment' AND l.channel = 'link'
  AND NOT EXISTS (SELECT 1 FROM ledger v INDEXED BY ledger_attempt WHERE v.attempt_id = l.attempt_id AND v.kind IN ('void', 'return'))`;

/**
 * Queues a daily email if there were payments, and sets the next time, in one transaction. Only one of several runs
 * queues it.
 */
export async function queueDayNotice(
  { $client }: Db,
  { accountId, userId, toldUntil, nextAt }: DueNotices,
  { id, until, next, now }: { id: string; until: number; next: number; now: number },
): Promise<void> {
  const details = JSON.stringify({ user: String(userId), from: String(toldUntil), until: String(until) });
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO outbox (id, kind, recipient, account_id, details, next_try_at, created_at)
          SELECT ?4, 'payment-notice-day', u.email, ?1, ?5, ?6, ?6 FROM users u
          WHERE u.account_id = ?1 AND u.user_id = ?7 AND u.removed_at IS NULL AND u.email <> ''
            AND EXISTS (SELECT 1 FROM accounts WHERE account_id = ?1 AND closes_at IS NULL)
            AND EXISTS (SELECT 1 FROM payment_notices WHERE account_id = ?1 AND user_id = ?7 AND next_at = ?8)
            AND EXISTS (SELECT 1 ${PAYMENTS_BY_LINK}) ON CONFLICT DO NOTHING`,
      )
      .bind(accountId, toldUntil, until, id, details, now, userId, nextAt),
    $client
      .prepare(
        `UPDATE payment_notices SET told_until = max(told_until, ?3), next_at = ?4
          WHERE account_id = ?1 AND user_id = ?2 AND next_at = ?5`,
      )
      .bind(accountId, userId, until, next, nextAt),
  ]);
}

export type PaidByLink = { number: string; cents: number; currency: string; invoiceId: string };

/** Payments by link in a period (UTC ms): totals by currency, and the first payments. */
export async function readPaidByLink(
  { $client }: Db,
  { accountId, from, until }: { accountId: number; from: number; until: number },
  limit: number,
): Promise<{ sums: { currency: string; n: number; cents: number }[]; first: PaidByLink[] }> {
  const [sums, first] = await $client.batch<unknown>([
    $client
      .prepare(
        `SELECT l.currency, count(*) AS n, sum(l.amount_cents) AS cents ${PAYMENTS_BY_LINK} GROUP BY l.currency ORDER BY l.currency`,
      )
      .bind(accountId, from, until),
    $client
      .prepare(
        `SELECT p.invoice_number AS number,
          l.amount_cents AS cents, l.currency, l.invoice_id AS invoiceId ${PAYMENTS_BY_LINK} ORDER BY l.at, l.provider_txn_id LIMIT ?4`,
      )
      .bind(accountId, from, until, limit),
  ]);
  return {
    sums: (sums?.results ?? []) as { currency: string; n: number; cents: number }[],
    first: (first?.results ?? []) as PaidByLink[],
  };
}

/** True if a person still wants notices at this address. */
export async function wantsNotices(
  { $client }: Db,
  { accountId, userId }: Recipient,
  address: string,
): Promise<boolean> {
  const row = await $client
    .prepare(
      `SELECT 1 FROM payment_notices n JOIN users u ON u.account_id = n.account_id AND u.user_id = n.user_id
        WHERE n.account_id = ?1 AND n.user_id = ?2 AND u.removed_at IS NULL AND u.email = ?3`,
    )
    .bind(accountId, userId, address)
    .first();
  return row !== null;
}

/**
 * True if the amount of an invoice in installments has changed, so that the remaining amount is unknown until staff
 * decide on it.
 */
export async function isRemainderUnknown(
  { $client }: Db,
  { accountId, invoiceId }: { accountId: number; invoiceId: string },
): Promise<boolean> {
  const row = await $client
    .prepare(`SELECT 1 WHERE ${isFrozen('?1', '?2')}`)
    .bind(accountId, invoiceId)
    .first();
  return row !== null;
}
