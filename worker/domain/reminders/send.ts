import { addDays, localDay } from '#shared/text/local-day';
import {
  isWorkingDay,
  lastSendingDay,
  mayEmailAt,
  nextSendingTime,
  sendingTime,
  workingDayFrom,
} from '#shared/text/working-hours';
import { type Portion, planDay } from '#worker/data/reminders/choose-invoices';
import { listDuePlans, listPlansWithQueue, postponeReminders, type ReminderPlan } from '#worker/data/reminders/plans';
import { cancelReminder, type DueReminder, listDueReminders, moveToOutbox } from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { latestPreviousDay, MAX_DELAY_MS } from '#worker/domain/mail/reminder-mail';
import { sendMail } from '#worker/domain/mail/send';

/** Maximum number of days for which late reminders are recorded as skipped; older ones are ignored. */
const MAX_LATE_DAYS = 60;

/**
 * The portions of invoices for each step and the days after `doneDay` up to `day`: one to be reminded and, if the
 * schedule did not run, one that is too late. A day off belongs to the next working day.
 */
export function portionsOf(steps: number[], doneDay: string, day: string, now: number, timeZone: string): Portion[] {
  const oldest = addDays(day, -MAX_LATE_DAYS);
  const first = [addDays(doneDay, 1), oldest].sort().at(-1) ?? oldest;
  let from = first;
  while (from < day && sendingTime(workingDayFrom(from), timeZone) < now - MAX_DELAY_MS) from = addDays(from, 1);
  // Only one reminder per invoice is sent, so the later step comes first.
  return [...steps]
    .sort((a, b) => b - a)
    .flatMap((step) => {
      const portion = (fromDay: string, toDay: string, isLate: boolean): Portion => ({
        step,
        isLate,
        from: addDays(fromDay, -step),
        to: addDays(toDay, -step),
      });
      const latePortions = from > first ? [portion(first, addDays(from, -1), true)] : [];
      return [...latePortions, portion(from, day, false)];
    });
}

/** Queues the reminders of all due plans. */
export async function planReminders(deps: Deps): Promise<void> {
  const { db, now } = deps;
  for (const plan of await listDuePlans(db, now())) await planReminder(deps, plan);
}

async function planReminder({ db, now }: Deps, plan: ReminderPlan): Promise<void> {
  const at = now();
  const { steps, doneDay, timeZone } = plan;
  const day = lastSendingDay(at, timeZone);
  const isNewDay = day > doneDay;
  const portions = isNewDay ? portionsOf(steps, doneDay, day, at, timeZone) : [];
  const [currentPortion] = portions.filter(({ isLate }) => !isLate);
  // A reminder that came due on a day off is not late.
  const first = currentPortion ? workingDayFrom(addDays(currentPortion.from, currentPortion.step)) : day;
  await planDay(db, plan, portions, {
    day: isNewDay ? day : doneDay,
    recentAfter: latestPreviousDay(localDay(at, timeZone)),
    skipBefore: at - MAX_DELAY_MS,
    plannedAt: sendingTime(isWorkingDay(first) ? first : day, timeZone),
    nextRunAt: nextSendingTime(at, timeZone),
  });
}

/** The number of reminders per run. Receipts and payments are handled before the next run. */
const REMINDERS_PER_RUN = 20;
const DAY_MS = 86_400_000;
/** After an email that could not be sent, the others wait this long too (ms). */
const PAUSE_MS = 15 * 60_000;

/** For a clinic's schedule: queues the reminders of the day, then sends the next ones. */
export async function sendReminders(deps: Deps): Promise<void> {
  await planReminders(deps);
  for (const plan of await listPlansWithQueue(deps.db, deps.now())) await sendDueReminders(deps, plan);
}

async function sendDueReminders(deps: Deps, { accountId, timeZone }: ReminderPlan): Promise<void> {
  const { db, now, settings } = deps;
  const at = now();
  if (!mayEmailAt(at, timeZone)) return postponeReminders(db, accountId, nextSendingTime(at, timeZone));
  const { owed: dueReminders, mailsOfDay } = await listDueReminders(
    db,
    accountId,
    at - (at % DAY_MS),
    REMINDERS_PER_RUN,
  );
  const remainingMails = settings.MAILS_PER_ACCOUNT_DAY - mailsOfDay;
  for (const reminder of dueReminders.slice(0, Math.max(0, remainingMails))) {
    if (!(await sendReminder(deps, accountId, reminder, localDay(at, timeZone))))
      return postponeReminders(db, accountId, now() + PAUSE_MS);
  }
  if (remainingMails < dueReminders.length) await postponeReminders(db, accountId, nextSendingTime(at, timeZone));
}

/** Returns false if the CRM or the mail service is not available now. */
async function sendReminder(deps: Deps, accountId: number, reminder: DueReminder, day: string): Promise<boolean> {
  const { db, now } = deps;
  const { id, invoiceId, plannedAt, step } = reminder;
  const recipient = reminder.recipient.trim();
  if (now() - plannedAt > MAX_DELAY_MS) return cancelReminder(db, id, 'skipped', 'too-late').then(() => true);
  if (recipient === '') return cancelReminder(db, id, 'void', 'no-address').then(() => true);
  const details = { step: String(step), plannedAt: String(plannedAt) };
  await moveToOutbox(db, { id, kind: 'reminder', recipient, accountId, invoiceId, details }, day, now());
  return (await sendMail(deps, id)) !== 'queued';
}
