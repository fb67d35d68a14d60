import { and, eq } from 'drizzle-orm';
import { gatewayTransactions as g } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

/** When the gateway made a transaction (UTC ms), as it told us last. Null: it told no time, or we never saw it. */
export async function findMadeAt(
  db: Db,
  { accountId, method }: Pick<typeof g.$inferSelect, 'accountId' | 'method'>,
  providerTxnId: string,
): Promise<number | null> {
  const [seen] = await db
    .select({ at: g.at })
    .from(g)
    .where(and(eq(g.accountId, accountId), eq(g.method, method), eq(g.providerTxnId, providerTxnId)));
  return seen?.at ?? null;
}
