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

/** A mail that a sender has taken is due again only when that sender's time is over. */
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 6 * 3_600_000;

/** The receipt of a payment is one mail, whoever asks for it. */
export const receiptMailId = (attemptId: string) => `receipt-${attemptId}`;

/**
 * Take an owed mail, if it is due; another sender at the same moment gets nothing. Whoever dies with it leaves it to the
 * next try, whose pause doubles each time.
 */
export const claimMail = (db: Db, id: string, now: number) =>
  db
    .update(outbox)
    .set({
      tries: sql`${outbox.tries} + 1`,
      nextTryAt: sql`${now} + min(${FIRST_RETRY_MS} << min(${outbox.tries}, 10), ${LAST_RETRY_MS})`,
    })
    .where(and(eq(outbox.id, id), eq(outbox.state, 'due'), lte(outbox.nextTryAt, now)))
    .returning();

export async function closeMail(db: Db, id: string, state: 'sent' | 'failed', at: number): Promise<void> {
  await db.update(outbox).set({ state, sentAt: at }).where(eq(outbox.id, id));
}
