import type { KeysInUse } from '#shared/contracts/operate';
import type { Db } from '../db.ts';
import { COUNT_BY_KEY, COUNT_MAILS_BY_KEY } from '../keys/sealed-values.ts';
import { INSTALLATION } from '../schema/audit.ts';

/** Which keys seal what is in the database at hand, and in the installation's since when older ones seal nothing. */
export async function keysInUse({ $client }: Db, account: number): Promise<KeysInUse> {
  if (account !== INSTALLATION) {
    const { results } = await $client.prepare(COUNT_BY_KEY).all<KeysInUse['counts'][number]>();
    return { counts: results, retired: [] };
  }
  const [counts, retired] = await $client.batch([
    $client.prepare(COUNT_MAILS_BY_KEY),
    $client.prepare('SELECT ring, key_id, unused_since FROM retired_keys'),
  ]);
  return {
    counts: (counts?.results ?? []) as KeysInUse['counts'],
    retired: (retired?.results ?? []) as KeysInUse['retired'],
  };
}
