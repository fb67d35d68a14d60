import { and, asc, eq, sql } from 'drizzle-orm';
import { terminals } from '#worker/data/schema/schema';
import type { TerminalRef } from '#worker/vendors/gateway-port';
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

/** A terminal to ask by. `refusedAt`: when the card provider refused its credentials (ms), unless it took them since. */
export type UsableTerminal = TerminalRef & { refusedAt: number | null };

/**
 * Terminals of an account, in the order in which they should be tried: each one's key shows all transactions of the
 * merchant, so those whose credentials the card provider refused come last. `first`: preferred among the others.
 */
export const listUsableTerminals = async (db: Db, accountId: number, first = ''): Promise<UsableTerminal[]> =>
  (
    await db
      .select()
      .from(terminals)
      .where(eq(terminals.accountId, accountId))
      .orderBy(
        sql`${terminals.refusedAt} IS NOT NULL`,
        sql`${terminals.terminalId} <> ${first}`,
        asc(terminals.createdAt),
        asc(terminals.terminalId),
      )
  ).map((row) => ({ ...terminalRef(row), refusedAt: row.refusedAt }));

/** Note that the card provider refused a terminal's credentials (ms), or null: it has taken them again. */
export async function recordRefusal(
  db: Db,
  { accountId, terminalId }: Pick<TerminalRef, 'accountId' | 'terminalId'>,
  at: number | null,
): Promise<void> {
  await db
    .update(terminals)
    .set({ refusedAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}

export type NewTerminalRow = Omit<typeof terminals.$inferInsert, 'createdAt'>;

/** Upsert a terminal if the condition holds: a statement for a batch, or to be awaited alone. */
export function upsertTerminal(db: Db, row: NewTerminalRow, now: number, condition = sql`1`) {
  // The key is left out: setting it, even to the same value, makes SQLite check every row that points to it.
  const { accountId: _, terminalId: __, ...facts } = row;
  return db
    .insert(terminals)
    .select(selectValues(terminals, { ...row, createdAt: now }, condition))
    .onConflictDoUpdate({
      target: [terminals.accountId, terminals.terminalId],
      // Its key may be a new one, so what was refused before says nothing.
      set: { ...facts, refusedAt: null },
    });
}

/** Note that a counter terminal has just answered. */
export async function recordResponse(db: Db, { accountId, terminalId }: TerminalRef, at: number): Promise<void> {
  await db
    .update(terminals)
    .set({ heardAt: at })
    .where(and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)));
}
