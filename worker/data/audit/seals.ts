import { type Anchor, EVENT_COLUMNS, type EventRow, type SealRow } from '#shared/audit-chain';
import type { Db } from '../db.ts';

/** The newest seal of an account, which the next one follows. */
export type SealHead = {
  accountId: number;
  /** UTC ms; 0 for the installation. */
  connectedAt: number;
  /** 0 and empty if there is no seal yet. */
  toSeq: number;
  hash: string;
};

/** A head with unsealed events. `since`: the time of the oldest one (UTC ms). */
export type UnsealedTrail = SealHead & { since: number };

/** The trails in a database: those of its accounts, or the installation's (account 0). */
export type Trails = 'accounts' | 'installation';

const OWNERS: Record<Trails, string> = {
  accounts: 'SELECT account_id, connected_at FROM accounts',
  installation: 'SELECT 0 AS account_id, 0 AS connected_at',
};

const HEAD = `a.account_id AS accountId, a.connected_at AS connectedAt, coalesce(s.to_seq, 0) AS toSeq,
  coalesce(s.hash, '') AS hash`;
const fromHeads = (trails: Trails) => `FROM (${OWNERS[trails]}) a
LEFT JOIN audit_seals s ON s.account_id = a.account_id
  AND s.from_seq = (SELECT max(from_seq) FROM audit_seals WHERE account_id = a.account_id)`;

/** Accounts with unsealed events, the longest unsealed first. */
export async function listUnsealedTrails({ $client }: Db, trails: Trails, limit: number): Promise<UnsealedTrail[]> {
  const { results } = await $client
    .prepare(
      `SELECT ${HEAD}, (SELECT at FROM audit_events WHERE account_id = a.account_id AND seq > coalesce(s.to_seq, 0)
  ORDER BY seq LIMIT 1) AS since
${fromHeads(trails)} WHERE (SELECT max(seq) FROM audit_events WHERE account_id = a.account_id) > coalesce(s.to_seq, 0)
ORDER BY coalesce(s.at, 0) LIMIT ?1`,
    )
    .bind(limit)
    .all<UnsealedTrail>();
  return results;
}

/** The newest seal of each trail that has one. */
export async function listHeads({ $client }: Db, trails: Trails): Promise<SealHead[]> {
  const { results } = await $client
    .prepare(`SELECT ${HEAD} ${fromHeads(trails)} WHERE s.to_seq IS NOT NULL ORDER BY a.account_id`)
    .all<SealHead>();
  return results;
}

/** The events after the number `seq`, in order, with the fields that are hashed. */
export async function listEventsAfter(
  { $client }: Db,
  accountId: number,
  seq: number,
  limit: number,
): Promise<EventRow[]> {
  const { results } = await $client
    .prepare(
      `SELECT ${EVENT_COLUMNS.join(', ')} FROM audit_events WHERE account_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
    )
    .bind(accountId, seq, limit)
    .all<EventRow>();
  return results;
}

/** Insert a seal. False if another run sealed from this number first. */
export async function insertSeal({ $client }: Db, seal: SealRow): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `INSERT INTO audit_seals (account_id, from_seq, to_seq, rows_hash, prev_hash, hash, at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING RETURNING to_seq`,
    )
    .bind(seal.account_id, seal.from_seq, seal.to_seq, seal.rows_hash, seal.prev_hash, seal.hash, seal.at)
    .all();
  return results.length === 1;
}

/** The seal over an account's oldest events, if these may be deleted. */
type OldSeal = { account_id: number; from_seq: number; to_seq: number };

/**
 * Delete the events under seals older than `cutoff` (UTC ms), for one seal per account and call. The seals are kept. An
 * account's newest event is kept too, because the next event number follows it.
 */
export async function deleteOldEvents(
  { $client }: Db,
  trails: Trails,
  cutoff: number,
  limit: number,
): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `SELECT s.account_id, s.from_seq, s.to_seq FROM (${OWNERS[trails]}) a
CROSS JOIN audit_seals s ON s.account_id = a.account_id AND s.from_seq = (SELECT max(from_seq) FROM audit_seals
  WHERE account_id = a.account_id AND from_seq <= (SELECT min(seq) FROM audit_events WHERE account_id = a.account_id))
WHERE s.at < ?1 AND s.to_seq < (SELECT max(seq) FROM audit_events WHERE account_id = a.account_id) LIMIT ?2`,
    )
    .bind(cutoff, limit)
    .all<OldSeal>();
  const [first, ...others] = results.map(({ account_id, from_seq, to_seq }) =>
    $client
      .prepare('DELETE FROM audit_events WHERE account_id = ?1 AND seq BETWEEN ?2 AND ?3')
      .bind(account_id, from_seq, to_seq),
  );
  if (first) await $client.batch([first, ...others]);
  return first !== undefined;
}

/** Days are UTC, as YYYY-MM-DD, so keys sort by day. */
const keyOf = (day: string) => `anchors/${day}.json`;
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const hasAnchor = async (bucket: R2Bucket, day: string): Promise<boolean> =>
  (await bucket.head(keyOf(day))) !== null;

/** Write a day's anchor. False if it exists already; anchors are never replaced. */
export async function putAnchor(bucket: R2Bucket, day: string, anchor: Anchor): Promise<boolean> {
  const stored = await bucket.put(keyOf(day), JSON.stringify(anchor), {
    onlyIf: new Headers({ 'if-none-match': '*' }),
    httpMetadata: { contentType: 'application/json' },
  });
  return stored !== null;
}

/** The newest anchor of the last `days` before `now` (UTC ms); null if there is none. */
export async function readNewestAnchor(bucket: R2Bucket, now: number, days: number): Promise<Anchor | null> {
  for (let daysAgo = 0; daysAgo < days; daysAgo++) {
    const stored = await bucket.get(keyOf(dayOf(now - daysAgo * 86_400_000)));
    if (stored) return stored.json<Anchor>();
  }
  return null;
}

/** The anchors of the last `days`, newest first. */
export async function listAnchors(bucket: R2Bucket, now: number, days: number): Promise<Anchor[]> {
  const keys = Array.from({ length: days }, (_, daysAgo) => keyOf(dayOf(now - daysAgo * 86_400_000)));
  const stored = await Promise.all(keys.map(async (key) => (await bucket.get(key))?.json<Anchor>()));
  return stored.filter((anchor) => anchor !== undefined);
}
