import { addDays, localDay } from '#shared/text/local-day';
import { mayWriteAt, nextSendingTime } from '#shared/text/working-hours';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { withFreshCopy } from '#worker/data/invoices/invoices';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import { type Against, dropReminder, movedTo, readAgainst } from '#worker/data/reminders/queue';
import { stopTokenOf } from '#worker/data/reminders/stops';
import type { Deps } from '#worker/deps';
import { askCrm, withCrm } from '#worker/domain/crm-sync/access';
import { payableState } from '#worker/domain/invoices/invoice-balance';
import { noteAmount } from '#worker/domain/invoices/note-amount';
import { whyNotOffered } from '#worker/domain/offer';
import { extendedLink } from '#worker/domain/pay-links/issue';
import type { Composed } from './letter.ts';
import { mayHaveBeenMailed } from './mail-after-restore.ts';
import { payerLanguage } from './payer-language.ts';
import { reminderMail, whenOf } from './reminder-mail.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A reminder that is later than this is none. */
export const LATEST_MS = 48 * HOUR_MS;
/** Days in which an invoice is reminded once. */
export const APART_DAYS = 7;

/** The last day before which another reminder does no harm. */
export const latelyOf = (day: string): string => addDays(day, -APART_DAYS);

const WORDS: Record<keyof Against, string> = {
  isOff: 'off',
  isExcluded: 'excluded',
  isPaying: 'payment',
  isMailed: 'mailed-lately',
  isReminded: 'reminded-lately',
  isStopped: 'stopped',
  isBlocked: 'no-mail-arrives',
};

/**
 * A reminder, or none: whether there is anything to be reminded of is asked in the moment of sending, of our books and of
 * the CRM. While that is silent it waits, and outside of the hours too.
 */
export async function reminder(owed: OwedMail, deps: Deps): Promise<Composed> {
  const { mail, account, merchant, invoice } = owed;
  const { db, settings, now } = deps;
  const drop = async (why: string, state: 'void' | 'skipped' = 'void') => {
    // An earlier try may have arrived, so its week stands.
    if (mail.tries === 1) await dropReminder(db, mail.id, state, why);
    return null;
  };
  if (!account || !invoice || account.closesAt !== null) return drop('closing');
  const at = now();
  const { accountId, timeZone } = account;
  const { step = '0', plannedAt = '0' } = detailsOf(mail);
  if (at - Number(plannedAt) > LATEST_MS) return drop('too-late', 'skipped');
  // It was planned anew after a restore: its week stands, as the first one may have arrived.
  if (await mayHaveBeenMailed(deps, accountId, { since: Number(plannedAt), at })) return null;
  if (!mayWriteAt(at, timeZone)) return { later: nextSendingTime(at, timeZone) };

  const of = { accountId, invoiceId: invoice.invoiceId, id: mail.id, address: mail.recipient };
  const today = localDay(at, timeZone);
  const against = await readAgainst(db, of, at - DAY_MS, latelyOf(today));
  const [why] = Object.entries(WORDS).filter(([fact]) => against[fact as keyof Against] === 1);
  if (why) return drop(why[1]);

  const tokens = await findTokens(db, accountId);
  if (!tokens || tokens.revokedAt !== null) return drop('disconnected');
  const fresh = await askCrm(deps, accountId, () =>
    withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, invoice.invoiceId)),
  );
  if (fresh === 'crm-unavailable') return { later: at + HOUR_MS };
  if (!fresh) return drop('gone');
  // Nobody knows what is owed of it until a person has said so.
  if (await noteAmount(deps, accountId, { kept: invoice, fresh, readAt: at })) return drop('amount-changed');
  const current = withFreshCopy(invoice, fresh, at);
  const state = payableState(current, settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return drop(state);
  const whyNot = await whyNotOffered(deps, current);
  if (whyNot === 'released' || whyNot === 'not-now') return { later: at + HOUR_MS };
  if (whyNot) return drop(whyNot);
  if (fresh.contact.email.trim().toLowerCase() !== mail.recipient.toLowerCase()) return drop('address-changed');
  // As a person's mail, it moves the link's end, and never brings one that is about to end.
  const { payId, revokeAt } = await extendedLink(deps, accountId, fresh);
  if (revokeAt !== undefined) return { later: revokeAt + HOUR_MS };

  // The week to the next one is counted from the day on which it goes out.
  if (localDay(mail.createdAt, timeZone) !== today) await movedTo(db, mail.id, today);
  const stop = await stopTokenOf(db, { accountId, address: mail.recipient, token: deps.newCapability() }, at);
  const about = { when: whenOf(Number(step)), payId, stop };
  const language = await payerLanguage(db, { account, invoice: current });
  return reminderMail({ account, merchant, invoice: current, language }, about, deps);
}
