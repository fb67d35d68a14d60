import { and, eq } from 'drizzle-orm';
import { type ArchiveKind, type ArchiveRow, archives } from '#worker/data/schema/operate';
import { accounts, ledger, merchants, paymentAttempts } from '#worker/data/schema/schema';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import type { ReceiptRows } from '../mail/receipts.ts';
import { listReceiptParts } from '../mail/receipts.ts';
import { deletePrefix } from '../operate/erase.ts';
import type { DeclaredTable } from '../schema/table.ts';

/** The download of a kind; undefined if none was requested. */
export const findArchive = async (db: Db, kind: ArchiveKind): Promise<ArchiveRow | undefined> =>
  (await db.select().from(archives).where(eq(archives.kind, kind)))[0];

export const listArchives = (db: Db): Promise<ArchiveRow[]> => db.select().from(archives);

type NewArchive = Pick<ArchiveRow, 'accountId' | 'kind' | 'id' | 'requestedAt' | 'endsAt'>;

/** Request a download. It replaces one that is ready, but not one in progress. Times in UTC ms. True if it is new. */
export async function replaceArchive({ $client }: Db, archive: NewArchive, event: TextEvent): Promise<boolean> {
  const [inserted] = await $client.batch([
    $client
      .prepare(
        `INSERT INTO archives (account_id, kind, id, requested_at, due_at, ends_at) VALUES (?1, ?2, ?3, ?4, ?4, ?5)
ON CONFLICT (account_id, kind) DO UPDATE SET id = ?3, requested_at = ?4, due_at = ?4, ends_at = ?5, tries = 0, progress = '',
ready_at = NULL WHERE ready_at IS NOT NULL`,
      )
      .bind(archive.accountId, archive.kind, archive.id, archive.requestedAt, archive.endsAt),
    eventStatement($client, event),
  ]);
  return (inserted?.meta.changes ?? 0) > 0;
}

/** True if this run may continue the download. If the run dies, another one may continue at `until` (UTC ms). */
export async function claimArchive({ $client }: Db, { kind, id, dueAt }: ArchiveRow, until: number): Promise<boolean> {
  const { meta } = await $client
    .prepare('UPDATE archives SET due_at = ?4 WHERE kind = ?1 AND id = ?2 AND due_at = ?3')
    .bind(kind, id, dueAt, until)
    .run();
  return meta.changes === 1;
}

type ArchiveChange = Partial<Pick<ArchiveRow, 'dueAt' | 'progress' | 'tries' | 'readyAt' | 'endsAt'>>;

export async function changeArchive(db: Db, { kind, id }: ArchiveRow, change: ArchiveChange): Promise<void> {
  await db
    .update(archives)
    .set(change)
    .where(and(eq(archives.kind, kind), eq(archives.id, id)));
}

export async function deleteArchive(db: Db, { kind, id }: ArchiveRow): Promise<void> {
  await db.delete(archives).where(and(eq(archives.kind, kind), eq(archives.id, id)));
}

/**
 * The highest row id of each table when the export starts. Later rows are omitted from all tables with row ids, so that
 * no exported row refers to a missing one.
 */
export async function findMaxRowids(
  { $client }: Db,
  tables: readonly DeclaredTable[],
): Promise<Record<string, number>> {
  const rowidTables = tables.filter(({ key: [first] }) => first === 'rowid');
  const row = await $client
    .prepare(
      `SELECT ${rowidTables.map(({ name }) => `(SELECT coalesce(max(rowid), 0) FROM ${name}) AS ${name}`).join(', ')}`,
    )
    .first<Record<string, number>>();
  if (!row) throw new Error('the clinic gave no figures');
  return row;
}

/** The number of the newest event; it is unchanged if nothing has happened since. */
export async function findNewestEventNumber({ $client }: Db): Promise<number> {
  const n = await $client.prepare('SELECT coalesce(max(seq), 0) AS n FROM audit_events').first<number>('n');
  return n ?? 0;
}

/** `place`: a row id. `key`: the key of a file. */
export type ReferencedFile = { place: number; id: string; key: string };

/** The queries for the next files to which rows refer, in a range of row ids. */
const SELECT_REFERENCED = {
  payments: `SELECT rowid AS place, id, signature_key AS key FROM payment_attempts
WHERE rowid > ?1 AND rowid <= ?2 AND signature_key IS NOT NULL ORDER BY rowid LIMIT ?3`,
  invoices: `SELECT rowid AS place, invoice_id AS id, image_key AS key FROM invoice_signatures
WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid LIMIT ?3`,
};
export type ReferencingKind = keyof typeof SELECT_REFERENCED;
/** The table whose row ids a kind uses. */
export const referencingTables: Record<ReferencingKind, string> = {
  payments: 'payment_attempts',
  invoices: 'invoice_signatures',
};

