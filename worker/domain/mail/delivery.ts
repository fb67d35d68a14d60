import { depsOfClinic } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { claimMailToCheck, listMailsToCheck, recordMailEvent } from '#worker/data/mail/events';
import type { OutboxRow } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import type { StateRule } from '#worker/domain/state-rule';
import { causeOf } from '#worker/log';
import type { SignatureHeaders } from '#worker/vendors/resend/port';

const BATCH = 10;

/**
 * Asks the mail service about receipts that had no delivery event for a day, because webhooks may be turned off or
 * lost. It is asked only once about each email; without an answer, the email is still shown as accepted.
 */
export async function checkMailDelivery({ db, mailTracking, log, now }: Deps): Promise<void> {
  const due = await listMailsToCheck(db, now(), BATCH);
  if (due.length === 0) return;
  let queried = 0;
  let reported = 0;
  for (const { id, providerId } of due) {
    if (!(await claimMailToCheck(db, id))) continue;
    try {
      const event = await mailTracking.readLastEvent(providerId);
      queried++;
      if (!event) continue;
      reported++;
      await recordMailEvent(db, 'clinic', { ...event, id: `asked-${id}`, mailId: id, providerId, at: now() }, now());
    } catch (cause) {
      log.info('mail-status-not-read', { mailId: id, cause: causeOf(cause) });
    }
  }
  log.info('mail-statuses-read', { asked: queried, told: reported });
}

/**
 * Handles a webhook of the mail service. The service signs it and repeats our own tags, so the clinic in the tags is
 * the sender of the email. An event that belongs to no clinic's email is stored with the installation, so that repeats
 * are recognized.
 */
export async function handleMailWebhook(
  deps: Deps,
  signatureHeaders: SignatureHeaders,
  body: Uint8Array<ArrayBuffer>,
): Promise<'heard' | 'off' | 'forged' | 'unreadable'> {
  const { installation, log, now } = deps;
  const event = await deps.mailTracking.read(signatureHeaders, body, now());
  if (typeof event === 'string') return event;
  const { mail, ...details } = event;
  log.info('mail-event', { told: details.type, mailId: mail?.id ?? '', clinic: mail?.clinic ?? 0 });
  if (mail && mail.clinic > 0) {
    const { db } = depsOfClinic(deps, mail.clinic);
    const recording = recordMailEvent(db, 'clinic', { ...details, mailId: mail.id }, now()).then(() => true);
    if (await unlessErased(recording)) return 'heard';
  }
  await recordMailEvent(installation, 'installation', { ...details, mailId: mail?.clinic === 0 ? mail.id : '' }, now());
  return 'heard';
}

/**
 * Every state of an email in the outbox, with the possible next states, the events that end it, its time limit and the
 * alert for a missed limit. The twelve tries take less than a day. A reminder that waits for its sending hours or for
 * the CRM uses up no try, and is dropped when it is too late.
 */
export const mailStates = {
  due: {
    exits: ['sent', 'failed'],
    endedBy:
      'The mail service accepts or refuses it; it is given up after twelve tries; it may have been sent before a restore; or it is obsolete.',
    limitMs: 24 * 3_600_000,
    alert: 'mail-overdue',
  },
  failed: {
    exits: ['sent'],
    endedBy: 'Final, unless the mail service reports later that it had accepted the email.',
    limitMs: null,
    alert: null,
  },
  sent: { exits: [], endedBy: 'Final; the mail service reports its delivery.', limitMs: null, alert: null },
} as const satisfies Record<OutboxRow['state'], StateRule<OutboxRow['state']>>;
