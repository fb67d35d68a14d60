import { and, eq } from 'drizzle-orm';
import { handoffCodes } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';

export async function insertHandoffCode(db: Db, row: typeof handoffCodes.$inferInsert): Promise<void> {
  await db.insert(handoffCodes).values(row);
}

/** Use up a handoff code with the state of its login. Null: it was used, has expired, or is another browser's. */
export async function redeemHandoffCode(db: Db, codeHash: string, stateHash: string, now: number) {
  const [row] = await db
    .delete(handoffCodes)
    .where(and(eq(handoffCodes.codeHash, codeHash), eq(handoffCodes.stateHash, stateHash)))
    .returning();
  return row && row.endsAt > now ? row : null;
}
