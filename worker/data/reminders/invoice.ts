import type { Delivery } from '#shared/contracts/mail-values';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Reminders of an invoice as they stand in the plan's books; `isNow` 1: of its present collection. Days are local. */
export type PlannedReminder = {
  step: number;
  state: 'owed' | 'handed' | 'void' | 'skipped';
  day: string;
  plannedAt: number;
  isNow: 0 | 1;
};

/** What reminders mean for an invoice. `mailedAt`: its newest mail to the payer, whatever became of it (UTC ms). */
export type ReminderFacts = {
  isExcluded: 0 | 1;
  stoppedAt: number | null;
  mailedAt: number | null;
  last: { at: number | null; times: number; delivery: Delivery | null };
  planned: PlannedReminder[];
};

const FACTS = `SELECT EXISTS (SELECT 1 FROM reminder_exclusions WHERE hub_id = ?1 AND invoice_id = ?2) AS isExcluded,
  (SELECT s.stopped_at FROM mail_stops s JOIN invoices i ON i.hub_id = s.hub_id
    WHERE i.hub_id = ?1 AND i.invoice_id = ?2 AND s.address = lower(trim(i.contact_email))) AS stoppedAt,
  (SELECT max(created_at) FROM outbox WHERE hub_id = ?1 AND invoice_id = ?2 AND invoice_id IS NOT NULL
    AND state <> 'failed' AND kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder')) AS mailedAt`;

/** Of two columns beside the greatest of one, SQLite takes that row's. */
const LAST = `SELECT max(sent_at) AS at, count(*) AS times, delivery FROM outbox
WHERE hub_id = ?1 AND invoice_id = ?2 AND invoice_id IS NOT NULL AND kind = 'reminder' AND state = 'sent'`;

const PLANNED = `SELECT r.step, r.state, r.day, r.planned_at AS plannedAt,
  r.id GLOB 'reminder-' || r.hub_id || '-' || r.invoice_id || '-' || i.collection || '-*' AS isNow
FROM reminders r INDEXED BY reminders_of_invoice JOIN invoices i ON i.hub_id = r.hub_id AND i.invoice_id = r.invoice_id
WHERE r.hub_id = ?1 AND r.invoice_id = ?2 ORDER BY r.day DESC LIMIT 100`;

export async function readReminderFacts({ $client }: Db, accountId: number, invoiceId: string): Promise<ReminderFacts> {
  const [facts, last, planned] = await $client.batch<unknown>(
    [FACTS, LAST, PLANNED].map((sql) => $client.prepare(sql).bind(accountId, invoiceId)),
  );
  return {
    ...(facts?.results[0] as Omit<ReminderFacts, 'last' | 'planned'>),
    last: last?.results[0] as ReminderFacts['last'],
    planned: (planned?.results ?? []) as PlannedReminder[],
  };
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
