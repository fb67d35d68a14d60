import { and, eq, sql } from 'drizzle-orm';
import { terminals } from '#worker/data/schema/schema';
import type { TerminalRef } from '#worker/vendors/clearent/port';
import type { Db } from '../db.ts';
import { selectValues } from '../select-values.ts';

export const terminalRef = (row: typeof terminals.$inferSelect): TerminalRef => ({
  accountId: row.accountId,
  terminalId: row.terminalId,
  sealedApiKey: row.apiKey,
});

export async function findTerminal(db: Db, accountId: number, terminalId: string): Promise<TerminalRef | undefined> {
  const row = await db.query.terminals.findFirst({
    where: and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)),
  });
  return row && terminalRef(row);
}

export type NewTerminalRow = Omit<typeof terminals.$inferInsert, 'createdAt'>;

/** Keep a terminal, or what is new of it, if the condition holds: a statement for a batch, or to be awaited alone. */
export function upsertTerminal(db: Db, row: NewTerminalRow, now: number, condition = sql`1`) {
  // The key itself is left alone: where it is set, even to what it is, every row that points to it is looked at.
  const { accountId: _, terminalId: __, ...facts } = row;
  return db
    .insert(terminals)
    .select(selectValues(terminals, { ...row, createdAt: now }, condition))
    .onConflictDoUpdate({ target: [terminals.accountId, terminals.terminalId], set: facts });
}

/** Note that a card reader has just answered. */
export async function noteHeard(db: Db, { accountId, terminalId }: TerminalRef, at: number): Promise<void> {
  await db
    .update(terminals)
    .set({ heardAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}
