import { ofClinic } from '#worker/clinic/capability-keys';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { listMailsToAsk, noteMailEvent, takeMailToAsk } from '#worker/data/mail/events';
import type { OutboxRow } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import type { StateRule } from '#worker/domain/state-rule';
import { causeOf } from '#worker/log';
import type { Signed } from '#worker/vendors/resend/port';

const BATCH = 10;

/**
 * Ask the mail service about receipts of which it has told nothing for a day: webhooks may be off, or were lost. Once for
 * each: who never gets an answer reads that the mail was accepted, which is all that is known.
 */
export async function askAboutMails({ db, mailTeller, log, now }: Deps): Promise<void> {
  const due = await listMailsToAsk(db, now(), BATCH);
  if (due.length === 0) return;
  let asked = 0;
  let told = 0;
  for (const { id, providerId } of due) {
    if (!(await takeMailToAsk(db, id))) continue;
    try {
      const news = await mailTeller.ask(providerId);
      asked++;
      if (!news) continue;
      told++;
      await noteMailEvent(db, 'clinic', { ...news, id: `asked-${id}`, mailId: id, providerId, at: now() }, now());
    } catch (cause) {
      log.info('mail-not-asked-about', { mailId: id, cause: causeOf(cause) });
    }
  }
  log.info('mails-asked-about', { asked, told });
}

/**
 * Hear a webhook of the mail service. Who signed it is the service, which repeats our own tags: so the clinic that they name
 * is the one that sent the mail. An event of no mail of ours is kept with the installation, so that its repeat is known.
 */
export async function hearMailService(
  deps: Deps,
  signed: Signed,
  body: Uint8Array<ArrayBuffer>,
): Promise<'heard' | 'off' | 'forged' | 'unreadable'> {
  const { installation, log, now } = deps;
  const event = await deps.mailTeller.read(signed, body, now());
  if (typeof event === 'string') return event;
  const { mail, ...told } = event;
  log.info('mail-event', { told: told.type, mailId: mail?.id ?? '', clinic: mail?.clinic ?? 0 });
  if (mail && mail.clinic > 0) {
    const { db } = ofClinic(deps, mail.clinic);
    const note = noteMailEvent(db, 'clinic', { ...told, mailId: mail.id }, now()).then(() => true);
    if (await unlessErased(note)) return 'heard';
  }
  await noteMailEvent(installation, 'installation', { ...told, mailId: mail?.clinic === 0 ? mail.id : '' }, now());
  return 'heard';
}

/**
 * Every state of a mail in the outbox: what may follow it, what ends it, by when, and what alerts if nothing does. The twelve
 * tries take less than a day; a reminder that has to wait for its hour or for the CRM is no try, and after its day it is none.
 */
export const mailStates = {
  due: {
    exits: ['sent', 'failed'],
    endedBy:
      'The mail service takes or refuses it; it is given up after twelve tries; it may have left before a restore; or there is nothing to tell any more.',
    limitMs: 24 * 3_600_000,
    alert: 'mail-overdue',
  },
  failed: {
    exits: ['sent'],
    endedBy: 'An end, unless the mail service tells later that it had taken it.',
    limitMs: null,
    alert: null,
  },
  sent: { exits: [], endedBy: 'An end; what became of it is told by the mail service.', limitMs: null, alert: null },
} as const satisfies Record<OutboxRow['state'], StateRule<OutboxRow['state']>>;
