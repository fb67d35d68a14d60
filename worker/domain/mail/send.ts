import { closeClaimedMail } from '#worker/data/mail/events';
import { claimMail, closeMail, postponeMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { mayHaveBeenMailed } from '../merchants/after-restore.ts';
import { composeMail } from './compose.ts';
import { senderOf } from './sender.ts';

export const MAX_TRIES = 12;

/** `queued`: the mail service did not accept it now, and the schedule retries. `nothing`: no such email is due now. */
export type SendOutcome = 'sent' | 'queued' | 'refused' | 'nothing';

/**
 * Sends an email from the outbox if it is due. Runs right after the email is queued, and again by the schedule. The
 * mail service ignores a repeat of the same email, so an interrupted try does no harm.
 */
export async function sendMail(deps: Deps, id: string): Promise<SendOutcome> {
  const { clinic, db, mailer, now, log } = deps;
  const queuedMail = await claimMail(db, clinic === 0 ? 'installation' : 'clinic', id, now());
  if (!queuedMail) return 'nothing';
  const { recipient, kind, tries, accountId, createdAt } = queuedMail.mail;
  const fields = { mailId: id, kind, ...(accountId === null ? {} : { accountId }) };
  const giveUp = async () => {
    log.alert('mail-given-up', fields);
    await closeMail(db, id, 'failed', now());
    return 'refused' as const;
  };
  if (await mayHaveBeenMailed(deps, accountId, { since: createdAt, at: now() })) {
    log.info('mail-possibly-sent', fields);
    await closeMail(db, id, 'failed', now());
    return 'nothing';
  }
  // Every earlier try was interrupted before it ended.
  if (tries > MAX_TRIES) return giveUp();
  try {
    const letter = await composeMail(deps, queuedMail);
    if (!letter) {
      log.info('mail-void', fields);
      await closeMail(db, id, 'failed', now());
      return 'nothing';
    }
    if ('later' in letter) {
      await postponeMail(db, id, letter.later);
      return 'queued';
    }
    const result = await mailer.send({ ...letter, ...senderOf(queuedMail), to: recipient, idempotencyKey: id, clinic });
    if (result !== 'refused') {
      await closeClaimedMail(db, id, result === 'sent' ? null : result.id, now());
      return 'sent';
    }
    log.alert('mail-refused', fields);
    await closeMail(db, id, 'failed', now());
    return result;
  } catch (cause) {
    log.info('mail-not-sent', { ...fields, tries, cause: causeOf(cause) });
    return tries < MAX_TRIES ? 'queued' : giveUp();
  }
}
