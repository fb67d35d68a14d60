import { and, eq, isNull, max, ne } from 'drizzle-orm';
import type { Delivery } from '#shared/contracts/lists/mail-values';
import type { Db } from '#worker/data/db';
import { outbox } from '#worker/data/schema/schema';
import { UNDECIDED } from '../schema/payments.ts';
import { prepare, raw, rawSql } from '../sql.ts';

/** An unsent email, without its recipient. Times in UTC ms. */
export type UnsentMail = {
  id: string;
  kind: string;
  /** The events of an alert's email; empty for other emails. */
  about: string;
  state: 'due' | 'failed';
  tries: number;
  at: number;
  next: number;
};

export type UnsentMails = {
  /** The number in each state, up to 200. */
  due: number;
  failed: number;
  /** UTC ms; null if there is none. */
  oldestAt: number | null;
  mails: UnsentMail[];
  /** The number of newer emails that await their first attempt and are not in `mails`. */
  waiting: number;
  /** Delivery states of the newest sent emails, up to 200. */
  deliveries: { delivery: string; n: number }[];
};

/** Counts only the newest emails, so that the cost does not grow with the clinic. */
const DELIVERIES = `SELECT coalesce(delivery, 'accepted') AS delivery, count(*) AS n FROM (
  SELECT delivery FROM outbox INDEXED BY outbox_done WHERE state <> 'due' AND state = 'sent' AND account_id IS ?1
  ORDER BY created_at DESC LIMIT 200) GROUP BY 1`;

/**
 * Unsent emails of an account or, for null, of the installation: due emails queued before `queuedBefore` or whose first
 * attempt failed, and failed emails created after `failedFrom` (UTC ms). Also the delivery states of sent emails.
 */
export async function listUnsentMails(
  { $client: d1 }: Db,
  accountId: number | null,
  { queuedBefore, failedFrom }: { queuedBefore: number; failedFrom: number },
): Promise<UnsentMails> {
  // Both states need the same columns; only a due email can be new.
  const selectMails = (
    isNew: string,
  ) => `SELECT id, kind, iif(kind = 'alert', coalesce(details ->> 'events', ''), '') AS about, state, tries,
created_at AS at, next_try_at AS next, ${isNew} AS isNew FROM outbox`;
  const [due, failed, deliveries] = await d1.batch<unknown>([
    d1
      .prepare(
        `${selectMails('created_at >= ?2 AND tries = 0')} INDEXED BY outbox_due WHERE state = 'due' AND account_id IS ?1
ORDER BY isNew, next_try_at LIMIT 200`,
      )
      .bind(accountId, queuedBefore),
    d1
      .prepare(
        `${selectMails('0')} INDEXED BY outbox_failed WHERE state = 'failed' AND account_id IS ?1 AND created_at > ?2
ORDER BY created_at LIMIT 200`,
      )
      .bind(accountId, failedFrom),
    d1.prepare(DELIVERIES).bind(accountId),
  ]);
  const dueMails = (due?.results ?? []) as (UnsentMail & { isNew: 0 | 1 })[];
  const overdue = dueMails.filter(({ isNew }) => !isNew);
  const mails = [...overdue, ...((failed?.results ?? []) as UnsentMail[])];
  return {
    due: overdue.length,
    failed: failed?.results.length ?? 0,
    oldestAt: mails.length > 0 ? Math.min(...mails.map(({ at }) => at)) : null,
    mails,
    waiting: dueMails.length - overdue.length,
    deliveries: (deliveries?.results ?? []) as UnsentMails['deliveries'],
  };
}

export type SentMail = { id: string; kind: string; at: number; delivery: Delivery };

/** The newest sent emails of an account or, for null, of the installation. `at`: UTC ms. */
export const listSentMails = async (
  { $client: d1 }: Db,
  accountId: number | null,
  limit: number,
): Promise<SentMail[]> =>
  (
    await d1
      .prepare(
        `SELECT id, kind, coalesce(sent_at, created_at) AS at, coalesce(delivery, 'accepted') AS delivery
FROM outbox INDEXED BY outbox_done WHERE state <> 'due' AND state = 'sent' AND account_id IS ?1
ORDER BY created_at DESC LIMIT ?2`,
      )
      .bind(accountId, limit)
      .all<SentMail>()
  ).results;

/** Make a failed or waiting email due now. False if it was sent, or if there is none. */
export async function makeMailDue(db: Db, accountId: number | null, id: string, now: number): Promise<boolean> {
  const hasSameAccount = accountId === null ? isNull(outbox.accountId) : eq(outbox.accountId, accountId);
  const rows = await db
    .update(outbox)
    .set({ state: 'due', nextTryAt: now, tries: 0, sentAt: null, providerId: null, delivery: null, deliveryAt: null })
    .where(and(eq(outbox.id, id), hasSameAccount, ne(outbox.state, 'sent')))
    .returning({ id: outbox.id });
  return rows.length > 0;
}

/** The time at which an email of the installation was last sent (UTC ms); null if none ever was. */
export const lastMailSentAt = async (db: Db): Promise<number | null> =>
  (
    await db
      .select({ at: max(outbox.sentAt) })
      .from(outbox)
      .where(and(eq(outbox.state, 'sent'), isNull(outbox.accountId)))
  )[0]?.at ?? null;

/** Payments and reversals of an account with an unknown outcome, by state; `items` is JSON. `since`: UTC ms. */
export type Undecided = { what: 'payment' | 'reversal'; state: string; n: number; since: number; items: string };

const ITEMS = `json_group_array(json_object('id', id, 'invoice_number', invoice_number)) AS items`;

export async function countUndecided({ $client: d1 }: Db, accountId: number): Promise<Undecided[]> {
  const { results } = await prepare(
    d1,
    rawSql`SELECT 'payment' AS what, state, count(*) AS n, min(created_at) AS since, ${raw(ITEMS)}
      FROM payment_attempts INDEXED BY payment_attempts_undecided
      WHERE account_id = ${accountId} AND ${raw(UNDECIDED)} GROUP BY state
    UNION ALL SELECT 'reversal', state, count(*), min(created_at), ${raw(ITEMS)} FROM (
      SELECT r.id, r.state, r.created_at, a.invoice_number FROM reversals r INDEXED BY reversals_one_live
      JOIN payment_attempts a ON a.id = r.attempt_id WHERE r.account_id = ${accountId} AND r.${raw(UNDECIDED)})
    GROUP BY state`,
  ).all<Undecided>();
  return results;
}
