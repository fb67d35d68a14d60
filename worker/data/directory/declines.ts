import type { Db } from '../db.ts';

/** Declines of an address in all clinics since `since` (UTC ms). */
export async function countDeclines({ $client }: Db, ipKey: string, since: number): Promise<number> {
  const row = await $client
    .prepare('SELECT count(*) AS n FROM declines WHERE ip_key = ?1 AND at > ?2')
    .bind(ipKey, since)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** Note a decline of an address. `at`: UTC ms. */
export async function addDecline({ $client }: Db, ipKey: string, at: number): Promise<void> {
  await $client.prepare('INSERT INTO declines (ip_key, at) VALUES (?1, ?2)').bind(ipKey, at).run();
}
