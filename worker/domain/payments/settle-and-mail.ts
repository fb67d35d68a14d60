import { receiptMailId } from '#worker/data/mail/outbox';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { inquirePaymentStatus } from './inquire-status.ts';

/** Ask for the outcome of an attempt, and send its receipt at once if it was paid. */
export async function settleAndMail(deps: Deps, attempt: Attempt): Promise<Attempt> {
  const settled = await inquirePaymentStatus(deps, attempt);
  if (settled.state === 'approved') await sendMail(deps, receiptMailId(settled.id));
  return settled;
}
