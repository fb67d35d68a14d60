import { and, asc, eq, lte } from 'drizzle-orm';
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

export const findDueMail = (db: Db, attemptId: string) =>
  db.query.outbox.findFirst({ where: and(eq(outbox.attemptId, attemptId), eq(outbox.state, 'due')) });

/** Take one mail for sending; another sender at the same moment gets false. */
export async function claimMail(db: Db, row: OutboxRow, retryAt: number): Promise<boolean> {
  const claimed = await db
    .update(outbox)
    .set({ nextTryAt: retryAt, tries: row.tries + 1 })
    .where(and(eq(outbox.id, row.id), eq(outbox.state, 'due'), eq(outbox.tries, row.tries)))
    .returning({ id: outbox.id });
  return claimed.length === 1;
}

export async function closeMail(db: Db, id: string, state: 'sent' | 'failed', at: number): Promise<void> {
  await db.update(outbox).set({ state, sentAt: at }).where(eq(outbox.id, id));
}
