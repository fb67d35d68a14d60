import { addDays, type Day } from '#shared/text/local-day';
import { mayEmailAt, nextSendingTime, sendingTime, workingDayFrom } from '#shared/text/working-hours';
import type { ListRow } from '#worker/data/lists/description';
import type { ReminderFacts } from '#worker/data/reminders/invoice';
import type { ReminderPlan } from '#worker/data/reminders/plans';
import type { Deps } from '#worker/deps';
import { payableState } from '#worker/domain/invoices/invoice-balance';
import { latestPreviousDay, MAX_DELAY_MS } from '#worker/domain/mail/reminder-mail';

const DAY_MS = 86_400_000;

type RunningPlan = Pick<ReminderPlan, 'steps' | 'doneDay' | 'waitUntil' | 'timeZone'> & { nextRunAt: number };
type Facts = Pick<ReminderFacts, 'planned' | 'mailedAt'>;

/**
 * The time of an invoice's next reminder (UTC ms), by the rules of the planner and the sender. Null if no step of the
 * plan is left.
 */
export function nextReminderAt(
  plan: RunningPlan,
  dueDay: Day,
  { planned, mailedAt }: Facts,
  now: number,
): number | null {
  const hasNoRecentMail = (at: number) => mailedAt === null || mailedAt <= at - DAY_MS;
  const queuedReminder = planned.find(({ state, plannedAt }) => state === 'owed' && now - plannedAt <= MAX_DELAY_MS);
  if (queuedReminder) {
    const at = earliestSendingTime(plan, now);
    if (at - queuedReminder.plannedAt <= MAX_DELAY_MS && hasNoRecentMail(at)) return at;
  }
  // A queued reminder that is too late to be sent does not block others.
  const times = remainingDays(plan, dueDay, planned)
    .filter((day) => !planned.some(({ state, day: sent }) => state === 'handed' && sent > latestPreviousDay(day)))
    .map((day) => sendingTime(day, plan.timeZone))
    .map((time) => ({ at: Math.max(time, plan.nextRunAt, now), time }))
    .filter(({ at, time }) => at - time <= MAX_DELAY_MS && hasNoRecentMail(at));
  return times[0]?.at ?? null;
}

/** The earliest time for sending a queued reminder. */
function earliestSendingTime({ waitUntil, timeZone }: RunningPlan, now: number): number {
  const at = Math.max(waitUntil, now);
  return mayEmailAt(at, timeZone) ? at : nextSendingTime(at, timeZone);
}

/** The working days of the steps that were never planned, in order. */
function remainingDays({ steps, doneDay }: RunningPlan, dueDay: Day, planned: Facts['planned']): Day[] {
  return steps
    .filter((step) => !planned.some((reminder) => reminder.isNow === 1 && reminder.step === step))
    .map((step) => addDays(dueDay, step))
    .filter((day) => day > doneDay)
    .map(workingDayFrom)
    .sort();
}

/** The JSON in a row's `reminding`, if nothing in our records prevents a reminder. */
type ReminderJson = Pick<ReminderPlan, 'steps' | 'doneDay' | 'waitUntil' | 'timeZone'> & { nextRunAt: number } & Pick<
    ReminderFacts,
    'planned' | 'mailedAt'
  >;

/**
 * The time of a row's next reminder (UTC ms), by the same rules as on the invoice's own page. Null if there is none.
 */
export const nextReminderOf =
  ({ now, settings }: Deps) =>
  ({ reminding, due_date, shown_status, currency, balance_cents }: ListRow): number | null => {
    if (typeof reminding !== 'string') return null;
    const invoice = {
      localStatus: 'none' as const,
      status: String(shown_status),
      currency: String(currency),
      balanceCents: typeof balance_cents === 'number' ? balance_cents : null,
    };
    if (payableState(invoice, settings.MAX_AMOUNT_CENTS) !== 'payable') return null;
    const facts = JSON.parse(reminding) as ReminderJson;
    return nextReminderAt(facts, String(due_date), facts, now());
  };
