import { and, eq } from 'drizzle-orm';
import { type ArchiveKind, type ArchiveRow, archives } from '#worker/data/schema/leaving';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';

/** The download of one kind; undefined: nobody asked for one. */
export const findArchive = async (db: Db, kind: ArchiveKind): Promise<ArchiveRow | undefined> =>
  (await db.select().from(archives).where(eq(archives.kind, kind)))[0];

export const listArchives = (db: Db): Promise<ArchiveRow[]> => db.select().from(archives);

type NewArchive = Pick<ArchiveRow, 'accountId' | 'kind' | 'id' | 'requestedAt' | 'endsAt'>;

/**
 * Ask for a download, in place of one that is ready; one that is being made goes on. Times in UTC ms. True: it was asked
 * for now.
 */
export async function askForArchive({ $client }: Db, asked: NewArchive, event: TextEvent): Promise<boolean> {
  const [written] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO archives (account_id, kind, id, requested_at, due_at, ends_at) VALUES (?1, ?2, ?3, ?4, ?4, ?5)
ON CONFLICT (account_id, kind) DO UPDATE SET id = ?3, requested_at = ?4, due_at = ?4, ends_at = ?5, tries = 0, progress = '',
ready_at = NULL WHERE ready_at IS NOT NULL`,
      )
      .bind(asked.accountId, asked.kind, asked.id, asked.requestedAt, asked.endsAt),
    eventStatement($client, event),
  ]);
  return (written?.meta.changes ?? 0) > 0;
}

/** Whether this run may go on with it; who dies with it is succeeded at `until` (UTC ms). */
export async function claimArchive({ $client }: Db, { kind, id, dueAt }: ArchiveRow, until: number): Promise<boolean> {
  const { meta } = await $client
    .prepare('UPDATE archives SET due_at = ?4 WHERE kind = ?1 AND id = ?2 AND due_at = ?3')
    .bind(kind, id, dueAt, until)
    .run();
  return meta.changes === 1;
}

type Change = Partial<Pick<ArchiveRow, 'dueAt' | 'progress' | 'tries' | 'readyAt' | 'endsAt'>>;

export async function changeArchive(db: Db, { kind, id }: ArchiveRow, change: Change): Promise<void> {
  await db
    .update(archives)
    .set(change)
    .where(and(eq(archives.kind, kind), eq(archives.id, id)));
}

export async function dropArchive(db: Db, { kind, id }: ArchiveRow): Promise<void> {
  await db.delete(archives).where(and(eq(archives.kind, kind), eq(archives.id, id)));
}

/** Up to which row ids tables are read: what comes later is in none of them, so that nothing points to what is missing. */
export async function cutsOf({ $client }: Db, tables: readonly DeclaredTable[]): Promise<Record<string, number>> {
  const some = tables.filter(({ key: [first] }) => first === 'rowid');
  const found = await $client
    .prepare(`SELECT ${some.map(({ name }) => `(SELECT coalesce(max(rowid), 0) FROM ${name}) AS ${name}`).join(', ')}`)
    .first<Record<string, number>>();
  if (!found) throw new Error('the clinic gave no figures');
  return found;
}

/** The number of the newest event: while it stays, nothing was done. */
export async function newestEvent({ $client }: Db): Promise<number> {
  const found = await $client.prepare('SELECT coalesce(max(seq), 0) AS n FROM audit_events').first<number>('n');
  return found ?? 0;
}

/** `place`: a row id. `key`: of a file. */
export type Named = { place: number; id: string; key: string };

/** What rows name outside their own columns, each with a query for the next ones between two row ids. */
const NAMED = {
  payments: `SELECT rowid AS place, id, signature_key AS key FROM payment_attempts
WHERE rowid > ?1 AND rowid <= ?2 AND signature_key IS NOT NULL ORDER BY rowid LIMIT ?3`,
  invoices: `SELECT rowid AS place, invoice_id AS id, image_key AS key FROM invoice_signatures
WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid LIMIT ?3`,
};
export type NamedBy = keyof typeof NAMED;
/** The table whose row ids a kind goes by. */
export const namedIn: Record<NamedBy, string> = {
  payments: 'payment_attempts',
  invoices: 'invoice_signatures',
};

export async function nextNamed(
  { $client }: Db,
  by: NamedBy,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<Named[]> {
  return (await $client.prepare(NAMED[by]).bind(after, upTo, limit).all<Named>()).results;
}

/** How many files and receipts there are in all, for the progress. */
export async function countNamed({ $client }: Db): Promise<number> {
  const found = await $client
    .prepare(
      `SELECT (SELECT count(*) FROM payment_attempts WHERE signature_key IS NOT NULL)
+ (SELECT count(*) FROM invoice_signatures) + (SELECT count(*) FROM payment_attempts
WHERE state IN ('approved', 'pending', 'returned', 'voided', 'refunded')) AS n`,
    )
    .first<number>('n');
  return found ?? 0;
}