export async function nextReferenced(
  { $client }: Db,
  kind: ReferencingKind,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<ReferencedFile[]> {
  return (await $client.prepare(SELECT_REFERENCED[kind]).bind(after, upTo, limit).all<ReferencedFile>()).results;
}

/** The total number of files and receipts, to show progress. */
export async function countReferenced({ $client }: Db): Promise<number> {
  const n = await $client
    .prepare(
      `SELECT (SELECT count(*) FROM payment_attempts WHERE signature_key IS NOT NULL)
+ (SELECT count(*) FROM invoice_signatures) + (SELECT count(*) FROM payment_attempts
WHERE state IN ('approved', 'pending', 'returned', 'voided', 'refunded')) AS n`,
    )
    .first<number>('n');
  return n ?? 0;
}

/** The folder of all downloads of a clinic, and of one download. */
export const folderOfClinic = (clinic: number): string => `exports/${clinic}/`;
const folderOf = (clinic: number, id: string): string => `${folderOfClinic(clinic)}${id}/`;

const binary = { httpMetadata: { contentType: 'application/octet-stream' } };

/** Store a part of the archive, and its lines in the directory. Writing a part again replaces it. */
export async function putPart(
  media: R2Bucket,
  { clinic, id, part }: { clinic: number; id: string; part: number },
  bytes: Uint8Array,
  lines: Uint8Array | null,
): Promise<void> {
  if (lines) await media.put(`${folderOf(clinic, id)}lines-${part}`, lines, binary);
  await media.put(`${folderOf(clinic, id)}part-${part}`, bytes, binary);
}

export const getPart = (media: R2Bucket, clinic: number, id: string, part: number): Promise<R2ObjectBody | null> =>
  media.get(`${folderOf(clinic, id)}part-${part}`);

/** The directory lines of a part. */
export async function getLines(media: R2Bucket, clinic: number, id: string, part: number): Promise<Uint8Array> {
  const stored = await media.get(`${folderOf(clinic, id)}lines-${part}`);
  if (!stored) throw new Error(`the directory of part ${part} is gone`);
  return new Uint8Array(await stored.arrayBuffer());
}

export const deleteArchiveFiles = (media: R2Bucket, clinic: number, id: string): Promise<number> =>
  deletePrefix(media, folderOf(clinic, id));

/** A file to which rows refer, such as a signature; null if it no longer exists. */
export async function getFile(media: R2Bucket, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await media.get(key);
  return stored && new Uint8Array(await stored.arrayBuffer());
}

/** The number of files under a prefix. */
export async function countFiles(media: R2Bucket, prefix: string): Promise<number> {
  let [n, cursor] = [0, undefined as string | undefined];
  do {
    const page: R2Objects = await media.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    n += page.objects.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return n;
}

const RESTORE_MANIFEST = 'restore.json';

/** Store the manifest of the current restore, after its signature has been verified as ours. */
export async function saveManifest(media: R2Bucket, clinic: number, manifest: unknown): Promise<void> {
  await media.put(`${folderOfClinic(clinic)}${RESTORE_MANIFEST}`, JSON.stringify(manifest));
}

/** Null if no archive is being restored into this clinic. */
export async function readManifest<T>(media: R2Bucket, clinic: number): Promise<T | null> {
  return (await (await media.get(`${folderOfClinic(clinic)}${RESTORE_MANIFEST}`))?.json<T>()) ?? null;
}

/** A payment that may have a receipt, with all its data. `place`: its row id. */
export type PaymentWithReceipt = ReceiptRows & { place: number };

const SELECT_ATTEMPTS = `SELECT a.rowid AS place, ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
WHERE a.rowid > ?1 AND a.rowid <= ?2 AND a.state IN ('approved', 'pending', 'returned', 'voided', 'refunded')
ORDER BY a.rowid LIMIT ?3`;
const SELECT_ENTRIES = `SELECT ${columnsOf(ledger, 'l', '')} FROM json_each(?1) ids JOIN ledger l ON l.attempt_id = ids.value
ORDER BY l.at`;

/** The next payments with the rows of their receipts, in two round trips. */
export async function nextReceipts(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<PaymentWithReceipt[]> {
  const { $client } = db;
  const [attempts, account, merchant] = await $client.batch<RawRow>([
    $client.prepare(SELECT_ATTEMPTS).bind(after, upTo, limit),
    $client.prepare(`SELECT ${columnsOf(accounts, 'h', '')} FROM accounts h LIMIT 1`),
    $client.prepare(`SELECT ${columnsOf(merchants, 'm', '')} FROM merchants m LIMIT 1`),
  ]);
  const [business, merchantRow] = [account?.results[0], merchant?.results[0]];
  const payments = (attempts?.results ?? []).map((raw) => ({
    attempt: rowOf(paymentAttempts, raw, ''),
    place: Number(raw.place),
  }));
  if (!business || payments.length === 0) return [];
  const ids = payments.map(({ attempt }) => attempt.id);
  const [{ results }, parts] = await Promise.all([
    $client.prepare(SELECT_ENTRIES).bind(JSON.stringify(ids)).all<RawRow>(),
    listReceiptParts(db, ids),
  ]);
  const entries = results.map((raw) => rowOf(ledger, raw, ''));
  return payments.map(({ attempt, place }) => ({
    place,
    attempt,
    account: rowOf(accounts, business, ''),
    merchant: merchantRow && rowOf(merchants, merchantRow, ''),
    entries: entries.filter(({ attemptId }) => attemptId === attempt.id),
    part: parts.get(attempt.id),
  }));
}
