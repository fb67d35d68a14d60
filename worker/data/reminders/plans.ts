import { ONLINE_CURRENCY } from '#shared/money';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { isFrozen, isOpen, isOwed } from '../offers.ts';

/** When an account sends reminders. Days are local, times UTC ms; `nextRunAt` null: reminders are off. */
export type Plan = {
  accountId: number;
  steps: number[];
  doneDay: string;
  nextRunAt: number | null;
  waitUntil: number;
  timeZone: string;
};

type PlanRow = Omit<Plan, 'steps'> & { steps: string };

const PLAN = `SELECT p.account_id AS accountId, p.steps, p.done_day AS doneDay, p.next_run_at AS nextRunAt,
  p.wait_until AS waitUntil, h.time_zone AS timeZone FROM reminder_plans p JOIN accounts h ON h.account_id = p.account_id`;

const planOf = ({ steps, ...row }: PlanRow): Plan => ({ ...row, steps: JSON.parse(steps) as number[] });

export async function readPlan({ $client }: Db, accountId: number): Promise<Plan | null> {
  const row = await $client.prepare(`${PLAN} WHERE p.account_id = ?1`).bind(accountId).first<PlanRow>();
  return row && planOf(row);
}

/** Plans whose next run is due. */
export async function listDuePlans({ $client }: Db, now: number): Promise<Plan[]> {
  const { results } = await $client
    .prepare(`${PLAN} WHERE p.next_run_at IS NOT NULL AND p.next_run_at <= ?1 ORDER BY p.next_run_at LIMIT 10`)
    .bind(now)
    .all<PlanRow>();
  return results.map(planOf);
}

/** Plans with queued reminders that may be processed now. */
export async function listOwing({ $client }: Db, now: number): Promise<Plan[]> {
  const { results } = await $client
    .prepare(
      `${PLAN} WHERE p.next_run_at IS NOT NULL AND p.wait_until <= ?1
        AND EXISTS (SELECT 1 FROM reminders r INDEXED BY reminders_owed WHERE r.account_id = p.account_id AND r.state = 'owed')
        LIMIT 10`,
    )
    .bind(now)
    .all<PlanRow>();
  return results.map(planOf);
}

