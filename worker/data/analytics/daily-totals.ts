import { and, asc, between, eq } from 'drizzle-orm';
import { dailyTotals, hubs } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type DailyTotal = typeof dailyTotals.$inferSelect;

/** The days of a hub on which anything happened, oldest first; both ends are included. */
export const listDailyTotals = (db: Db, hubId: number, first: string, last: string): Promise<DailyTotal[]> =>
  db
    .select()
    .from(dailyTotals)
    .where(and(eq(dailyTotals.hubId, hubId), between(dailyTotals.day, first, last)))
    .orderBy(asc(dailyTotals.day));

export async function findTimeZone(db: Db, hubId: number): Promise<string> {
  const [hub] = await db.select({ timeZone: hubs.timeZone }).from(hubs).where(eq(hubs.hubId, hubId));
  return hub?.timeZone ?? 'UTC';
}
