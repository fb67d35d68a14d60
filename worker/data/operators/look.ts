import { and, eq, isNull, max, ne } from 'drizzle-orm';
import type { Db } from '#worker/data/db';
import { outbox } from '#worker/data/schema/schema';
import { prepare, raw, rawSql } from '../raw-sql.ts';
import { UNDECIDED } from '../schema/undecided.ts';

/** A mail that was not sent, without whom it is for. Times in UTC ms. */
export type UnsentMail = {
  id: string;
  kind: string;
  /** The events that an alert's mail is about; else empty. */
  about: string;
  state: 'due' | 'failed';
  tries: number;
  at: number;
  next: number;
};

export type Unsent = {
  /** How many of each, up to 200. */
  due: number;
  failed: number;
  /** UTC ms; null: every mail went out. */
  oldest: number | null;
  /** The first twenty. */
  mails: UnsentMail[];
};

/**
 * Mails that were not sent, of an account or (null) of the installation: owed since before `owedBefore`, or given up
 * since `failedFrom` (UTC ms).
 */
export async function listUnsent(
  { $client: d1 }: Db,
  accountId: number | null,
  { owedBefore, failedFrom }: { owedBefore: number; failedFrom: number },
): Promise<Unsent> {
  const facts = `SELECT id, kind, iif(kind = 'alert', coalesce(details ->> 'events', ''), '') AS about, state, tries,
created_at AS at, next_try_at AS next FROM outbox`;
  const [due, failed] = await d1.batch<UnsentMail>([
    d1
      .prepare(
        `${facts} INDEXED BY outbox_due WHERE state = 'due' AND hub_id IS ?1 AND created_at < ?2
ORDER BY next_try_at LIMIT 200`,
      )
      .bind(accountId, owedBefore),
    d1
      .prepare(
        `${facts} INDEXED BY outbox_failed WHERE state = 'failed' AND hub_id IS ?1 AND created_at > ?2
ORDER BY created_at LIMIT 200`,
      )
      .bind(accountId, failedFrom),
  ]);
  const mails = [...(due?.results ?? []), ...(failed?.results ?? [])];
  return {
    due: due?.results.length ?? 0,
    failed: failed?.results.length ?? 0,
    oldest: mails.length > 0 ? Math.min(...mails.map(({ at }) => at)) : null,
    mails: mails.slice(0, 20),
  };
}

/** Make a mail due now that was given up, or that waits for its next try. False: it went out, or there is none. */
export async function makeMailDue(db: Db, accountId: number | null, id: string, now: number): Promise<boolean> {
  const isTheirs = accountId === null ? isNull(outbox.accountId) : eq(outbox.accountId, accountId);
  const rows = await db
    .update(outbox)
    .set({ state: 'due', nextTryAt: now, tries: 0, sentAt: null, providerId: null, delivery: null, deliveryAt: null })
    .where(and(eq(outbox.id, id), isTheirs, ne(outbox.state, 'sent')))
    .returning({ id: outbox.id });
  return rows.length > 0;
}

/** When the mail service last took a mail of the installation's own (UTC ms); null: never. */
export const lastMailSentAt = async (db: Db): Promise<number | null> =>
  (
    await db
      .select({ at: max(outbox.sentAt) })
      .from(outbox)
      .where(and(eq(outbox.state, 'sent'), isNull(outbox.accountId)))
  )[0]?.at ?? null;

/** Payments and reversals of an account whose outcome nobody knows, by state; `items` is JSON. `since`: UTC ms. */
export type Undecided = { what: 'payment' | 'reversal'; state: string; n: number; since: number; items: string };

const FIRST = `json_group_array(json_object('id', id, 'invoice_number', invoice_number)) AS items`;

export async function countUndecided({ $client: d1 }: Db, accountId: number): Promise<Undecided[]> {
  const { results } = await prepare(
    d1,
    rawSql`SELECT 'payment' AS what, state, count(*) AS n, min(created_at) AS since, ${raw(FIRST)}
      FROM payment_attempts INDEXED BY payment_attempts_undecided
      WHERE hub_id = ${accountId} AND ${raw(UNDECIDED)} GROUP BY state
    UNION ALL SELECT 'reversal', state, count(*), min(created_at), ${raw(FIRST)} FROM (
      SELECT r.id, r.state, r.created_at, a.invoice_number FROM reversals r INDEXED BY reversals_one_live
      JOIN payment_attempts a ON a.id = r.attempt_id WHERE r.hub_id = ${accountId} AND r.${raw(UNDECIDED)})
    GROUP BY state`,
  ).all<Undecided>();
  return results;
}
