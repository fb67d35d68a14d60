import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { SUPPORT_USER } from '#shared/contracts/staff/team-values';
import { type SupportViewRow, supportViews } from '#worker/data/schema/operators';
import { sessions, users } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { selectValues } from '../sql.ts';

const isOpenView = (accountId: number, now: number) =>
  and(eq(supportViews.accountId, accountId), gt(supportViews.endsAt, now), isNull(supportViews.endedAt));

/** The view that is currently granted. */
export async function findOpenView(db: Db, accountId: number, now: number): Promise<SupportViewRow | undefined> {
  const [row] = await db.select().from(supportViews).where(isOpenView(accountId, now)).limit(1);
  return row;
}

/** Grant a view, unless one is already granted, and add the user that support uses to view the account. */
export async function insertView(db: Db, view: typeof supportViews.$inferInsert, event: NewEvent): Promise<void> {
  const { accountId, grantedAt } = view;
  const hasNoOpenView = sql`NOT EXISTS (SELECT 1 FROM support_views WHERE account_id = ${accountId} AND ends_at > ${grantedAt}
    AND ended_at IS NULL)`;
  const support = { accountId, userId: SUPPORT_USER, email: 'operator', name: 'Support', role: 'reader' as const };
  await db.batch([
    db.insert(supportViews).select(selectValues(supportViews, { ...view, endedAt: null }, hasNoOpenView)),
    eventWrite(db, event),
    db
      .insert(users)
      .values({ ...support, lastLoginAt: grantedAt })
      .onConflictDoNothing(),
  ]);
}

/** End the current view and all its sessions. */
export async function endOpenView(db: Db, accountId: number, now: number, event: NewEvent): Promise<void> {
  await db.batch([
    db.update(supportViews).set({ endedAt: now }).where(isOpenView(accountId, now)),
    eventWrite(db, event),
    db
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.accountId, accountId), eq(sessions.userId, SUPPORT_USER), isNull(sessions.revokedAt))),
  ]);
}
