import type { Db } from '../db.ts';

/** A bank takes a debit back for this long (ms). */
const RETURNS_MS = 60 * 86_400_000;

/** While these stand, no payment, no reversal and no close of a batch can begin. */
const CLOSED = ['payment_attempts', 'reversals', 'batch_closes'].map((table) => ({
  name: `${table}_wait_for_erasure`,
  table,
}));

/** Let nothing begin any more: what is claimed after this fails, so what is seen after it is all. */
export async function closeForErasure({ $client }: Db): Promise<void> {
  await $client.batch(
    CLOSED.map(({ name, table }) =>
      $client.prepare(
        `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE INSERT ON ${table}
BEGIN SELECT RAISE(ABORT, 'this clinic is being erased'); END`,
      ),
    ),
  );
}

export async function openAgain({ $client }: Db): Promise<void> {
  await $client.batch(CLOSED.map(({ name }) => $client.prepare(`DROP TRIGGER IF EXISTS ${name}`)));
}

/** Why a clinic must stay: how many rows of each kind still wait for something. `now`: UTC ms. */
export type Standing = {
  payments: number;
  reversals: number;
  debits: number;
  closes: number;
};

export async function whatStands({ $client }: Db, now: number): Promise<Standing> {
  const found = await $client
    .prepare(
      `SELECT (SELECT count(*) FROM payment_attempts WHERE state IN ('sent', 'unknown', 'pending', 'needs_human')) AS payments,
(SELECT count(*) FROM reversals WHERE state IN ('sent', 'unknown', 'needs_human')) AS reversals,
(SELECT count(*) FROM payment_attempts WHERE method = 'ach' AND state = 'approved'
  AND coalesce(settled_at, created_at) > ?1) AS debits,
(SELECT count(*) FROM batch_closes WHERE state IN ('sent', 'unknown', 'processing')) AS closes`,
    )
    .bind(now - RETURNS_MS)
    .first<Standing>();
  if (!found) throw new Error('the clinic gave no figures');
  return found;
}

const PAGE = 1000;

/** Delete all files under a prefix; answers how many there were. */
export async function deletePrefix(bucket: R2Bucket, prefix: string): Promise<number> {
  for (let deleted = 0; ; ) {
    const page = await bucket.list({ prefix, limit: PAGE });
    const keys = page.objects.map(({ key }) => key);
    if (keys.length > 0) await bucket.delete(keys);
    deleted += keys.length;
    if (!page.truncated) return deleted;
  }
}
