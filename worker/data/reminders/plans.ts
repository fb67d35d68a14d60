import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** The reminder plan of an account. Days are local, times in UTC ms; `nextRunAt` is null if reminders are off. */
export type ReminderPlan = {
  accountId: number;
  steps: number[];
  doneDay: string;
  nextRunAt: number | null;
  waitUntil: number;
  timeZone: string;
};

type PlanRow = Omit<ReminderPlan, 'steps'> & { steps: string };

const SELECT_PLAN = `SELECT p.account_id AS accountId, p.steps, p.done_day AS doneDay, p.next_run_at AS nextRunAt,
  p.wait_until AS waitUntil, h.time_zone AS timeZone FROM reminder_plans p JOIN accounts h ON h.account_id = p.account_id`;

const planOf = ({ steps, ...row }: PlanRow): ReminderPlan => ({ ...row, steps: JSON.parse(steps) as number[] });

export async function readPlan({ $client }: Db, accountId: number): Promise<ReminderPlan | null> {
  const row = await $client.prepare(`${SELECT_PLAN} WHERE p.account_id = ?1`).bind(accountId).first<PlanRow>();
  return row && planOf(row);
}

/** Plans whose next run is due. */
export async function listDuePlans({ $client }: Db, now: number): Promise<ReminderPlan[]> {
  const { results } = await $client
    .prepare(`${SELECT_PLAN} WHERE p.next_run_at IS NOT NULL AND p.next_run_at <= ?1 ORDER BY p.next_run_at LIMIT 10`)
    .bind(now)
    .all<PlanRow>();
  return results.map(planOf);
}

/** Plans with queued reminders that may be processed now. */
export async function listPlansWithQueue({ $client }: Db, now: number): Promise<ReminderPlan[]> {
  const { results } = await $client
    .prepare(
      `${SELECT_PLAN} WHERE p.next_run_at IS NOT NULL AND p.wait_until <= ?1
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
    changedBy,
  }: Pick<ReminderPlan, 'accountId' | 'steps' | 'doneDay' | 'nextRunAt'> & { changedBy: number },
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
      .bind(accountId, JSON.stringify(steps), changedBy, now, doneDay, nextRunAt),
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
export async function postponeReminders({ $client }: Db, accountId: number, at: number): Promise<void> {
  await $client.prepare('UPDATE reminder_plans SET wait_until = ?2 WHERE account_id = ?1').bind(accountId, at).run();
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
