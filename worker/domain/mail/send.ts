import { claimMail, closeMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { composeMail } from './compose.ts';

const MAX_TRIES = 12;

/** `queued`: the mail service did not take it now, the cron tries again. `nothing`: there is no such mail to send now. */
export type SendOutcome = 'sent' | 'queued' | 'refused' | 'nothing';

/**
 * Send a mail of the outbox, if it is still owed. Runs right after what it tells of and again by the cron; the mail service
 * keeps a repeat of the same mail silent, so that a sender who died between two steps does no harm.
 */
export async function sendMail(deps: Deps, id: string): Promise<SendOutcome> {
  const { db, mailer, now, log } = deps;
  const owed = await claimMail(db, id, now());
  if (!owed) return 'nothing';
  const { recipient, kind, tries } = owed.mail;
  const fields = { mailId: id, kind };
  try {
    const letter = await composeMail(deps, owed);
    if (!letter) {
      log.info('mail-void', fields);
      await closeMail(db, id, 'failed', now());
      return 'nothing';
    }
    const result = await mailer.send({ ...letter, to: recipient, idempotencyKey: id });
    if (result === 'refused') log.alert('mail-refused', fields);
    await closeMail(db, id, result === 'sent' ? 'sent' : 'failed', now());
    return result;
  } catch (cause) {
    log.info('mail-not-sent', { ...fields, tries, cause: causeOf(cause) });
    if (tries < MAX_TRIES) return 'queued';
    log.alert('mail-given-up', fields);
    await closeMail(db, id, 'failed', now());
    return 'refused';
  }
}
