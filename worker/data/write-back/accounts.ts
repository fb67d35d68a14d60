import { eq } from 'drizzle-orm';
import { type CrmWriteSettings, crmWriteSettings } from '#worker/data/schema/write-back';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

const t = crmWriteSettings;

export async function findWriteSettings(db: Db, accountId: number): Promise<CrmWriteSettings | undefined> {
  const [row] = await db.select().from(t).where(eq(t.accountId, accountId));
  return row;
}

/** Accounts that record payments in the CRM, and of which something may be written now: reads of the CRM go first. */
export async function listWriting({ $client }: Db, now: number): Promise<number[]> {
  const { results } = await $client
    .prepare(
      `SELECT s.account_id AS accountId FROM crm_write_settings s WHERE s.is_on = 1 AND s.wait_until <= ?1
        AND NOT EXISTS (SELECT 1 FROM crm_sync_states c WHERE c.account_id = s.account_id AND max(c.wait_until, c.lease_until) > ?1)
        AND EXISTS (SELECT 1 FROM crm_writes w INDEXED BY crm_writes_due
          WHERE w.account_id = s.account_id AND w.next_try_at <= ?1) LIMIT 10`,
    )
    .bind(now)
    .all<{ accountId: number }>();
  return results.map(({ accountId }) => accountId);
}

/** Keep what a person chose. Whatever kept the account waiting is tried again. */
export async function saveWriteSettings(
  { $client }: Db,
  { accountId, isOn, by }: { accountId: number; isOn: boolean; by: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (account_id) DO UPDATE SET is_on = ?2, changed_by = ?3, changed_at = ?4, state = 'ready', said = '',
            wait_until = 0`,
      )
      .bind(accountId, isOn ? 1 : 0, by, now),
    eventStatement($client, event),
    // What was refused is asked for once more.
    $client
      .prepare(
        `UPDATE crm_writes INDEXED BY crm_writes_undone SET next_try_at = ?2
          WHERE account_id = ?1 AND state IN ('refused', 'unknown') AND state = 'refused' AND ?3 = 1`,
      )
      .bind(accountId, now, isOn ? 1 : 0),
  ]);
}

/** Nothing of this account is written before then (UTC ms). */
export const letWait = (
  db: Db,
  accountId: number,
  change: Pick<CrmWriteSettings, 'waitUntil'> & Partial<Pick<CrmWriteSettings, 'state' | 'said'>>,
) => db.update(t).set(change).where(eq(t.accountId, accountId));

/** Whether a record moves what its invoice owes, as the last one told. */
export const learnEffect = (db: Db, accountId: number, movesBalance: boolean) =>
  db.update(t).set({ movesBalance, state: 'ready', said: '' }).where(eq(t.accountId, accountId));
