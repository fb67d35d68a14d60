import type { Db } from '../db.ts';

/** A table with sealed values that may be opened later. Emails that have been sent are never opened again. */
type Place = { table: string; columns: Record<string, string>; ids: string[]; when?: string };

export const sealedPlaces = {
  grants: {
    table: 'crm_tokens',
    columns: { accessToken: 'access_token', refreshToken: 'refresh_token' },
    ids: ['account_id'],
  },
  terminals: { table: 'terminals', columns: { apiKey: 'api_key' }, ids: ['account_id', 'terminal_id'] },
  mails: {
    table: 'outbox INDEXED BY outbox_due',
    columns: { token: "json_extract(details, '$.token')" },
    ids: ['id'],
    when: "state = 'due'",
  },
} as const satisfies Record<string, Place>;

/** A sealed value starts with the id of its key and a dot. */
const keyOf = (column: string) => `substr(${column}, 1, instr(${column}, '.') - 1)`;

const countByKey = (selectedPlaces: Place[]): string =>
  `SELECT key_id, count(*) AS n FROM (${selectedPlaces
    .flatMap(({ table, columns, when }) =>
      Object.values(columns).map(
        (column) => `SELECT ${keyOf(column)} AS key_id FROM ${table} WHERE ${when ?? 'true'} AND ${column} IS NOT NULL`,
      ),
    )
    .join(' UNION ALL ')}) GROUP BY key_id ORDER BY key_id`;

/** Counts the sealed values of all places by key: rows of `key_id` and `n`. For a clinic's database. */
export const COUNT_BY_KEY = countByKey(Object.values(sealedPlaces));
/** Counts the sealed values of the installation's database, which has no grants or terminals. */
export const INSTALLATION_COUNT_BY_KEY = countByKey([sealedPlaces.mails]);

/** Ids of all keys that seal a value in a clinic's database. */
export async function listKeysInUse({ $client }: Db): Promise<string[]> {
  const { results } = await $client.prepare(COUNT_BY_KEY).all<{ key_id: string }>();
  return results.map(({ key_id }) => key_id);
}

export type SealedGrant = { account_id: number; accessToken: string; refreshToken: string };
export type SealedTerminal = { account_id: number; terminal_id: string; apiKey: string };
export type SealedMail = { id: string; token: string };
export type SealedValues = { grants: SealedGrant[]; terminals: SealedTerminal[]; mails: SealedMail[] };

const selectSealedRows = ({ table, columns, ids, when }: Place, limit: number): string => {
  const selected = Object.entries(columns).map(([name, column]) => `${column} AS ${name}`);
  const isOld = Object.values(columns).map((column) => `${keyOf(column)} IN (SELECT value FROM json_each(?1))`);
  return `SELECT ${[...ids, ...selected].join(', ')} FROM ${table}
WHERE ${when ? `${when} AND ` : ''}(${isOld.join(' OR ')}) LIMIT ${limit}`;
};

/**
 * Rows with a value sealed by one of these keys, at most `limit` per place. The installation has no grants or
 * terminals.
 */
export async function listSealedWith(
  { $client }: Db,
  database: 'clinic' | 'installation',
  keyIds: string[],
  limit: number,
): Promise<SealedValues> {
  const ids = JSON.stringify(keyIds);
  const prepare = (place: Place) => $client.prepare(selectSealedRows(place, limit)).bind(ids);
  const [mails, grants, terminals] = await $client.batch([
    prepare(sealedPlaces.mails),
    ...(database === 'clinic' ? [prepare(sealedPlaces.grants), prepare(sealedPlaces.terminals)] : []),
  ]);
  return {
    grants: (grants?.results ?? []) as SealedGrant[],
    terminals: (terminals?.results ?? []) as SealedTerminal[],
    mails: (mails?.results ?? []) as SealedMail[],
  };
}

/** A sealed row before and after it was resealed. */
export type Resealed =
  | { place: 'grants'; previous: SealedGrant; resealed: SealedGrant }
  | { place: 'terminals'; previous: SealedTerminal; resealed: SealedTerminal }
  | { place: 'mails'; previous: SealedMail; resealed: SealedMail };

/**
 * Replace each value only if it is unchanged since it was read, so that a newer token is not overwritten. A grant's
 * version is not increased, so that a refresh in progress can still be stored.
 */
export async function replaceSealed({ $client }: Db, rows: Resealed[]): Promise<void> {
  if (rows.length === 0) return;
  const write = (sql: string, ...values: (string | number)[]) => $client.prepare(sql).bind(...values);
  const writes = {
    grants: (previous: SealedGrant, resealed: SealedGrant) =>
      write(
        `UPDATE crm_tokens SET access_token = ?1, refresh_token = ?2
WHERE account_id = ?3 AND access_token = ?4 AND refresh_token = ?5`,
        ...[
          resealed.accessToken,
          resealed.refreshToken,
          previous.account_id,
          previous.accessToken,
          previous.refreshToken,
        ],
      ),
    terminals: (previous: SealedTerminal, resealed: SealedTerminal) =>
      write(
        'UPDATE terminals SET api_key = ?1 WHERE account_id = ?2 AND terminal_id = ?3 AND api_key = ?4',
        ...[resealed.apiKey, previous.account_id, previous.terminal_id, previous.apiKey],
      ),
    mails: (previous: SealedMail, resealed: SealedMail) =>
      write(
        `UPDATE outbox SET details = json_set(details, '$.token', ?1)
WHERE id = ?2 AND json_extract(details, '$.token') = ?3`,
        ...[resealed.token, previous.id, previous.token],
      ),
  };
  await $client.batch([
    ...rows.flatMap((row) => (row.place === 'grants' ? [writes.grants(row.previous, row.resealed)] : [])),
    ...rows.flatMap((row) => (row.place === 'terminals' ? [writes.terminals(row.previous, row.resealed)] : [])),
    ...rows.flatMap((row) => (row.place === 'mails' ? [writes.mails(row.previous, row.resealed)] : [])),
  ]);
}

export type KeyName = { ring: 'TOKEN_KEYS' | 'SESSION_KEYS'; keyId: string };

/**
 * Record the time from which older keys have been unused. The row of a key is deleted if the key is in use again, is
 * first in its ring, or has left the ring, so that a later row starts with a new time.
 */
export async function recordRetiredKeys({ $client }: Db, unusedKeys: KeyName[], now: number): Promise<void> {
  const names = JSON.stringify(unusedKeys);
  await $client.batch([
    $client
      .prepare(
        `DELETE FROM retired_keys WHERE (ring, key_id) NOT IN (
SELECT value ->> 'ring', value ->> 'keyId' FROM json_each(?1))`,
      )
      .bind(names),
    $client
      .prepare(
        `INSERT INTO retired_keys (ring, key_id, unused_since)
SELECT value ->> 'ring', value ->> 'keyId', ?2 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(names, now),
  ]);
}
