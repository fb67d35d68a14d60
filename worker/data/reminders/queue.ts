import { and, eq } from 'drizzle-orm';
import type { Language } from '#shared/words/language';
import { reminders } from '#worker/data/schema/mail-plans';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import { businessNameIn } from '../business-name.ts';
import type { Db } from '../db.ts';
import { type NewMail, queueMail } from '../mail/outbox.ts';
import { isPaying } from '../payable-conditions.ts';
import { LISTED_KINDS } from '../schema/mail.ts';

export type DueReminder = { id: string; invoiceId: string; step: number; plannedAt: number; recipient: string };

/**
 * The first queued reminders of an account, each with the address on its invoice, and the number of emails counted for
 * the day that began at `dayFrom` (UTC ms).
 */
export async function listDueReminders(
  { $client }: Db,
  accountId: number,
  dayFrom: number,
  limit: number,
): Promise<{ owed: DueReminder[]; mailsOfDay: number }> {
  const [owed, days] = await $client.batch<unknown>([
    $client
      .prepare(
        `SELECT r.id, r.invoice_id AS invoiceId, r.step, r.planned_at AS plannedAt, coalesce(i.contact_email, '') AS recipient
          FROM reminders r INDEXED BY reminders_owed
          LEFT JOIN invoices i ON i.account_id = r.account_id AND i.invoice_id = r.invoice_id AND i.deleted_at IS NULL
          WHERE r.account_id = ?1 AND r.state = 'owed' ORDER BY r.planned_at LIMIT ?2`,
      )
      .bind(accountId, limit),
    $client.prepare('SELECT mails FROM mail_days WHERE account_id = ?1 AND at = ?2').bind(accountId, dayFrom),
  ]);
  return {
    owed: (owed?.results ?? []) as DueReminder[],
    mailsOfDay: (days?.results[0] as { mails: number } | undefined)?.mails ?? 0,
  };
}

/** Move a reminder to the outbox. `day`: the local day. */
export async function moveToOutbox(db: Db, mail: NewMail, day: string, now: number): Promise<void> {
  await db.batch([
    queueMail(db, mail, now),
    db
      .update(reminders)
      .set({ state: 'handed', day })
      .where(and(eq(reminders.id, mail.id), eq(reminders.state, 'owed'))),
  ]);
}

/** Change the local day of a reminder that is sent on a later day than the day on which it was moved to the outbox. */
export async function changeReminderDay(db: Db, id: string, day: string): Promise<void> {
  await db.update(reminders).set({ day }).where(eq(reminders.id, id));
}

/** Cancel or skip a reminder, with the reason. */
export async function cancelReminder(db: Db, id: string, state: 'void' | 'skipped', reason: string): Promise<void> {
  await db.update(reminders).set({ state, why: reason }).where(eq(reminders.id, id));
}

/** Reasons in our own data not to send a reminder; 1 if true. */
export type ReminderObstacles = {
  isOff: 0 | 1;
  isExcluded: 0 | 1;
  isPaying: 0 | 1;
  isMailed: 0 | 1;
  isReminded: 0 | 1;
  isStopped: 0 | 1;
  isBlocked: 0 | 1;
};

const SELECT_OBSTACLES = `SELECT
  NOT EXISTS (SELECT 1 FROM reminder_plans WHERE account_id = ?1 AND next_run_at IS NOT NULL) AS isOff,
  EXISTS (SELECT 1 FROM reminder_exclusions WHERE account_id = ?1 AND invoice_id = ?2) AS isExcluded,
  ${isPaying('?1', '?2')} AS isPaying,
  EXISTS (SELECT 1 FROM outbox WHERE account_id = ?1 AND invoice_id = ?2 AND created_at > ?4 AND id <> ?3
    AND state <> 'failed' AND kind IN ${LISTED_KINDS}) AS isMailed,
  EXISTS (SELECT 1 FROM reminders INDEXED BY reminders_of_invoice WHERE account_id = ?1 AND invoice_id = ?2 AND day > ?5
    AND id <> ?3 AND state = 'handed') AS isReminded,
  EXISTS (SELECT 1 FROM reminder_opt_outs WHERE account_id = ?1 AND address = ?6 AND stopped_at IS NOT NULL) AS isStopped,
  EXISTS (SELECT 1 FROM mail_addresses WHERE account_id = ?1 AND address = ?6) AS isBlocked`;

/** Only emails after `mailedAfter` (UTC ms) and reminders after the local day `remindedAfter` count. */
export async function findReminderObstacles(
  { $client }: Db,
  reminder: { accountId: number; invoiceId: string; id: string; address: string },
  mailedAfter: number,
  remindedAfter: string,
): Promise<ReminderObstacles> {
  const row = await $client
    .prepare(SELECT_OBSTACLES)
    .bind(
      reminder.accountId,
      reminder.invoiceId,
      reminder.id,
      mailedAfter,
      remindedAfter,
      reminder.address.toLowerCase(),
    )
    .first<ReminderObstacles>();
  if (!row) throw new Error('a question without a table has one row');
  return row;
}

/**
 * The token with which an address stops this account's reminders. An existing token is returned instead of `token`.
 */
export async function findOrCreateStopToken(
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

export type ReminderOptOut = { accountId: number; business: string; stoppedAt: number | null; payerLanguage: Language };

/** The account whose reminders this token stops. Null if it was deleted. */
export const findReminderOptOut = ({ $client }: Db, token: string): Promise<ReminderOptOut | null> =>
  $client
    .prepare(
      `SELECT s.account_id AS accountId, s.stopped_at AS stoppedAt, h.payer_language AS payerLanguage,
        ${businessNameIn('h')} AS business
        FROM reminder_opt_outs s JOIN accounts h ON h.account_id = s.account_id
        WHERE s.token = ?1`,
    )
    .bind(token)
    .first<ReminderOptOut>();

/** Stop the reminders; a repeat changes nothing. */
export async function saveReminderStop({ $client }: Db, token: string, now: number, event: TextEvent): Promise<void> {
  await $client.batch([
    $client
      .prepare('UPDATE reminder_opt_outs SET stopped_at = ?2 WHERE token = ?1 AND stopped_at IS NULL')
      .bind(token, now),
    eventStatement($client, event),
  ]);
}
