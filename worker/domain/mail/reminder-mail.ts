import { MIN_GAP_DAYS } from '#shared/contracts/payments/reminders';
import { operator } from '#shared/operator';
import { payPath, stopPath } from '#shared/paths';
import { addDays, type Day, localDay } from '#shared/text/local-day';
import { mayEmailAt, nextSendingTime, workingDayFrom } from '#shared/text/working-hours';
import { fill, type WordsOf, wordsIn } from '#shared/words/bilingual';
import { mailWords } from '#shared/words/bill-and-receipt-words';
import { dateIn, moneyIn } from '#shared/words/formats';
import { type Language, withNonDefaultLanguage } from '#shared/words/language';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { withCrmData } from '#worker/data/invoices/invoices';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import {
  cancelReminder,
  changeReminderDay,
  findOrCreateStopToken,
  findReminderObstacles,
  type ReminderObstacles,
} from '#worker/data/reminders/queue';
import type { Deps } from '#worker/deps';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { recordCrmInvoice } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { findNotOfferedReason, isTemporaryReason } from '#worker/domain/not-payable-reason';
import { issueExtendedLink } from '#worker/domain/pay-links/pay-link';
import { mayHaveBeenMailed } from '../merchants/after-restore.ts';
import { isSameAddress } from './address.ts';
import {
  amount,
  button,
  type ComposedMail,
  contactOf,
  html,
  type Letter,
  link,
  note,
  oneLine,
  senderBlock,
  sheetIn,
} from './letter.ts';
import { otherLanguageLines, payerLanguage } from './payer-language.ts';

/** The day on which the reminder of a step is sent; on a day off, it is sent on the next working day. */
export const sendingDay = (dueDate: Day, step: number): Day => workingDayFrom(addDays(dueDate, step));

/**
 * "Invoice INV-7 is due on Mar 4, 2026." `day`: the day of sending, which may be later than the due date, because a
 * reminder for a weekend is sent on Monday.
 */
function dueSentence(
  language: Language,
  words: WordsOf<typeof mailWords>,
  bill: string,
  day: Day,
  dueDate: Day | null,
) {
  if (dueDate === null) return fill(words.isOpen, { bill });
  const due = day < dueDate ? words.isDueOn : day === dueDate ? words.isDueToday : words.wasDueOn;
  return fill(due, { bill, d: dateIn(language, dueDate) });
}

type ReminderRows = Pick<QueuedMail, 'account' | 'merchant' | 'invoice'> & { language: Language };
type CompleteReminderRows = ReminderRows & {
  account: NonNullable<ReminderRows['account']>;
  invoice: NonNullable<ReminderRows['invoice']>;
};
/**
 * `day`: the day of sending. `stopToken`: the capability that ends reminders to this address; null if the email is for
 * staff. `staffNote`: a line for staff above the email.
 */
type ReminderOptions = { day: Day; payId: string; stopToken: string | null; staffNote?: string };

/** The texts of a reminder that is sent on this day, for email and preview. */
export function reminderWords({ account, merchant, invoice, language }: CompleteReminderRows, day: Day) {
  const words = wordsIn(mailWords, language);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const name = oneLine(invoice.contactFirstName);
  const { owedCents } = invoiceBalance(invoice);
  const bill = number ? fill(words.billNumber, { n: number }) : fill(words.yourBill, { b: business });
  return {
    business,
    number,
    // Without an amount: subjects are visible on lock screens.
    subject: number ? fill(words.reminderOf, { b: business, n: number }) : fill(words.reminderFrom, { b: business }),
    greeting: name ? fill(words.helloName, { name }) : words.hello,
    what: `${dueSentence(language, words, bill, day, invoice.dueDate)} ${words.ifPaid}`,
    /** Null if the amount owed is unreadable. */
    amount: owedCents === null ? null : moneyIn(language, owedCents, invoice.currency),
    reach: [account.phone, account.email].filter(Boolean).map(oneLine).join(` ${words.or} `),
    stop: fill(words.stopReminders, { b: business }),
  };
}

