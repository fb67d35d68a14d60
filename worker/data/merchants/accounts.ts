import { eq, sql } from 'drizzle-orm';
import { accounts, crmSyncs, crmTokens, syncCursors } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

export type NewAccount = Omit<typeof accounts.$inferInsert, 'connectedAt' | 'accountId'> & { accountId: number };
/** Tokens as stored: sealed. */
export type NewGrant = Pick<typeof crmTokens.$inferInsert, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'>;

/** Save a CRM account and its grant. A new grant raises the version, which voids a refresh under way. */
export async function saveAccount(
  db: Db,
  account: NewAccount,
  grant: NewGrant,
  now: number,
  event: NewEvent,
): Promise<void> {
  // The id is left out: setting it, even to the same value, makes SQLite check every row that points to it.
  const { accountId: _, ...facts } = account;
  const renewed = { ...grant, revokedAt: null, leaseUntil: 0 };
  const before = sql`coalesce((SELECT json_object('scopes', scopes, 'revokedAt', revoked_at) FROM crm_tokens
    WHERE hub_id = ${account.accountId}), '')`;
  await db.batch([
    eventWrite(db, { ...event, before }, sql`1`),
    db
      .insert(accounts)
      .values({ ...account, connectedAt: now })
      .onConflictDoUpdate({ target: accounts.accountId, set: facts }),
    db
      .insert(crmTokens)
      .values({ accountId: account.accountId, ...renewed })
      .onConflictDoUpdate({
        target: crmTokens.accountId,
        set: { ...renewed, version: sql`${crmTokens.version} + 1` },
      }),
    // With a new grant there is no reason to wait any longer.
    db
      .insert(crmSyncs)
      .values({ accountId: account.accountId })
      .onConflictDoUpdate({ target: crmSyncs.accountId, set: { waitUntil: 0, dueAt: 0 } }),
    db
      .insert(syncCursors)
      .values((['companies', 'contacts', 'invoices'] as const).map((kind) => ({ accountId: account.accountId, kind })))
      .onConflictDoNothing(),
  ]);
}

export const findAccount = (db: Db, accountId: number) =>
  db.query.accounts.findFirst({ where: eq(accounts.accountId, accountId) });
