import type { NoticeChoice, PaymentNotices } from '#shared/contracts/staff/account-settings';
import { formatMoney } from '#shared/money';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';
import { clockTime } from '#shared/text/working-hours';
import { dateIn } from '#shared/words/formats';
import {
  type DueNotices,
  isRemainderUnknown,
  listDueNotices,
  queueDayNotice,
  readNoticeChoice,
  readPaidByLink,
  saveNoticeChoice,
  wantsNotices,
} from '#worker/data/mail/notices';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import { findReceiptPart } from '#worker/data/mail/receipts';
import { findAccount } from '#worker/data/merchants/accounts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import type { Merchant } from '#worker/domain/merchants/session';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { amount, button, type Fact, html, type Letter, lines, note, oneLine, sheet, table } from './letter.ts';

type Caller = Pick<Merchant, 'accountId' | 'userId'>;

/** The hour of the clinic's day at which the summary of the previous day is sent. */
const SENDING_HOUR = 8;
/** The number of recipients per run. */
const RECIPIENTS_PER_RUN = 20;

/** The first time after `time` at which summaries are sent (UTC ms), including weekends and holidays. */
function nextNoticeAt(time: number, timeZone: string): number {
  const day = localDay(time, timeZone);
  const at = clockTime(day, SENDING_HOUR, timeZone);
  return at > time ? at : clockTime(addDays(day, 1), SENDING_HOUR, timeZone);
}

