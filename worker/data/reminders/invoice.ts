import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** What reminders mean for an invoice: left out by staff, stopped by its payer, last one handed to the outbox. */
export type ReminderFacts = { isOn: 0 | 1; isExcluded: 0 | 1; stoppedAt: number | null; lastDay: string | null };

export async function readReminderFacts({ $client }: Db, accountId: number, invoiceId: string): Promise<ReminderFacts> {
  const row = await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM reminder_plans WHERE hub_id = ?1 AND next_run_at IS NOT NULL) AS isOn,
        EXISTS (SELECT 1 FROM reminder_exclusions WHERE hub_id = ?1 AND invoice_id = ?2) AS isExcluded,
        (SELECT s.stopped_at FROM mail_stops s JOIN invoices i ON i.hub_id = s.hub_id
          WHERE i.hub_id = ?1 AND i.invoice_id = ?2 AND s.address = lower(i.contact_email)) AS stoppedAt,
        (SELECT max(day) FROM reminders INDEXED BY reminders_of_invoice
          WHERE hub_id = ?1 AND invoice_id = ?2 AND state = 'handed') AS lastDay`,
    )
    .bind(accountId, invoiceId)
    .first<ReminderFacts>();
  return row ?? { isOn: 0, isExcluded: 0, stoppedAt: null, lastDay: null };
}

/** Leave an invoice out, or take it in again. */
export async function excludeInvoice(
  { $client }: Db,
  { accountId, invoiceId, isExcluded, by }: { accountId: number; invoiceId: string; isExcluded: boolean; by: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    isExcluded
      ? $client
          .prepare('INSERT INTO reminder_exclusions VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING')
          .bind(accountId, invoiceId, by, now)
      : $client
          .prepare('DELETE FROM reminder_exclusions WHERE hub_id = ?1 AND invoice_id = ?2')
          .bind(accountId, invoiceId),
    eventStatement($client, event),
  ]);
}
