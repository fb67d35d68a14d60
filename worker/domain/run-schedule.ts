import { listDueMail } from '../data/outbox.ts';
import { listDueAttempts } from '../data/payments.ts';
import type { Deps } from '../deps.ts';
import { causeOf, type LogFields } from '../log.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';
import { sendMail } from './send-mail.ts';

const BATCH = 50;

/** What the cron does each minute; runs may overlap, every step claims its own row. */
export async function runSchedule(deps: Deps): Promise<void> {
  for (const attempt of await listDueAttempts(deps.db, deps.now(), BATCH)) {
    await guarded(deps, 'reconcile-failed', { attemptId: attempt.id }, () => reconcileAttempt(deps, attempt));
  }
  for (const { id, kind } of await listDueMail(deps.db, deps.now(), BATCH)) {
    await guarded(deps, 'mail-failed', { mailId: id, kind }, () => sendMail(deps, id));
  }
  await guarded(deps, 'reversals-failed', {}, async () =>
    (await import('./desk/reconcile-reversal.ts')).reconcileReversals(deps),
  );
  await guarded(deps, 'matching-failed', {}, async () => (await import('./match/match-hub.ts')).matchHubs(deps));
  await guarded(deps, 'content-tidy-failed', {}, async () => (await import('./content/tidy.ts')).tidyContent(deps));
}

/** One bad row must not keep the others waiting. */
async function guarded(deps: Deps, event: string, fields: LogFields, step: () => Promise<unknown>) {
  try {
    await step();
  } catch (cause) {
    deps.log.alert(event, { ...fields, cause: causeOf(cause) });
  }
}
