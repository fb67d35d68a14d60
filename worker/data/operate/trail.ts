import { EVENT_COLUMNS } from '#shared/audit-chain';
import type { TrailEnds, TrailRows } from '#shared/contracts/operators/operate';
import type { Db } from '../db.ts';
import { INSTALLATION } from '../schema/audit.ts';

const EVENT_COLUMN_LIST = EVENT_COLUMNS.join(', ');
const SEAL_COLUMN_LIST = 'account_id, from_seq, to_seq, rows_hash, prev_hash, hash, at';
const MAX_ROWS = 1000;

/** The first and last events of an account's trail, and the initial value of its chain. */
export async function readTrailEnds({ $client }: Db, account: number): Promise<TrailEnds | null> {
  const connected = account === INSTALLATION ? '0' : '(SELECT connected_at FROM accounts WHERE account_id = ?1)';
  return $client
    .prepare(
      `SELECT ?1 AS accountId, coalesce(${connected}, 0) AS connectedAt,
coalesce((SELECT min(seq) FROM audit_events WHERE account_id = ?1), 0) AS first,
coalesce((SELECT max(seq) FROM audit_events WHERE account_id = ?1), 0) AS last`,
    )
    .bind(account)
    .first<TrailEnds>();
}

/** `to`: the last event number or, for seals, the maximum number of seals. */
export type TrailQuery = { kind: 'events' | 'seals'; from: number; to: number };

/** Events in a range of numbers, or seals after a number; 1000 at most. */
export async function readTrailRows(
  { $client }: Db,
  account: number,
  { kind, from, to }: TrailQuery,
): Promise<TrailRows> {
  const text =
    kind === 'events'
      ? `SELECT ${EVENT_COLUMN_LIST} FROM audit_events WHERE account_id = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq LIMIT ${MAX_ROWS}`
      : `SELECT ${SEAL_COLUMN_LIST} FROM audit_seals WHERE account_id = ?1 AND to_seq > ?2 ORDER BY from_seq LIMIT min(?3, ${MAX_ROWS})`;
  const { results } = await $client.prepare(text).bind(account, from, to).all<TrailRows['rows'][number]>();
  return { rows: results };
}
