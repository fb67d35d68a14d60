import { and, asc, between, eq, min } from 'drizzle-orm';
import { accounts, dailyTotals } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type DailyTotal = typeof dailyTotals.$inferSelect;

/** Daily totals of an account from `first` to `last` (inclusive), oldest first. Days without events have no row. */
export const listDailyTotals = (db: Db, accountId: number, first: string, last: string): Promise<DailyTotal[]> =>
  db
    .select()
    .from(dailyTotals)
    .where(and(eq(dailyTotals.accountId, accountId), between(dailyTotals.day, first, last)))
    .orderBy(asc(dailyTotals.day));

/** The first day on which an account has an event; null if there is none. */
export async function findFirstDay(db: Db, accountId: number): Promise<string | null> {
  const [first] = await db
    .select({ day: min(dailyTotals.day) })
    .from(dailyTotals)
    .where(eq(dailyTotals.accountId, accountId));
  return first?.day ?? null;
}

export async function findTimeZone(db: Db, accountId: number): Promise<string> {
  const [account] = await db
    .select({ timeZone: accounts.timeZone })
    .from(accounts)
    .where(eq(accounts.accountId, accountId));
  return account?.timeZone ?? 'UTC';
}
