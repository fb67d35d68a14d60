import type { Delivery } from '#shared/contracts/lists/mail-values';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { isFrozen, isPaying } from '../payable-conditions.ts';
import { LISTED_KINDS } from '../schema/mail.ts';

/** A stored reminder of an invoice. `isNow`: 1 if it belongs to the current collection. Days are local. */
export type PlannedReminder = {
  step: number;
  state: 'owed' | 'handed' | 'void' | 'skipped';
  day: string;
  plannedAt: number;
  isNow: 0 | 1;
};

/** The facts about an invoice's reminders. `mailedAt`: the time of the last email to the payer that has not failed. */
export type ReminderFacts = {
  isExcluded: 0 | 1;
  isPaying: 0 | 1;
  isFrozen: 0 | 1;
  stoppedAt: number | null;
  mailedAt: number | null;
  last: { at: number | null; times: number; delivery: Delivery | null };
  planned: PlannedReminder[];
};

// Facts as SQL, for one invoice in the preview and for a page of invoices in the list; arguments are SQL.

export const isExcluded = (account: string, invoice: string) =>
  `EXISTS (SELECT 1 FROM reminder_exclusions x WHERE x.account_id = ${account} AND x.invoice_id = ${invoice})`;

export const stoppedAt = (account: string, invoice: string) =>
  `(SELECT s.stopped_at FROM reminder_opt_outs s JOIN invoices i ON i.account_id = s.account_id
    WHERE i.account_id = ${account} AND i.invoice_id = ${invoice} AND s.address = lower(trim(i.contact_email)))`;

export const mailedAt = (account: string, invoice: string) =>
  `(SELECT max(m.created_at) FROM outbox m WHERE m.account_id = ${account} AND m.invoice_id = ${invoice} AND m.invoice_id IS NOT NULL
    AND m.state <> 'failed' AND m.kind IN ${LISTED_KINDS})`;

/** SQL: the newest stored reminders of the invoice, as JSON. */
export const planned = (account: string, invoice: string) =>
  `(SELECT json_group_array(json_object('step', step, 'state', state, 'day', day, 'plannedAt', planned_at, 'isNow', is_now))
    FROM (SELECT r.step, r.state, r.day, r.planned_at,
        r.id GLOB 'reminder-' || r.account_id || '-' || r.invoice_id || '-' || i.collection || '-*' AS is_now
      FROM reminders r INDEXED BY reminders_of_invoice
      JOIN invoices i ON i.account_id = r.account_id AND i.invoice_id = r.invoice_id
      WHERE r.account_id = ${account} AND r.invoice_id = ${invoice} ORDER BY r.day DESC LIMIT 100))`;

const PLACEHOLDERS = ['?1', '?2'] as const;

const SELECT_FACTS = `SELECT ${isExcluded(...PLACEHOLDERS)} AS isExcluded, ${isPaying(...PLACEHOLDERS)} AS isPaying, ${isFrozen(...PLACEHOLDERS)} AS isFrozen,
  ${stoppedAt(...PLACEHOLDERS)} AS stoppedAt,
  ${mailedAt(...PLACEHOLDERS)} AS mailedAt, ${planned(...PLACEHOLDERS)} AS planned`;

/** With max(), SQLite takes the other columns from the same row. */
const SELECT_LAST = `SELECT max(sent_at) AS at, count(*) AS times, delivery FROM outbox
WHERE account_id = ?1 AND invoice_id = ?2 AND invoice_id IS NOT NULL AND kind = 'reminder' AND state = 'sent'`;

export async function readReminderFacts({ $client }: Db, accountId: number, invoiceId: string): Promise<ReminderFacts> {
  const [facts, last] = await $client.batch<unknown>(
    [SELECT_FACTS, SELECT_LAST].map((sql) => $client.prepare(sql).bind(accountId, invoiceId)),
  );
  const row = facts?.results[0];
  if (!row) throw new Error('a question without a table has one row');
  const { planned: json, ...flags } = row as Omit<ReminderFacts, 'last' | 'planned'> & { planned: string };
  return {
    ...flags,
    last: last?.results[0] as ReminderFacts['last'],
    planned: JSON.parse(json) as PlannedReminder[],
  };
}

/** Exclude an invoice from reminders, or include it again. */
export async function excludeInvoice(
  { $client }: Db,
  {
    accountId,
    invoiceId,
    isExcluded,
    userId,
  }: { accountId: number; invoiceId: string; isExcluded: boolean; userId: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    isExcluded
      ? $client
          .prepare('INSERT INTO reminder_exclusions VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING')
          .bind(accountId, invoiceId, userId, now)
      : $client
          .prepare('DELETE FROM reminder_exclusions WHERE account_id = ?1 AND invoice_id = ?2')
          .bind(accountId, invoiceId),
    eventStatement($client, event),
  ]);
}
