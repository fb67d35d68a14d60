import { and, eq, lt } from 'drizzle-orm';
import type { Db } from './db.ts';
import { tickets } from './schema.ts';

export async function insertTicket(db: Db, row: typeof tickets.$inferInsert, now: number): Promise<void> {
  await db.batch([db.delete(tickets).where(lt(tickets.endsAt, now)), db.insert(tickets).values(row)]);
}

/** Use up a ticket beside the state that it belongs to; in another browser, or a second time, there is none. */
export async function takeTicket(db: Db, ticketHash: string, stateHash: string, now: number) {
  const [row] = await db
    .delete(tickets)
    .where(and(eq(tickets.ticketHash, ticketHash), eq(tickets.stateHash, stateHash)))
    .returning();
  return row && row.endsAt > now ? row : null;
}
