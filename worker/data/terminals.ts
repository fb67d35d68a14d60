import { and, eq } from 'drizzle-orm';
import type { TerminalRef } from '../ports/gateway.ts';
import type { Db } from './db.ts';
import { terminals } from './schema.ts';

export const terminalRef = (row: typeof terminals.$inferSelect): TerminalRef => ({
  hubId: row.hubId,
  terminalId: row.terminalId,
  sealedApiKey: row.apiKey,
});

export async function findTerminal(db: Db, hubId: number, terminalId: string): Promise<TerminalRef | undefined> {
  const row = await db.query.terminals.findFirst({
    where: and(eq(terminals.hubId, hubId), eq(terminals.terminalId, terminalId)),
  });
  return row && terminalRef(row);
}

export async function saveTerminal(
  db: Db,
  row: Omit<typeof terminals.$inferInsert, 'createdAt'>,
  now: number,
): Promise<void> {
  // The key itself is left alone: where it is set, even to what it is, every row that points to it is looked at.
  const { hubId: _, terminalId: __, ...facts } = row;
  await db
    .insert(terminals)
    .values({ ...row, createdAt: now })
    .onConflictDoUpdate({ target: [terminals.hubId, terminals.terminalId], set: facts });
}

/** Note that a card reader has just answered. */
export async function noteHeard(db: Db, { hubId, terminalId }: TerminalRef, at: number): Promise<void> {
  await db
    .update(terminals)
    .set({ heardAt: at })
    .where(and(eq(terminals.hubId, hubId), eq(terminals.terminalId, terminalId)));
}
