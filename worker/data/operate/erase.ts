import type { Db } from '../db.ts';
import { jsonParts } from '../sql.ts';
import { columnsIn, type ExportRow } from './export.ts';

/** The time within which a bank may return a debit (ms). */
const RETURN_WINDOW_MS = 60 * 86_400_000;
/**
 * An undecided bank debit older than this (ms) no longer blocks an erasure, because the gateway forgets debits after 90
 * days.
 */
const MAX_UNDECIDED_DEBIT_AGE_MS = 92 * 86_400_000;

/** Triggers that block new payments, reversals, batch closes and approvals; `at`: the column with their time. */
const BLOCKING_TRIGGERS = [
  { table: 'payment_attempts', at: 'created_at' },
  { table: 'reversals', at: 'created_at' },
  { table: 'batch_closes', at: 'requested_at' },
  { table: 'approvals', at: 'requested_at' },
].map((blocked) => ({ ...blocked, name: `${blocked.table}_wait_for_erasure` }));

/**
 * Block all new claims before `until` (UTC ms), so that a later count is complete. The block expires by itself, so that
 * a Worker that dies here does not lock payers out.
 */
export async function blockNewClaims({ $client }: Db, until: number): Promise<void> {
  await $client.batch(
    BLOCKING_TRIGGERS.flatMap(({ name, table, at }) => [
      $client.prepare(`DROP TRIGGER IF EXISTS ${name}`),
      $client.prepare(
        `CREATE TRIGGER ${name} BEFORE INSERT ON ${table} WHEN NEW.${at} < ${Math.trunc(until)}
BEGIN SELECT RAISE(ABORT, 'this clinic is being erased'); END`,
      ),
    ]),
  );
}

/** The time (UTC ms) until which claims are blocked for an erasure, which may have passed; null if none began. */
export async function erasureBlockedUntil({ $client }: Db): Promise<number | null> {
  const text = await $client
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?1")
    .bind(BLOCKING_TRIGGERS[0]?.name ?? '')
    .first<string>('sql');
  const [, until] = / < (\d+)\s/.exec(text ?? '') ?? [];
  return until === undefined ? null : Number(until);
}

export async function liftErasureBlock({ $client }: Db): Promise<void> {
  await $client.batch(BLOCKING_TRIGGERS.map(({ name }) => $client.prepare(`DROP TRIGGER IF EXISTS ${name}`)));
}

/** The reasons why a clinic cannot be erased: the number of open rows of each kind. `now`: UTC ms. */
export type ErasureBlockers = {
  payments: number;
  reversals: number;
  debits: number;
  closes: number;
  /** Refunds that wait for a second person, or were approved but not started. */
  approvals: number;
  /** Payments and reversals that will be looked up once more, so that a late success is not missed. */
  looks: number;
  /** The time of the last of these lookups (UTC ms); null if there is none. */
  looksUntil: number | null;
};

/**
 * An erasure waits at most this long (ms) for lookups of payments and reversals that count as not made, because the
 * provider may never respond.
 */
const LOOKUP_WAIT_MS = 7 * 86_400_000;
const SELECT_OPEN_LOOKUPS = `SELECT next_check_at AS at FROM payment_attempts
  WHERE next_check_at IS NOT NULL AND coalesce(settled_at, created_at) > ?2 AND state IN ('not_charged', 'cancelled', 'timed_out')
UNION ALL SELECT next_check_at FROM reversals WHERE next_check_at IS NOT NULL AND coalesce(settled_at, created_at) > ?2 AND state = 'not_done'`;

export async function readBlockers({ $client }: Db, now: number): Promise<ErasureBlockers> {
  const row = await $client
    .prepare(
      `WITH open_looks AS (${SELECT_OPEN_LOOKUPS})
SELECT (SELECT count(*) FROM payment_attempts WHERE state IN ('sent', 'unknown', 'pending', 'needs_human')
  AND NOT (state = 'needs_human' AND needs_human_from = 'pending' AND created_at <= ?3)) AS payments,
(SELECT count(*) FROM reversals WHERE state IN ('sent', 'unknown', 'needs_human')) AS reversals,
(SELECT count(*) FROM payment_attempts WHERE method = 'ach' AND state IN ('approved', 'refunded')
  AND coalesce(settled_at, created_at) > ?1) AS debits,
(SELECT count(*) FROM batch_closes WHERE state IN ('sent', 'unknown', 'processing')) AS closes,
(SELECT count(*) FROM approvals WHERE next_try_at IS NOT NULL AND (state = 'approved' OR ends_at > ?4)) AS approvals,
(SELECT count(*) FROM open_looks) AS looks, (SELECT max(at) FROM open_looks) AS looksUntil`,
    )
    .bind(now - RETURN_WINDOW_MS, now - LOOKUP_WAIT_MS, now - MAX_UNDECIDED_DEBIT_AGE_MS, now)
    .first<ErasureBlockers>();
  if (!row) throw new Error('the clinic gave no figures');
  return row;
}

