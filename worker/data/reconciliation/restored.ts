import type { Db } from '../db.ts';

/** Until when (ms) an account's money stands still after its clinic was put back; null: it never was. */
export const findRestoredAt = ({ $client }: Db, accountId: number): Promise<number | null> =>
  $client
    .prepare('SELECT restored_at FROM accounts WHERE account_id = ?1')
    .bind(accountId)
    .first<number>('restored_at');

/** The same for whichever account the database at hand is of. */
export const findNewestRestore = ({ $client }: Db): Promise<number | null> =>
  $client.prepare('SELECT max(restored_at) AS at FROM accounts').first<number>('at');

/** Whether the CRM's records are still being copied for the first time, or once more after a restore. */
export const isCopying = async ({ $client }: Db): Promise<boolean> =>
  (await $client.prepare('SELECT 1 AS is_so FROM crm_sync_states WHERE complete_at IS NULL LIMIT 1').first('is_so')) !==
  null;
