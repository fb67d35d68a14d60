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

export const listTerminals = async (db: Db, accountId: number): Promise<TerminalRef[]> =>
  (await db.select().from(terminals).where(eq(terminals.accountId, accountId))).map(terminalRef);

export type NewTerminalRow = Omit<typeof terminals.$inferInsert, 'createdAt'>;

/** Upsert a terminal if the condition holds: a statement for a batch, or to be awaited alone. */
export function upsertTerminal(db: Db, row: NewTerminalRow, now: number, condition = sql`1`) {
  // The key is left out: setting it, even to the same value, makes SQLite check every row that points to it.
  const { accountId: _, terminalId: __, ...facts } = row;
  return db
    .insert(terminals)
    .select(selectValues(terminals, { ...row, createdAt: now }, condition))
    .onConflictDoUpdate({ target: [terminals.accountId, terminals.terminalId], set: facts });
}

/** Note that a counter terminal has just answered. */
export async function recordResponse(db: Db, { accountId, terminalId }: TerminalRef, at: number): Promise<void> {
  await db
    .update(terminals)
    .set({ heardAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}
