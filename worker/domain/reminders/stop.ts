import { findStop, type Stop, stopBy } from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** Whose reminders a capability stops, and whether it has. Null: it stops none (any more). */
export const viewStop = (deps: Deps, token: string): Promise<Stop | null> => findStop(deps.db, token);

/** Stop the reminders of one business to one address; again: nothing changes. Null: the capability stops none. */
export async function stopReminders(deps: Deps, token: string): Promise<Stop | null> {
  const stop = await findStop(deps.db, token);
  if (!stop || stop.stoppedAt !== null) return stop;
  const { accountId } = stop;
  const actor = { ...deps.actor, kind: 'payer' as const, id: '' };
  const event = auditEvent(
    { ...deps, actor },
    { accountId, action: 'reminders.stopped', subject: ['account', String(accountId)] },
  );
  await stopBy(deps.db, token, deps.now(), event);
  deps.log.info('reminders-stopped', { accountId });
  return { ...stop, stoppedAt: deps.now() };
}
