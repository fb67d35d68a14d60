import { and, eq } from 'drizzle-orm';
import { type Attempt, paymentAttempts as t } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

/** Note a look at an accepted bank debit that ended nothing. `unread`: looks in a row that found none that can be read. */
export async function recordDebitLook(db: Db, attempt: Attempt, unread: number): Promise<void> {
  await db
    .update(t)
    .set({ emptyChecks: unread })
    .where(and(eq(t.id, attempt.id), eq(t.state, attempt.state)));
}
