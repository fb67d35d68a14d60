import { findReminderOptOut, type ReminderOptOut, saveReminderStop } from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/**
 * The business and address whose reminders a capability stops, and the time at which they were stopped. Null if it is
 * not valid, or no longer valid.
 */
export const viewStop = (deps: Deps, token: string): Promise<ReminderOptOut | null> =>
  findReminderOptOut(deps.db, token);

/**
 * Stops the reminders of one business to one address; a repeated call changes nothing. Null if the capability is not
 * valid.
 */
export async function stopReminders(deps: Deps, token: string): Promise<ReminderOptOut | null> {
  const stop = await findReminderOptOut(deps.db, token);
  if (!stop || stop.stoppedAt !== null) return stop;
  const { accountId } = stop;
  const actor = { ...deps.actor, kind: 'payer' as const, id: '' };
  const event = auditEvent(
    { ...deps, actor },
    { accountId, action: 'reminders.stopped', subject: ['account', String(accountId)] },
  );
  await saveReminderStop(deps.db, token, deps.now(), event);
  deps.log.info('reminders-stopped', { accountId });
  return { ...stop, stoppedAt: deps.now() };
}
