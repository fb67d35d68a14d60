import { listMailsToAsk, noteMailEvent, takeMailToAsk } from '#worker/data/mail/events';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

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
