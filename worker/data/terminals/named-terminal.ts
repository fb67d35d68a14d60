import { and, eq } from 'drizzle-orm';
import { terminals } from '#worker/data/schema/schema';
import type { Db } from '../db.ts';
import { terminalRef } from './terminals.ts';

/** A terminal with its name and its channel, by which the gateway's call for closing its batches is chosen. */
export async function findNamedTerminal(db: Db, accountId: number, terminalId: string) {
  const row = await db.query.terminals.findFirst({
    where: and(eq(terminals.accountId, accountId), eq(terminals.terminalId, terminalId)),
  });
  return row && { ref: terminalRef(row), channel: row.channel, name: row.name };
}
export type NamedTerminal = NonNullable<Awaited<ReturnType<typeof findNamedTerminal>>>;
