import type { Db } from '../db.ts';

export type KeyName = { ring: 'TOKEN_KEYS' | 'SESSION_KEYS'; keyId: string };

/**
 * Note since when older keys are unused. A key that is in use again, in front of its ring or gone from it loses its
 * row, so that a later note begins anew.
 */
export async function noteRetiredKeys({ $client }: Db, unused: KeyName[], now: number): Promise<void> {
  const names = JSON.stringify(unused);
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
