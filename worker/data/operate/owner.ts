import type { Db } from '../db.ts';

/** Whose records a clinic's database holds, with the time zone; null: none yet. */
export const findOwner = ({ $client }: Db): Promise<{ account: number; timeZone: string } | null> =>
  $client
    .prepare('SELECT account_id AS account, time_zone AS timeZone FROM accounts LIMIT 1')
    .first<{ account: number; timeZone: string }>();
