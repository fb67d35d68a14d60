import { localDay } from '#shared/text/local-day';
import { mayWriteAt, nextSendingTime } from '#shared/text/working-hours';
import { listOwing, type Plan, waitUntil } from '#worker/data/reminders/plans';
import { dropReminder, handOver, nextOwed, type OwedReminder } from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { LATEST_MS } from '#worker/domain/mail/remind';
import { sendMail } from '#worker/domain/mail/send';
import { planReminders } from './plan.ts';

/** Reminders of one turn of the clock: receipts and the money go before the next ones. */
const AT_ONCE = 20;
const DAY_MS = 86_400_000;
/** After a mail that could not go out the others wait as well (ms). */
const PAUSE_MS = 15 * 60_000;

/** What the clock does about reminders: owe those of the day, then send some of them. */
export async function remind(deps: Deps): Promise<void> {
  await planReminders(deps);
  for (const plan of await listOwing(deps.db, deps.now())) await sendSome(deps, plan);
}

async function sendSome(deps: Deps, { accountId, timeZone }: Plan): Promise<void> {
  const { db, now, settings } = deps;
  const at = now();
  if (!mayWriteAt(at, timeZone)) return waitUntil(db, accountId, nextSendingTime(at, timeZone));
  const { owed, mailsOfDay } = await nextOwed(db, accountId, at - (at % DAY_MS), AT_ONCE);
  const room = settings.MAILS_PER_ACCOUNT_DAY - mailsOfDay;
  for (const one of owed.slice(0, Math.max(0, room))) {
    if (!(await sendOne(deps, accountId, one, localDay(at, timeZone))))
      return waitUntil(db, accountId, now() + PAUSE_MS);
  }
  if (room < owed.length) await waitUntil(db, accountId, nextSendingTime(at, timeZone));
}

/** False: neither the CRM nor the mail service takes any now. */
async function sendOne(deps: Deps, accountId: number, one: OwedReminder, day: string): Promise<boolean> {
  const { db, now } = deps;
  const { id, invoiceId, plannedAt, step } = one;
  const recipient = one.recipient.trim();
  if (now() - plannedAt > LATEST_MS) return dropReminder(db, id, 'skipped', 'too-late').then(() => true);
  if (recipient === '') return dropReminder(db, id, 'void', 'no-address').then(() => true);
  const details = { step: String(step), plannedAt: String(plannedAt) };
  await handOver(db, { id, kind: 'reminder', recipient, accountId, invoiceId, details }, day, now());
  return (await sendMail(deps, id)) !== 'queued';
}
