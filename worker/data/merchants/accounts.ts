import { eq, sql } from 'drizzle-orm';
import { crmSyncs, crmTokens, hubs, syncCursors } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export type NewHub = Omit<typeof hubs.$inferInsert, 'connectedAt' | 'hubId'> & { hubId: number };
/** Tokens as they are stored: sealed. */
export type NewGrant = Pick<typeof crmTokens.$inferInsert, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scopes'>;

/** Keep a CRM account with its grant. A grant that replaces another takes a new version: a refresh under way is void. */
export async function saveHub(db: Db, hub: NewHub, grant: NewGrant, now: number): Promise<void> {
  // The id itself is left alone: where it is set, even to what it is, every row that points to it is looked at.
  const { hubId: _, ...facts } = hub;
  const renewed = { ...grant, revokedAt: null, leaseUntil: 0 };
  await db.batch([
    db
      .insert(hubs)
      .values({ ...hub, connectedAt: now })
      .onConflictDoUpdate({ target: hubs.hubId, set: facts }),
    db
      .insert(crmTokens)
      .values({ hubId: hub.hubId, ...renewed })
      .onConflictDoUpdate({
        target: crmTokens.hubId,
        set: { ...renewed, version: sql`${crmTokens.version} + 1` },
      }),
    // With a new grant there is no reason to wait any longer.
    db
      .insert(crmSyncs)
      .values({ hubId: hub.hubId })
      .onConflictDoUpdate({ target: crmSyncs.hubId, set: { waitUntil: 0, dueAt: 0 } }),
    db
      .insert(syncCursors)
      .values((['companies', 'contacts', 'invoices'] as const).map((kind) => ({ hubId: hub.hubId, kind })))
      .onConflictDoNothing(),
  ]);
}

export const findHub = (db: Db, hubId: number) => db.query.hubs.findFirst({ where: eq(hubs.hubId, hubId) });