/**
 * The time at which this database was created (UTC ms). An object that loses its database gets a new one under the same
 * number.
 */
export const readCreationTime = ({ $client }: Db): Promise<number | null> =>
  $client.prepare('SELECT founded_at FROM clinic').first<number>('founded_at');

/** The list of the files in an erasure's evidence; written last. */
export const manifestOf = (prefix: string): string => `${prefix}manifest.json`;

/** The times at which complete evidence was written, and at which its database was created (UTC ms). */
export type Evidence = { at: number; foundedAt?: number };

/** The evidence under a prefix; null if it is missing or incomplete. */
export async function findEvidence(bucket: R2Bucket, prefix: string): Promise<Evidence | null> {
  const stored = await bucket.get(manifestOf(prefix));
  return (await stored?.json<Evidence>()) ?? null;
}

const PAGE_SIZE = 1000;

/** Delete all files under a prefix. Returns their number. */
export async function deletePrefix(bucket: R2Bucket, prefix: string): Promise<number> {
  for (let deleted = 0; ; ) {
    const page = await bucket.list({ prefix, limit: PAGE_SIZE });
    const keys = page.objects.map(({ key }) => key);
    if (keys.length > 0) await bucket.delete(keys);
    deleted += keys.length;
    if (!page.truncated) return deleted;
  }
}

/** The list of an account's erased clinics, stored next to their evidence. */
const indexKeyOf = (account: number): string => `kept/of-${account}.json`;

type Index = { clinics: number[] };

/** The numbers of an account's erased clinics, oldest first. */
export const listErasedClinics = async (bucket: R2Bucket, account: number): Promise<number[]> =>
  (await (await bucket.get(indexKeyOf(account)))?.json<Index>())?.clinics ?? [];

/** Add a clinic to the list of clinics whose evidence is kept for the account. */
export async function recordErasedClinic(bucket: R2Bucket, account: number, clinic: number): Promise<void> {
  const clinics = [...new Set([...(await listErasedClinics(bucket, account)), clinic])];
  await bucket.put(indexKeyOf(account), JSON.stringify({ clinics } satisfies Index));
}

type Manifest = { files: { key: string; table: string }[] };

/** The rows of some tables from the evidence under a prefix, one file at a time, in the order of `tables`. */
export async function* readEvidenceRows(
  bucket: R2Bucket,
  prefix: string,
  tables: readonly string[],
): AsyncGenerator<{ table: string; rows: ExportRow[] }> {
  const { files } = (await (await bucket.get(manifestOf(prefix)))?.json<Manifest>()) ?? { files: [] };
  for (const table of tables)
    for (const { key } of files.filter((file) => file.table === table)) {
      const text = await (await bucket.get(key))?.text();
      if (text === undefined) throw new Error(`${key} is not there, which its manifest names`);
      yield { table, rows: text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ExportRow] : [])) };
    }
}

/** Insert rows that do not exist yet; triggers run as usual. Omits columns that the table no longer has. */
export async function insertMissingRows(db: Db, table: string, rows: ExportRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const existing = await columnsIn(db, table);
  const names = Object.keys(first).filter((name) => existing.includes(name));
  const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')})
SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?1)`;
  for (const json of jsonParts(rows)) await db.$client.prepare(sql).bind(json).run();
}

/** Update an account's invoices from the restored payments. */
export async function updateInvoiceLabels({ $client }: Db, accountId: number): Promise<void> {
  await $client
    .prepare(
      `UPDATE invoices SET local_status = b.label, given_back_cents = b.given_back_cents, collection_base_cents = b.base_cents,
        collection_paid_cents = iif(b.base_cents IS NULL, 0, b.kept_cents)
      FROM invoice_labels b WHERE b.account_id = ?1 AND invoices.rowid = b.doc`,
    )
    .bind(accountId)
    .run();
}