/** A reminder of a bill with its pay link. It has no line items, since treatments are confidential. */
export function reminderMail(
  { account, merchant, invoice, language }: ReminderRows,
  { day, payId, stopToken, staffNote }: ReminderOptions,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account || !invoice) return null;
  const texts = reminderWords({ account, merchant, invoice, language }, day);
  const { business, greeting, what, reach } = texts;
  if (texts.amount === null) return null;
  const words = wordsIn(mailWords, language);
  const address = withNonDefaultLanguage(`${settings.APP_URL}${payPath(payId)}`, language);
  const authenticityText = [
    fill(words.verifyByPhone, { b: business }),
    fill(words.linkHost, { h: new URL(settings.APP_URL).host }),
    fill(words.sentFor, { o: operator.name, b: business }),
  ].join(' ');
  const questions = reach && fill(words.questions, { reach });
  const other = otherLanguageLines(language, 'otherPay', address);
  const stopAddress = stopToken && withNonDefaultLanguage(`${settings.APP_URL}${stopPath(stopToken)}`, language);
  return {
    subject: texts.subject,
    text: [
      ...(staffNote ? [staffNote, ''] : []),
      ...[greeting, '', what, '', texts.amount, '', words.viewAndPayAt, address, ''],
      ...(questions ? [questions, ''] : []),
      ...[authenticityText, '', other.text, '', stopAddress ? `${texts.stop}: ${stopAddress}` : texts.stop, ''],
    ].join('\n'),
    html: sheetIn(language)(
      words.reminder,
      ...(staffNote ? [note(staffNote)] : []),
      senderBlock(business, contactOf(account)),
      html`<p style="margin:0 0 12px">${greeting}</p><p style="margin:0 0 12px">${what}</p>`,
      amount(words.amountDue, texts.amount),
      button(address, words.viewAndPay),
      ...(questions ? [note(questions)] : []),
      note(authenticityText),
      other.html,
      stopAddress ? link(stopAddress, texts.stop) : note(texts.stop),
    ),
    ...(stopAddress && {
      headers: { 'List-Unsubscribe': `<${stopAddress}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A reminder is dropped when it is late by more than this (ms). */
export const MAX_DELAY_MS = 48 * HOUR_MS;
/** The latest day on which a previous reminder still allows another one. */
export const latestPreviousDay = (day: string): string => addDays(day, -MIN_GAP_DAYS);

const REASONS: Record<keyof ReminderObstacles, string> = {
  isOff: 'off',
  isExcluded: 'excluded',
  isPaying: 'payment',
  isMailed: 'mailed-lately',
  isReminded: 'reminded-lately',
  isStopped: 'stopped',
  isBlocked: 'no-mail-arrives',
};

/**
 * Composes a reminder. Just before sending, our records and the CRM are checked for a reason not to send it. It waits
 * while the CRM is unavailable, and outside of sending hours.
 */
export async function composeReminder(queuedMail: QueuedMail, deps: Deps): Promise<ComposedMail> {
  const { mail, account, merchant, invoice } = queuedMail;
  const { db, settings, now } = deps;
  const drop = async (reason: string, state: 'void' | 'skipped' = 'void') => {
    // An earlier try may have arrived, so the interval still counts from it.
    if (mail.tries === 1) await cancelReminder(db, mail.id, state, reason);
    return null;
  };
  if (!account || !invoice || account.closesAt !== null) return drop('closing');
  const at = now();
  const { accountId, timeZone } = account;
  const { plannedAt = '0' } = detailsOf(mail);
  if (at - Number(plannedAt) > MAX_DELAY_MS) return drop('too-late', 'skipped');
  // It may have been sent before a restore, so its row is kept and the interval still counts from it.
  if (await mayHaveBeenMailed(deps, accountId, { since: Number(plannedAt), at })) return null;
  if (!mayEmailAt(at, timeZone)) return { later: nextSendingTime(at, timeZone) };

  const target = { accountId, invoiceId: invoice.invoiceId, id: mail.id, address: mail.recipient };
  const today = localDay(at, timeZone);
  const obstacles = await findReminderObstacles(db, target, at - DAY_MS, latestPreviousDay(today));
  const [matchedReason] = Object.entries(REASONS).filter(([fact]) => obstacles[fact as keyof ReminderObstacles] === 1);
  if (matchedReason) return drop(matchedReason[1]);

  const tokens = await findTokens(db, accountId);
  if (!tokens || tokens.revokedAt !== null) return drop('disconnected');
  const crmInvoice = await callCrm(deps, accountId, () =>
    withCrm(deps, tokens, (token, timeZone) => deps.crm.getInvoice(token, invoice.invoiceId, { timeZone })),
  );
  if (crmInvoice === 'crm-unavailable') return { later: at + HOUR_MS };
  if (!crmInvoice) return drop('gone');
  // The amount owed is unknown until staff decide it.
  if (await recordCrmInvoice(deps, accountId, { storedInvoice: invoice, crmInvoice, readAt: at }))
    return drop('amount-changed');
  const currentInvoice = withCrmData(invoice, crmInvoice, at);
  const state = payableState(currentInvoice, settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return drop(state);
  const refusalReason = await findNotOfferedReason(deps, currentInvoice);
  if (isTemporaryReason(refusalReason)) return { later: at + HOUR_MS };
  if (refusalReason) return drop(refusalReason);
  if (!isSameAddress(crmInvoice.contact.email, mail.recipient)) return drop('address-changed');
  // Like an email sent by staff, a reminder extends the link, unless the link is being revoked.
  const { payId, revokeAt } = await issueExtendedLink(deps, account, crmInvoice);
  if (revokeAt !== undefined) return { later: revokeAt + HOUR_MS };

  // The interval to the next reminder is counted from the day of sending.
  if (localDay(mail.createdAt, timeZone) !== today) await changeReminderDay(db, mail.id, today);
  const stopToken = await findOrCreateStopToken(
    db,
    { accountId, address: mail.recipient, token: deps.newCapability() },
    at,
  );
  const options = { day: today, payId, stopToken };
  const language = await payerLanguage(db, { account, invoice: currentInvoice });
  return reminderMail({ account, merchant, invoice: currentInvoice, language }, options, deps);
}
