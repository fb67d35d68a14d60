import { listDueMail } from '../data/outbox.ts';
import { listDueAttempts } from '../data/payments.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';
import { sendReceipt } from './send-receipt.ts';

const BATCH = 50;

/** What the cron does each minute; runs may overlap, every step claims its own row. */
export async function runSchedule(deps: Deps): Promise<void> {
  for (const attempt of await listDueAttempts(deps.db, deps.now(), BATCH)) {
    await guarded(deps, 'reconcile-failed', attempt.id, () => reconcileAttempt(deps, attempt));
  }
  for (const row of await listDueMail(deps.db, deps.now(), BATCH)) {
    const { attemptId } = row;
    if (attemptId) await guarded(deps, 'receipt-failed', attemptId, () => sendReceipt(deps, attemptId));
  }
}

/** One bad row must not keep the others waiting. */
async function guarded(deps: Deps, event: string, attemptId: string, step: () => Promise<unknown>) {
  try {
    await step();
  } catch (cause) {
    deps.log.alert(event, { attemptId, cause: causeOf(cause) });
  }
}
