import { and, eq, lt, sql } from 'drizzle-orm';
import { accounts, crmTokens } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** The grant of an account, with the IANA zone in which the account counts its days. */
export type CrmTokenRow = typeof crmTokens.$inferSelect & { timeZone: string };

export const findTokens = (db: Db, accountId: number) =>
  db.query.crmTokens.findFirst({
    where: eq(crmTokens.accountId, accountId),
    extras: { timeZone: zoneOf(accountId).as('time_zone') },
  });

const zoneOf = (accountId: number) =>
  sql<string>`coalesce((SELECT ${accounts.timeZone} FROM ${accounts} WHERE ${accounts.accountId} = ${accountId}), 'UTC')`;

/** Lease the right to refresh. Each version has one holder, until the lease ends or the new pair is stored. */
export async function leaseTokens(db: Db, row: CrmTokenRow, now: number, leaseMs: number): Promise<boolean> {
  const leased = await db
    .update(crmTokens)
    .set({ leaseUntil: now + leaseMs })
    .where(
      and(eq(crmTokens.accountId, row.accountId), eq(crmTokens.version, row.version), lt(crmTokens.leaseUntil, now)),
    )
    .returning({ accountId: crmTokens.accountId });
  return leased.length === 1;
}

export type SealedTokens = { accessToken: string; refreshToken: string; expiresAt: number };

/**
 * Store a refreshed pair before its first use, with both tokens in one statement, because the old refresh token may
 * already be invalid.
 */
export async function storeTokens(db: Db, row: CrmTokenRow, tokens: SealedTokens): Promise<void> {
  await db
    .update(crmTokens)
    .set({ ...tokens, version: row.version + 1, leaseUntil: 0 })
    .where(and(eq(crmTokens.accountId, row.accountId), eq(crmTokens.version, row.version)));
}

export async function releaseLease(db: Db, row: CrmTokenRow): Promise<void> {
  await db
    .update(crmTokens)
    .set({ leaseUntil: 0 })
    .where(and(eq(crmTokens.accountId, row.accountId), eq(crmTokens.version, row.version)));
}

export async function markRevoked(db: Db, row: CrmTokenRow, now: number, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(crmTokens)
      .set({ revokedAt: now, leaseUntil: 0 })
      .where(and(eq(crmTokens.accountId, row.accountId), eq(crmTokens.version, row.version))),
    eventWrite(db, event),
  ]);
}
