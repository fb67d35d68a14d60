import type { Language } from '#shared/words/language';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** The capability by which an address stops the reminders of this account; it has one, so `token` may not become it. */
export async function stopTokenOf(
  { $client }: Db,
  { accountId, address, token }: { accountId: number; address: string; token: string },
  now: number,
): Promise<string> {
  const row = await $client
    .prepare(
      `INSERT INTO reminder_opt_outs (token, account_id, address, made_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account_id, address) DO UPDATE SET made_at = ?4 RETURNING token`,
    )
    .bind(token, accountId, address.toLowerCase(), now)
    .first<{ token: string }>();
  if (!row) throw new Error('an address has no token');
  return row.token;
}

export type Stop = { accountId: number; business: string; stoppedAt: number | null; payerLanguage: Language };

/** Whose reminders a capability stops. Null: it was let go of. */
export const findStop = ({ $client }: Db, token: string): Promise<Stop | null> =>
  $client
    .prepare(
      `SELECT s.account_id AS accountId, s.stopped_at AS stoppedAt, h.payer_language AS payerLanguage,
        CASE WHEN m.status <> 'applying' THEN m.name ELSE h.name END AS business
        FROM reminder_opt_outs s JOIN accounts h ON h.account_id = s.account_id LEFT JOIN merchants m ON m.account_id = s.account_id
        WHERE s.token = ?1`,
    )
    .bind(token)
    .first<Stop>();

/** Stop them; a second time changes nothing. */
export async function stopBy({ $client }: Db, token: string, now: number, event: TextEvent): Promise<void> {
  await $client.batch([
    $client
      .prepare('UPDATE reminder_opt_outs SET stopped_at = ?2 WHERE token = ?1 AND stopped_at IS NULL')
      .bind(token, now),
    eventStatement($client, event),
  ]);
}
