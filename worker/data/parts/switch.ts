import { and, eq } from 'drizzle-orm';
import { accounts } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

export async function takesParts(db: Db, accountId: number): Promise<boolean> {
  const [row] = await db.select({ is: accounts.takesParts }).from(accounts).where(eq(accounts.accountId, accountId));
  return row?.is ?? false;
}

/** What is open in parts stays so: only nothing new is opened. */
export async function saveTakesParts(db: Db, accountId: number, isOn: boolean, event: NewEvent): Promise<void> {
  await db.batch([
    db
      .update(accounts)
      .set({ takesParts: isOn })
      .where(and(eq(accounts.accountId, accountId), eq(accounts.takesParts, !isOn))),
    eventWrite(db, event),
  ]);
}