/** Save the steps that a user chose. If reminders are turned off, queued ones are canceled. */
export async function savePlan(
  { $client }: Db,
  {
    accountId,
    steps,
    doneDay,
    nextRunAt,
    by,
  }: Pick<Plan, 'accountId' | 'steps' | 'doneDay' | 'nextRunAt'> & { by: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO reminder_plans (account_id, steps, changed_by, changed_at, done_day, next_run_at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT (account_id) DO UPDATE SET steps = ?2, changed_by = ?3, changed_at = ?4, done_day = ?5, next_run_at = ?6`,
      )
      .bind(accountId, JSON.stringify(steps), by, now, doneDay, nextRunAt),
    eventStatement($client, event),
    $client
      .prepare(
        `UPDATE reminders INDEXED BY reminders_owed SET state = 'void', why = 'off'
          WHERE account_id = ?1 AND state = 'owed' AND ?2 IS NULL`,
      )
      .bind(accountId, nextRunAt),
  ]);
}

/** Send none of this account's queued reminders before `at` (UTC ms). */
export async function waitUntil({ $client }: Db, accountId: number, at: number): Promise<void> {
  await $client.prepare('UPDATE reminder_plans SET wait_until = ?2 WHERE account_id = ?1').bind(accountId, at).run();
}

/** Owed invoices of account ?1 that are due from ?2 to ?3 and have an address, except those that staff excluded. */
const TO_REMIND = `FROM invoices INDEXED BY open_invoices_by_due
WHERE account_id = ?1 AND deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'))
  AND coalesce(due_date, '') BETWEEN ?2 AND ?3 AND ${isOwed()}
  AND contact_email <> '' AND NOT EXISTS (SELECT 1 FROM reminder_exclusions x WHERE x.account_id = invoices.account_id AND x.invoice_id = invoices.invoice_id)`;

/** Reminded after the day ?4. */
const LATELY = `EXISTS (SELECT 1 FROM reminders r INDEXED BY reminders_of_invoice WHERE r.account_id = invoices.account_id
  AND r.invoice_id = invoices.invoice_id AND r.day > ?4 AND r.state IN ('owed', 'handed'))`;

/** With qualified names, because in a subquery on reminders a bare name would be a reminder's column. */
const ID = `'reminder-' || invoices.account_id || '-' || invoices.invoice_id || '-' || invoices.collection || '-' || ?5`;

/** Invoices due within these days get the reminder of one step or, if `isLate`, a row with state `skipped`. */
export type Portion = { step: number; from: string; to: string; isLate: boolean };

const TOO_LATE = `UPDATE reminders INDEXED BY reminders_owed SET state = 'skipped', why = 'too-late'
  WHERE account_id = ?1 AND state = 'owed' AND planned_at < ?2`;

/**
 * Queue a day's reminders and advance the plan, in one transaction. Each invoice and step is queued only once, and
 * never within days of another reminder: reminders on or before the day `lately` do not count. Reminders queued before
 * `tooLate` (UTC ms) are skipped first, so that they block no others.
 */
export async function planDay(
  { $client }: Db,
  plan: Plan,
  portions: Portion[],
  next: { day: string; lately: string; tooLate: number; plannedAt: number; nextRunAt: number },
): Promise<void> {
  const { accountId } = plan;
  const insert = $client.prepare(
    `INSERT INTO reminders (id, account_id, invoice_id, step, state, why, day, planned_at)
      SELECT ${ID}, account_id, invoice_id, ?5, iif(?6 <> '' OR ${LATELY}, 'skipped', 'owed'),
        iif(?6 <> '', ?6, iif(${LATELY}, 'reminded-lately', '')), ?7, ?8 ${TO_REMIND} ON CONFLICT DO NOTHING`,
  );
  await $client.batch([
    $client.prepare(TOO_LATE).bind(accountId, next.tooLate),
    ...portions.map(({ step, from, to, isLate }) =>
      insert.bind(accountId, from, to, next.lately, step, isLate ? 'too-late' : '', next.day, next.plannedAt),
    ),
    $client
      .prepare(
        'UPDATE reminder_plans SET done_day = ?2, next_run_at = ?3, wait_until = 0 WHERE account_id = ?1 AND next_run_at = ?4',
      )
      .bind(accountId, next.day, next.nextRunAt, plan.nextRunAt),
  ]);
}

export type Reminded = { invoiceId: string; number: string; firstName: string; lastName: string };

/**
 * The invoices that would be reminded in each portion: their number and the first `limit` of them, earliest due first,
 * without those in another currency and frozen ones, which get no email.
 */
export async function readPortions(
  { $client }: Db,
  accountId: number,
  portions: Portion[],
  lately: string,
  limit: number,
): Promise<{ n: number; first: Reminded[] }[]> {
  // Materialized, so that each invoice is read once. D1 refuses a value above 2 MB, so only the first are named.
  const count = $client.prepare(
    `WITH found AS MATERIALIZED (SELECT invoice_id, number, id_number, due_date, contact_first_name, contact_last_name
      ${TO_REMIND} AND NOT ${LATELY} AND NOT EXISTS (SELECT 1 FROM reminders d WHERE d.id = ${ID})
      AND currency = '${ONLINE_CURRENCY}' AND NOT ${isFrozen('invoices.account_id', 'invoices.invoice_id')})
    SELECT (SELECT count(*) FROM found) AS n, (SELECT json_group_array(json_object('invoiceId', invoice_id,
      'number', number, 'firstName', contact_first_name, 'lastName', contact_last_name) ORDER BY due_date, id_number)
      FROM (SELECT * FROM found ORDER BY due_date, id_number LIMIT ?6)) AS named`,
  );
  const answers = await $client.batch<{ n: number; named: string }>(
    portions.map(({ step, from, to }) => count.bind(accountId, from, to, lately, step, limit)),
  );
  return answers.map(({ results: [row] }) => ({
    n: row?.n ?? 0,
    first: JSON.parse(row?.named ?? '[]') as Reminded[],
  }));
}

/**
 * The invoice for a preview, among up to 200 open ones: the first that is due on the day ?2 or later, or else the last
 * one due before it.
 */
const SAMPLE = `SELECT invoice_id AS id FROM (
  SELECT invoice_id, due_date FROM invoices INDEXED BY invoices_open_by_contact
  WHERE account_id = ?1 AND deleted_at IS NULL AND ${isOpen()} AND currency = '${ONLINE_CURRENCY}'
    AND balance_cents BETWEEN 1 AND ?3 AND contact_email <> '' AND due_date IS NOT NULL LIMIT 200)
ORDER BY due_date < ?2, iif(due_date < ?2, '', due_date), due_date DESC LIMIT 1`;

export async function findSample(
  { $client }: Db,
  accountId: number,
  dueFrom: string,
  maxCents: number,
): Promise<string | null> {
  return $client.prepare(SAMPLE).bind(accountId, dueFrom, maxCents).first<string>('id');
}

type TestRequest = { id: string; accountId: number; invoiceId: string; step: number };

/** Queue a test reminder to a staff member's own address, unless one was queued within `pauseMs`. */
export async function queueReminderTest(
  { $client }: Db,
  { accountId, userId }: { accountId: number; userId: number },
  { id, invoiceId, step }: TestRequest,
  { at, pauseMs }: { at: number; pauseMs: number },
  event: TextEvent,
): Promise<{ kind: 'owed'; to: string } | { kind: 'no-own-address' | 'too-many' }> {
  const [user, queued] = await $client.batch<{ email: string }>([
    $client.prepare('SELECT email FROM users WHERE account_id = ?1 AND user_id = ?2').bind(accountId, userId),
    $client
      .prepare(
        `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, details, next_try_at, created_at)
          SELECT ?3, 'reminder-test', u.email, ?1, ?4, ?5, ?6, ?6 FROM users u WHERE u.account_id = ?1 AND u.user_id = ?2
            AND u.email <> '' AND NOT EXISTS (SELECT 1 FROM outbox WHERE account_id = ?1 AND invoice_id = ?4
              AND kind = 'reminder-test' AND created_at > ?7) RETURNING recipient AS email`,
      )
      .bind(accountId, userId, id, invoiceId, JSON.stringify({ step: String(step) }), at, at - pauseMs),
    eventStatement($client, event),
  ]);
  const [row] = queued?.results ?? [];
  if (row) return { kind: 'owed', to: row.email };
  return { kind: user?.results[0]?.email ? 'too-many' : 'no-own-address' };
}
