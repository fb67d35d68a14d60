import { deleteSignatures, oldFilesAfter } from '#worker/data/preview/signatures';
import type { Db } from '../db.ts';
import { prefixes } from './prefixes.ts';

const KEPT = 'kept/';
const PAGE = 1000;
const PAGE_EVERY_MS = 3_600_000;

/** Delete what is left of erased clinics once its period is over: a page of the bucket an hour, so never at once more. */
export async function dropOldEvidence({ $client }: Db, media: R2Bucket, now: number): Promise<boolean> {
  const walk = await $client
    .prepare('SELECT after_key AS afterKey, next_at AS nextAt FROM bucket_cursors WHERE prefix = ?1')
    .bind(KEPT)
    .first<{ afterKey: string; nextAt: number }>();
  if (walk && walk.nextAt > now) return false;
  const { old, last } = await oldFilesAfter(media, KEPT, walk?.afterKey ?? '', now - prefixes[KEPT].ms, PAGE);
  if (old.length > 0) await deleteSignatures(media, old);
  await $client
    .prepare(
      `INSERT INTO bucket_cursors (prefix, after_key, next_at) VALUES (?1, ?2, ?3)
ON CONFLICT (prefix) DO UPDATE SET after_key = excluded.after_key, next_at = excluded.next_at`,
    )
    .bind(KEPT, last, now + PAGE_EVERY_MS)
    .run();
  return false;
}
