import { claimMail, closeMail, findDueMail } from '../data/outbox.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { readReceipt } from './receipt.ts';
import { receiptMail } from './receipt-mail.ts';

const MAX_TRIES = 12;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 6 * 3_600_000;

/**
 * Send the receipt that a payment owes, if it still does. Runs right after the payment and again by the cron; the mail
 * service keeps a repeat of the same mail silent, so that a sender who died between two steps does no harm.
 */
export async function sendReceipt(deps: Deps, attemptId: string): Promise<void> {
  const { db, mailer, now, log } = deps;
  const row = await findDueMail(db, attemptId);
  if (!row) return;
  const retryAt = now() + Math.min(FIRST_RETRY_MS * 2 ** row.tries, LAST_RETRY_MS);
  if (!(await claimMail(db, row, retryAt))) return;
  const receipt = await readReceipt(deps, { attemptId });
  if (!receipt) return closeMail(db, row.id, 'failed', now());
  try {
    const result = await mailer.send(receiptMail(receipt, row.recipient, row.id));
    if (result === 'refused') log.alert('receipt-refused', { attemptId });
    await closeMail(db, row.id, result === 'sent' ? 'sent' : 'failed', now());
  } catch (cause) {
    log.info('receipt-not-sent', { attemptId, tries: row.tries + 1, cause: causeOf(cause) });
    if (row.tries + 1 < MAX_TRIES) return;
    log.alert('receipt-given-up', { attemptId });
    await closeMail(db, row.id, 'failed', now());
  }
}
