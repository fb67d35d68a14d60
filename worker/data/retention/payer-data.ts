import { deleteSignatures, listOldFiles } from '#worker/data/preview/signatures';
import type { Db } from '../db.ts';
import { OPEN_STATES, WITH_PAYER } from '../schema/payments.ts';
import { TWO_YEARS } from '../schema/table.ts';
import { fileLifetimes } from './file-lifetimes.ts';

/** The maximum number of rows per run. Files are deleted before their rows, so that no file is left without a row. */

const ROWS_PER_RUN = 50;
/** The size of a page of the bucket. One page is read per hour, so a full pass takes long but costs little. */
const PAGE_SIZE = 1000;
const PAGE_INTERVAL_MS = 3_600_000;

/**
 * Assignments that blank the data of the payer, or of the person who started the sale, on an attempt; the amounts stay.
 */
export const BLANK_PAYER = `signature_key = NULL, payer_first_name = '', payer_last_name = '', payer_address = '',
  payer_address2 = '', payer_city = '', payer_state = '', payer_zip = '', receipt_to = '', started_by = '',
  signed_words = '', billed_to = '', bill_lines = ''`;

const SIGNATURES = 'signatures/';
/** Older files are deleted, even if a row still refers to them. */
const MAX_FILE_AGE_MS = fileLifetimes[SIGNATURES].ms;

const isExpired = `settled_at < ?1 AND state NOT IN ${OPEN_STATES} AND ${WITH_PAYER}`;

const SELECT_PAYERS = `SELECT id, signature_key AS imageKey FROM payment_attempts INDEXED BY payment_attempts_with_payer
WHERE ${isExpired} ORDER BY settled_at LIMIT ${ROWS_PER_RUN}`;
const SELECT_PRINTED = `SELECT image_key AS imageKey FROM invoice_signatures INDEXED BY invoice_signatures_saved
WHERE saved_at < ?1 ORDER BY saved_at LIMIT ${ROWS_PER_RUN}`;
/** The clinic's own prefix, and the position of the walk over it. */
const SELECT_WALKS = `SELECT '${SIGNATURES}' || account_id || '/' AS prefix, coalesce(after_key, '') AS afterKey,
  coalesce(next_at, 0) AS nextAt
FROM accounts LEFT JOIN bucket_cursors ON prefix = '${SIGNATURES}' || account_id || '/'`;

type FileRow = { id?: string; imageKey: string | null };
type Walk = { prefix: string; afterKey: string; nextAt: number };

/**
 * Blank expired payers and delete expired signatures with their files, and continue the search for files without a row.
 * True if there may be more.
 */
export async function deleteExpiredSignatures({ $client }: Db, media: R2Bucket, now: number): Promise<boolean> {
  const cutoff = now - TWO_YEARS;
  const [payers, printed, walks] = await $client.batch<FileRow & Walk>([
    $client.prepare(SELECT_PAYERS).bind(cutoff),
    $client.prepare(SELECT_PRINTED).bind(cutoff),
    $client.prepare(SELECT_WALKS),
  ]);
  const rows = [...(payers?.results ?? []), ...(printed?.results ?? [])];
  if (rows.length > 0) {
    await deleteSignatures(media, keysOf(rows));
    await $client.batch([
      $client
        .prepare(
          `UPDATE payment_attempts SET ${BLANK_PAYER} WHERE id IN (SELECT value FROM json_each(?2)) AND ${isExpired}`,
        )
        .bind(cutoff, JSON.stringify((payers?.results ?? []).map(({ id }) => id))),
      $client
        .prepare(
          `DELETE FROM invoice_signatures WHERE rowid IN (SELECT rowid FROM invoice_signatures INDEXED BY invoice_signatures_saved
WHERE saved_at < ?1 ORDER BY saved_at LIMIT ${ROWS_PER_RUN}) AND image_key IN (SELECT value FROM json_each(?2))`,
        )
        .bind(cutoff, JSON.stringify(keysOf(printed?.results ?? []))),
    ]);
  }
  for (const { prefix, afterKey, nextAt } of walks?.results ?? []) {
    if (nextAt > now) continue;
    const { old, last } = await listOldFiles(media, prefix, afterKey, now - MAX_FILE_AGE_MS, PAGE_SIZE);
    if (old.length > 0) await deleteSignatures(media, old);
    await saveCursor($client, prefix, last, now);
  }
  return [payers, printed].some((result) => result?.results.length === ROWS_PER_RUN);
}

const keysOf = (rows: FileRow[]): string[] => rows.flatMap(({ imageKey }) => (imageKey === null ? [] : [imageKey]));

/** Stores the start of the next page of the bucket, and the time at which it is due. */
const saveCursor = ($client: D1Database, prefix: string, afterKey: string, now: number): Promise<unknown> =>
  $client
    .prepare(
      `INSERT INTO bucket_cursors (prefix, after_key, next_at) VALUES (?1, ?2, ?3)
ON CONFLICT (prefix) DO UPDATE SET after_key = excluded.after_key, next_at = excluded.next_at`,
    )
    .bind(prefix, afterKey, now + PAGE_INTERVAL_MS)
    .run();

const EVIDENCE = 'kept/';

/**
 * Delete expired evidence of erased clinics, one page of the bucket per hour. Always false, because there is never more
 * to do immediately.
 */
export async function deleteOldEvidence({ $client }: Db, media: R2Bucket, now: number): Promise<boolean> {
  const walk = await $client
    .prepare('SELECT after_key AS afterKey, next_at AS nextAt FROM bucket_cursors WHERE prefix = ?1')
    .bind(EVIDENCE)
    .first<{ afterKey: string; nextAt: number }>();
  if (walk && walk.nextAt > now) return false;
  const { old, last } = await listOldFiles(
    media,
    EVIDENCE,
    walk?.afterKey ?? '',
    now - fileLifetimes[EVIDENCE].ms,
    PAGE_SIZE,
  );
  if (old.length > 0) await deleteSignatures(media, old);
  await saveCursor($client, EVIDENCE, last, now);
  return false;
}
