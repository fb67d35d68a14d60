import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { auditRefusals } from '#worker/data/schema/audit';
import type { Db } from '../db.ts';
import { eventWrite, type NewEvent } from './events.ts';

const t = auditRefusals;

export type RefusalRow = typeof t.$inferSelect;

/** Count refused requests in the row of their session and hour: one row, however many there are. */
export async function countRefusals(db: Db, row: RefusalRow): Promise<void> {
  await db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({
      target: [t.accountId, t.sessionId, t.action, t.hour],
      set: { n: sql`${t.n} + ${row.n}`, route: row.route },
    });
}

/** Counts whose hour is over, the oldest first. `hour`: the beginning of the present one (UTC ms). */
export const listEndedRefusals = (db: Db, hour: number, limit: number): Promise<RefusalRow[]> =>
  db.select().from(t).where(lt(t.hour, hour)).orderBy(asc(t.hour)).limit(limit);

/** Turn a count into its event. Of several runs at once, one does. */
export async function foldRefusal(db: Db, row: RefusalRow, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .delete(t)
      .where(
        and(
          eq(t.accountId, row.accountId),
          eq(t.sessionId, row.sessionId),
          eq(t.action, row.action),
          eq(t.hour, row.hour),
        ),
      ),
    eventWrite(db, event),
  ]);
}
