import { eventStatements, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

const OPEN_CARDS = {
  account: 'account_id = ?1 AND ended_at IS NULL',
  'deleted-contacts': `account_id = ?1 AND ended_at IS NULL AND contact_id IN (
  SELECT contact_id FROM contacts WHERE account_id = ?1 AND deleted_at IS NOT NULL)`,
};

/**
 * End all open cards of an account, or of its contacts that the CRM has deleted, and make their deletion at the provider
 * due, with an event for each card. `at`: UTC ms.
 */
export async function endOpenCards(
  { $client }: Db,
  { accountId, of, at }: { accountId: number; of: keyof typeof OPEN_CARDS; at: number },
  event: NewEvent,
): Promise<void> {
  await $client.batch([
    // Before the update, after which the cards are no longer open.
    eventStatements(
      $client,
      event,
      `SELECT id AS subject_id, '' AS before, json_object('card', brand, 'contact', contact_id, 'reason', 'erased') AS after
FROM stored_cards WHERE ${OPEN_CARDS[of]}`,
      [],
    ),
    $client
      .prepare(`UPDATE stored_cards SET ended_at = ?2, ended_reason = 'erased', next_at = ?2 WHERE ${OPEN_CARDS[of]}`)
      .bind(accountId, at),
  ]);
}

/** The number of ended cards that the provider has not deleted yet, and of those that ended after `since` (UTC ms). */
export async function countUndeletedCards(
  { $client }: Db,
  accountId: number,
  since: number,
): Promise<{ all: number; recent: number }> {
  const row = await $client
    .prepare(
      `SELECT count(*) AS "all", coalesce(sum(ended_at > ?2), 0) AS recent FROM stored_cards
WHERE account_id = ?1 AND ended_at IS NOT NULL AND next_at IS NOT NULL`,
    )
    .bind(accountId, since)
    .first<{ all: number; recent: number }>();
  if (!row) throw new Error('the database gave no count');
  return row;
}
