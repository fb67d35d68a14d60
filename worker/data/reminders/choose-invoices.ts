import { ONLINE_CURRENCY } from '#shared/money';
import type { Db } from '../db.ts';
import { isFrozen, isOpen, isOwed } from '../payable-conditions.ts';
import type { ReminderPlan } from './plans.ts';

/** Owed invoices of account ?1 that are due from ?2 to ?3 and have an address, except those that staff excluded. */
const FROM_INVOICES_TO_REMIND = `FROM invoices INDEXED BY open_invoices_by_due
WHERE account_id = ?1 AND deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'))
  AND coalesce(due_date, '') BETWEEN ?2 AND ?3 AND ${isOwed()}
  AND contact_email <> '' AND NOT EXISTS (SELECT 1 FROM reminder_exclusions x WHERE x.account_id = invoices.account_id AND x.invoice_id = invoices.invoice_id)`;

/** SQL: true if the invoice was reminded after the day ?4. */
const WAS_REMINDED_RECENTLY = `EXISTS (SELECT 1 FROM reminders r INDEXED BY reminders_of_invoice WHERE r.account_id = invoices.account_id
  AND r.invoice_id = invoices.invoice_id AND r.day > ?4 AND r.state IN ('owed', 'handed'))`;

/** With qualified names, because in a subquery on reminders a bare name would be a reminder's column. */
const REMINDER_ID = `'reminder-' || invoices.account_id || '-' || invoices.invoice_id || '-' || invoices.collection || '-' || ?5`;

/** Invoices due within these days get the reminder of one step or, if `isLate`, a row with state `skipped`. */
export type Portion = { step: number; from: string; to: string; isLate: boolean };

const SKIP_LATE = `UPDATE reminders INDEXED BY reminders_owed SET state = 'skipped', why = 'too-late'
  WHERE account_id = ?1 AND state = 'owed' AND planned_at < ?2`;

/**
 * Queue a day's reminders and advance the plan, in one transaction. Each invoice and step is queued only once, and
 * never if the invoice was reminded after the day `recentAfter`. Reminders queued before `skipBefore` (UTC ms) are
 * skipped first, so that they block no others.
 */
export async function planDay(
  { $client }: Db,
  plan: ReminderPlan,
  portions: Portion[],
  next: { day: string; recentAfter: string; skipBefore: number; plannedAt: number; nextRunAt: number },
): Promise<void> {
  const { accountId } = plan;
  const insert = $client.prepare(
    `INSERT INTO reminders (id, account_id, invoice_id, step, state, why, day, planned_at)
      SELECT ${REMINDER_ID}, account_id, invoice_id, ?5, iif(?6 <> '' OR ${WAS_REMINDED_RECENTLY}, 'skipped', 'owed'),
        iif(?6 <> '', ?6, iif(${WAS_REMINDED_RECENTLY}, 'reminded-lately', '')), ?7, ?8 ${FROM_INVOICES_TO_REMIND} ON CONFLICT DO NOTHING`,
  );
  await $client.batch([
    $client.prepare(SKIP_LATE).bind(accountId, next.skipBefore),
    ...portions.map(({ step, from, to, isLate }) =>
      insert.bind(accountId, from, to, next.recentAfter, step, isLate ? 'too-late' : '', next.day, next.plannedAt),
    ),
    $client
      .prepare(
        'UPDATE reminder_plans SET done_day = ?2, next_run_at = ?3, wait_until = 0 WHERE account_id = ?1 AND next_run_at = ?4',
      )
      .bind(accountId, next.day, next.nextRunAt, plan.nextRunAt),
  ]);
}

export type RemindedInvoice = { invoiceId: string; number: string; firstName: string; lastName: string };

/**
 * The number of invoices that would be reminded in each portion, and the first `limit` of them, earliest due first.
 * Omits invoices in another currency and frozen invoices, which get no email.
 */
export async function readPortions(
  { $client }: Db,
  accountId: number,
  portions: Portion[],
  recentAfter: string,
  limit: number,
): Promise<{ n: number; first: RemindedInvoice[] }[]> {
  // Materialized, so that each invoice is read once. D1 refuses a value above 2 MB, so only the first ones are listed.
  const count = $client.prepare(
    `WITH found AS MATERIALIZED (SELECT invoice_id, number, id_number, due_date, contact_first_name, contact_last_name
      ${FROM_INVOICES_TO_REMIND} AND NOT ${WAS_REMINDED_RECENTLY} AND NOT EXISTS (SELECT 1 FROM reminders d WHERE d.id = ${REMINDER_ID})
      AND currency = '${ONLINE_CURRENCY}' AND NOT ${isFrozen('invoices.account_id', 'invoices.invoice_id')})
    SELECT (SELECT count(*) FROM found) AS n, (SELECT json_group_array(json_object('invoiceId', invoice_id,
      'number', number, 'firstName', contact_first_name, 'lastName', contact_last_name) ORDER BY due_date, id_number)
      FROM (SELECT * FROM found ORDER BY due_date, id_number LIMIT ?6)) AS named`,
  );
  const batchResults = await $client.batch<{ n: number; named: string }>(
    portions.map(({ step, from, to }) => count.bind(accountId, from, to, recentAfter, step, limit)),
  );
  return batchResults.map(({ results: [row] }) => ({
    n: row?.n ?? 0,
    first: JSON.parse(row?.named ?? '[]') as RemindedInvoice[],
  }));
}

/**
 * The invoice for a preview, among up to 200 open ones: the first that is due on the day ?2 or later, or else the last
 * one due before it.
 */
const SELECT_SAMPLE = `SELECT invoice_id AS id FROM (
  SELECT invoice_id, due_date FROM invoices INDEXED BY invoices_open_by_contact
  WHERE account_id = ?1 AND deleted_at IS NULL AND ${isOpen()} AND currency = '${ONLINE_CURRENCY}'
    AND balance_cents BETWEEN 1 AND ?3 AND contact_email <> '' AND due_date IS NOT NULL LIMIT 200)
ORDER BY due_date < ?2, iif(due_date < ?2, '', due_date), due_date DESC LIMIT 1`;

export async function findSampleInvoice(
  { $client }: Db,
  accountId: number,
  dueFrom: string,
  maxCents: number,
): Promise<string | null> {
  return $client.prepare(SELECT_SAMPLE).bind(accountId, dueFrom, maxCents).first<string>('id');
}
