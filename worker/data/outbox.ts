import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { outbox } from './schema.ts';

export type OutboxRow = typeof outbox.$inferSelect;

export const listDueMail = (db: Db, now: number, limit: number): Promise<OutboxRow[]> =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.state, 'due'), lte(outbox.nextTryAt, now)))
    .orderBy(asc(outbox.nextTryAt))
    .limit(limit);

/** The mail that a payment owes, unless a sender has taken it: it is due again only when that sender's time is over. */
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 6 * 3_600_000;

/**
 * Take the mail that a payment owes, if it is due; another sender at the same moment gets nothing. Whoever dies with it
 * leaves it to the next try, whose pause doubles each time.
 */
export const claimMail = (db: Db, attemptId: string, now: number) =>
  db
    .update(outbox)
    .set({
      tries: sql`${outbox.tries} + 1`,
      nextTryAt: sql`${now} + min(${FIRST_RETRY_MS} << min(${outbox.tries}, 10), ${LAST_RETRY_MS})`,
    })
    .where(and(eq(outbox.attemptId, attemptId), eq(outbox.state, 'due'), lte(outbox.nextTryAt, now)))
    .returning();

export async function closeMail(db: Db, id: string, state: 'sent' | 'failed', at: number): Promise<void> {
  await db.update(outbox).set({ state, sentAt: at }).where(eq(outbox.id, id));
}
