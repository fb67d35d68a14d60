import { closeMail } from '../data/outbox.ts';
import { claimReceipt } from '../data/receipts.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { receiptFrom } from './receipt.ts';
import { receiptMail } from './receipt-mail.ts';

const MAX_TRIES = 12;

/**
 * Send the receipt that a payment owes, if it still does. Runs right after the payment and again by the cron; the mail
 * service keeps a repeat of the same mail silent, so that a sender who died between two steps does no harm.
 */
export async function sendReceipt({ db, mailer, now, log, settings }: Deps, attemptId: string): Promise<void> {
  const claimed = await claimReceipt(db, attemptId, now());
  if (!claimed) return;
  const { mail, rows } = claimed;
  const receipt = receiptFrom(rows, settings.APP_URL);
  if (!receipt) return closeMail(db, mail.id, 'failed', now());
  try {
    const result = await mailer.send(receiptMail(receipt, mail.recipient, mail.id));
    if (result === 'refused') log.alert('receipt-refused', { attemptId });
    await closeMail(db, mail.id, result === 'sent' ? 'sent' : 'failed', now());
  } catch (cause) {
    log.info('receipt-not-sent', { attemptId, tries: mail.tries, cause: causeOf(cause) });
    if (mail.tries < MAX_TRIES) return;
    log.alert('receipt-given-up', { attemptId });
    await closeMail(db, mail.id, 'failed', now());
  }
}
