import { eq } from 'drizzle-orm';
import { type DumpRow, type DumpTableRow, dumps, dumpTables } from '#worker/data/schema/dumps';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import type { After } from './export.ts';

/** `key` of the file, `sha256` of its text before it was packed. */
export type DumpedPiece = { key: string; table: string; rows: number; sha256: string };

/** The state of the nightly dump of this database; undefined: none was ever planned. */
export const findDump = async (db: Db): Promise<DumpRow | undefined> => (await db.select().from(dumps))[0];

/** Plan the first dump. Times in UTC ms. */
export async function planDump(db: Db, dueAt: number, now: number): Promise<void> {
  await db.insert(dumps).values({ id: 1, dueAt, endedAt: now }).onConflictDoNothing();
}

/** Whether this run may go on with the dump; who dies with it is succeeded at `until` (ms). */
export async function claimDump({ $client }: Db, { dueAt }: DumpRow, until: number): Promise<boolean> {
  const { meta } = await $client.prepare('UPDATE dumps SET due_at = ?2 WHERE due_at = ?1').bind(dueAt, until).run();
  return meta.changes === 1;
}

export async function delayDump(db: Db, dueAt: number): Promise<void> {
  await db.update(dumps).set({ dueAt });
}

/**
 * Begin a dump anew. Rows that come after this moment are not in it, in no table: so what is dumped later points to
 * nothing that was dumped before and lacks it.
 */
export async function beginDump(
  { $client }: Db,
  tables: readonly DeclaredTable[],
  { folder, now }: { folder: string; now: number },
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `UPDATE dumps SET folder = ?1, began_at = ?2, tries = tries + 1,
mark = (SELECT coalesce(max(seq), 0) FROM audit_events)`,
      )
      .bind(folder, now),
    $client.prepare('DELETE FROM dump_tables'),
    ...tables.map(({ name, key }) =>
      $client.prepare(
        `INSERT INTO dump_tables (name, cut) VALUES ('${name}',
${key[0] === 'rowid' ? `(SELECT coalesce(max(rowid), 0) FROM ${name})` : 'NULL'})`,
      ),
    ),
  ]);
}

export const listDumpTables = (db: Db): Promise<DumpTableRow[]> => db.select().from(dumpTables);

/** Note the pieces of a table that are stored, and where it goes on; null: it is whole. */
export async function notePiece(
  db: Db,
  state: DumpTableRow,
  pieces: DumpedPiece[],
  next: After | null,
): Promise<DumpTableRow> {
  const noted = { pieces: JSON.stringify(pieces), after: JSON.stringify(next), isWhole: next ? 0 : 1 };
  await db.update(dumpTables).set(noted).where(eq(dumpTables.name, state.name));
  return { ...state, ...noted };
}

/** How many acts there were since the dump under way began. */
export async function actsSince({ $client }: Db): Promise<number> {
  const acts = await $client
    .prepare('SELECT (SELECT coalesce(max(seq), 0) FROM audit_events) - mark AS n FROM dumps')
    .first<number>('n');
  return acts ?? 0;
}

/** The ledger's sum of each local day, in cents. `upTo`: no row behind this row id. */
export async function sumLedgerDays({ $client }: Db, upTo: number | null = null): Promise<Record<string, number>> {
  const { results } = await $client
    .prepare(
      `SELECT day, sum(amount_cents) AS n FROM ledger WHERE rowid <= coalesce(?1, rowid) GROUP BY day ORDER BY day`,
    )
    .bind(upTo)
    .all<{ day: string; n: number }>();
  return Object.fromEntries(results.map(({ day, n }) => [day, n]));
}

/** The dump has ended: what it noted goes. Times in UTC ms. */
export async function endDump({ $client }: Db, { dueAt, at, month }: { dueAt: number; at: number; month: string }) {
  await $client.batch([
    $client
      .prepare("UPDATE dumps SET due_at = ?1, ended_at = ?2, month = ?3, folder = '', tries = 0")
      .bind(dueAt, at, month),
    $client.prepare('DELETE FROM dump_tables'),
  ]);
}

/** Give up what was written: the next turn begins anew. `dueAt`: UTC ms. */
export async function dropDump(db: Db, dueAt: number): Promise<void> {
  await db.update(dumps).set({ folder: '', dueAt });
}

export async function noteFiles(db: Db, files: Record<string, number>): Promise<void> {
  await db.update(dumps).set({ files: JSON.stringify(files) });
}
