import { receiptMailId } from '../data/outbox.ts';
import type { Attempt } from '../data/schema.ts';
import type { Deps } from '../deps.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';
import { sendMail } from './send-mail.ts';

/** Ask what became of an attempt, and send its receipt at once where it was paid. */
export async function settleAndMail(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const settled = await reconcileAttempt(deps, attempt);
  if (settled.state === 'approved') await sendMail(deps, receiptMailId(settled.id));
  return settled;
}