export const viewPaymentNotices = ({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<PaymentNotices> =>
  readNoticeChoice(db, caller);

/** Saves the caller's choice. Null if their address is unknown, so nothing can be mailed. */
export async function choosePaymentNotices(
  deps: Deps,
  caller: Caller,
  choice: NoticeChoice,
): Promise<PaymentNotices | null> {
  const { db, log, now } = deps;
  const { accountId, userId } = caller;
  const previous = await readNoticeChoice(db, caller);
  if (choice !== 'never' && previous.to === '') return null;
  const at = now();
  const timeZone = (await findAccount(db, accountId))?.timeZone ?? 'UTC';
  const event = auditEvent(deps, {
    accountId,
    action: 'notices.changed',
    subject: ['staff', String(userId)],
    before: { how: previous.how },
    after: { how: choice },
  });
  await saveNoticeChoice(
    db,
    { accountId, userId, how: choice },
    { now: at, nextAt: nextNoticeAt(at, timeZone) },
    event,
  );
  log.info('notices-changed', { accountId, userId, how: choice });
  return readNoticeChoice(db, caller);
}

/** Runs in the clinic's alarm: queues the daily summaries that are due. */
export async function queuePaymentNotices(deps: Deps): Promise<void> {
  for (const due of await listDueNotices(deps.db, deps.now(), RECIPIENTS_PER_RUN)) await queueSummary(deps, due);
}

/** After an outage, one email covers all missed days. It is sent at the next regular hour, not at night. */
async function queueSummary({ db, now }: Deps, due: DueNotices): Promise<void> {
  const { accountId, userId, timeZone } = due;
  const at = now();
  const today = localDay(at, timeZone);
  const until = clockTime(today, SENDING_HOUR, timeZone) <= at ? startOfDay(today, timeZone) : due.toldUntil;
  const id = `notices-${accountId}-${userId}-${today}`;
  await queueDayNotice(db, due, { id, until, next: nextNoticeAt(at, timeZone), now: at });
}

// Emails to staff who subscribed to payments by link. They contain invoices and amounts, but no payer and no card.

/** Maximum number of payments listed in a daily email. */
const MAX_LISTED = 20;

const money = (cents: number, currency: string) => `${formatMoney(cents, currency)} ${currency}`;
const paragraph = (text: string) => html`<p style="margin:0 0 12px">${text}</p>`;

type NoticeDeps = Pick<Deps, 'db' | 'settings'>;

/**
 * The account, if the recipient still wants the notice. Null if the account is closing, or the person left or has
 * unsubscribed.
 */
async function findRecipientAccount({ mail, account }: QueuedMail, { db }: NoticeDeps) {
  if (!account || account.closesAt !== null) return null;
  const userId = Number(detailsOf(mail).user ?? 0);
  return (await wantsNotices(db, { accountId: account.accountId, userId }, mail.recipient)) ? account : null;
}

const reasonLine = (settings: NoticeDeps['settings']) =>
  `You get this email because you chose it under Account, User Info: ${settings.APP_URL}/userinfo`;

/** The remaining balance of an invoice in installments (cents); 0 if nothing is left, or it is unknown. */
async function remainingCentsOf({ invoice }: QueuedMail, db: Deps['db']): Promise<number> {
  const installments = invoice ? invoiceBalance(invoice).installments : null;
  if (!invoice || !installments || (await isRemainderUnknown(db, invoice))) return 0;
  return installments.baseCents - installments.paidCents;
}

/**
 * True if the payment left a remaining balance. The last installment did not, unless an earlier one was voided later.
 */
async function isInstallment({ invoice }: QueuedMail, attempt: Attempt, db: Deps['db']): Promise<boolean> {
  const part = await findReceiptPart(db, attempt, invoice);
  return part !== undefined && (part.paidCents < part.baseCents || invoice?.localStatus !== 'paid');
}

/** Reports one payment by link. Null if the recipient no longer wants it or the payment has been reversed. */
export async function paymentNoticeMail(queuedMail: QueuedMail, deps: NoticeDeps): Promise<Letter | null> {
  const { attempt, merchant } = queuedMail;
  const account = await findRecipientAccount(queuedMail, deps);
  // The ledger entry that queues this email is written on approval, also for a bank debit.
  if (!account || attempt?.state !== 'approved') return null;
  const number = oneLine(attempt.invoiceNumber) || attempt.invoiceId;
  const business = oneLine(businessName(account, merchant));
  const amountText = money(attempt.amountCents, attempt.currency);
  const isPart = await isInstallment(queuedMail, attempt, deps.db);
  const remainingCents = isPart ? await remainingCentsOf(queuedMail, deps.db) : 0;
  const intro = [
    isPart
      ? `An installment of ${amountText} of invoice ${number} of ${business} was paid by its link.`
      : `Invoice ${number} of ${business} was paid by its link.`,
    ...(remainingCents > 0 ? [`${money(remainingCents, attempt.currency)} is left to pay.`] : []),
  ].join(' ');
  const address = `${deps.settings.APP_URL}/invoice/${encodeURIComponent(attempt.invoiceId)}`;
  const reasonText = reasonLine(deps.settings);
  return {
    subject: isPart ? `Installment of ${amountText} paid for invoice ${number}` : `Invoice ${number} was paid`,
    text: [intro, '', `Amount: ${amountText}`, '', address, '', reasonText, ''].join('\n'),
    html: sheet(
      'Paid',
      paragraph(intro),
      amount('Amount', amountText),
      button(address, 'Open the invoice'),
      note(reasonText),
    ),
  };
}

/** Reports all payments by link since the last summary. Null if none is left or the recipient has unsubscribed. */
export async function dailySummaryMail(queuedMail: QueuedMail, deps: NoticeDeps): Promise<Letter | null> {
  const account = await findRecipientAccount(queuedMail, deps);
  if (!account) return null;
  const { from = '0', until = '0' } = detailsOf(queuedMail.mail);
  const { accountId, timeZone } = account;
  const { sums, first } = await readPaidByLink(
    deps.db,
    { accountId, from: Number(from), until: Number(until) },
    MAX_LISTED,
  );
  const paymentCount = sums.reduce((all, { n }) => all + n, 0);
  if (paymentCount === 0) return null;
  const days = [localDay(Number(from), timeZone), addDays(localDay(Number(until), timeZone), -1)];
  const period = [...new Set(days)].map((day) => dateIn('en', day)).join(' to ');
  const business = oneLine(businessName(account, queuedMail.merchant));
  const payments = `${paymentCount} ${paymentCount === 1 ? 'payment' : 'payments'} by link`;
  const totalText = sums.map(({ cents, currency }) => money(cents, currency)).join(', ');
  const facts = first.map(
    ({ number, invoiceId, cents, currency }): Fact => [oneLine(number) || invoiceId, money(cents, currency)],
  );
  const overflowLine = paymentCount > first.length ? [`and ${paymentCount - first.length} more`] : [];
  const address = `${deps.settings.APP_URL}/payments`;
  const reasonText = reasonLine(deps.settings);
  return {
    subject: `${payments} on ${period}`.replace(' on ', days[0] === days[1] ? ' on ' : ' from '),
    text: [
      `${business}: ${payments}, ${period}`,
      '',
      `In all: ${totalText}`,
      '',
      ...lines(facts),
      ...overflowLine,
      '',
      address,
      '',
      reasonText,
      '',
    ].join('\n'),
    html: sheet(
      'Paid by link',
      paragraph(`${business}: ${payments}, ${period}`),
      amount('In all', totalText),
      table(facts),
      ...overflowLine.map(note),
      button(address, 'Open the payments'),
      note(reasonText),
    ),
  };
}
