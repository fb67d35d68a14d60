import type { NoticeChoice, PaymentNotices } from '#shared/contracts/staff/account-settings';
import { formatMoney } from '#shared/money';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';
import { clockTime } from '#shared/text/working-hours';
import { dateIn } from '#shared/words/formats';
import {
  type DueNotices,
  isRestUnknown,
  listDueNotices,
  oweDayNotice,
  readNotices,
  readPaidByLink,
  saveNotices,
  wantsNotices,
} from '#worker/data/mail/notices';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import { findReceiptPart } from '#worker/data/mail/receipts';
import { findAccount } from '#worker/data/merchants/accounts';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import type { Merchant } from '#worker/domain/merchants/session';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { amount, button, type Fact, html, type Letter, lines, note, oneLine, sheet, table } from './letter.ts';

type Who = Pick<Merchant, 'accountId' | 'userId'>;

/** The hour of the clinic's clock at which the day before is told. */
const TELLS_AT = 8;
/** People of one turn of the clock. */
const AT_ONCE = 20;

/** The first time after an instant at which days are told (UTC ms); also on days without work, since people work on them. */
function nextTelling(after: number, timeZone: string): number {
  const day = localDay(after, timeZone);
  const at = clockTime(day, TELLS_AT, timeZone);
  return at > after ? at : clockTime(addDays(day, 1), TELLS_AT, timeZone);
}

export const viewPaymentNotices = ({ db }: Pick<Deps, 'db'>, you: Who): Promise<PaymentNotices> => readNotices(db, you);

/** Keep the caller's own choice. Null: their address is not known, so nothing can be mailed. */
export async function choosePaymentNotices(deps: Deps, you: Who, how: NoticeChoice): Promise<PaymentNotices | null> {
  const { db, log, now } = deps;
  const { accountId, userId } = you;
  const before = await readNotices(db, you);
  if (how !== 'never' && before.to === '') return null;
  const at = now();
  const timeZone = (await findAccount(db, accountId))?.timeZone ?? 'UTC';
  const event = auditEvent(deps, {
    accountId,
    action: 'notices.changed',
    subject: ['staff', String(userId)],
    before: { how: before.how },
    after: { how },
  });
  await saveNotices(db, { accountId, userId, how }, { now: at, nextAt: nextTelling(at, timeZone) }, event);
  log.info('notices-changed', { accountId, userId, how });
  return readNotices(db, you);
}

/** What the clock does about the mails of a day: owe those whose hour has come. */
export async function owePaymentNotices(deps: Deps): Promise<void> {
  for (const due of await listDueNotices(deps.db, deps.now(), AT_ONCE)) await oweOne(deps, due);
}

/** After the clock stood still, one mail tells of all days since; not in the night, but at the next time of telling. */
async function oweOne({ db, now }: Deps, due: DueNotices): Promise<void> {
  const { accountId, userId, timeZone } = due;
  const at = now();
  const today = localDay(at, timeZone);
  const until = clockTime(today, TELLS_AT, timeZone) <= at ? startOfDay(today, timeZone) : due.toldUntil;
  const id = `notices-${accountId}-${userId}-${today}`;
  await oweDayNotice(db, due, { id, until, next: nextTelling(at, timeZone), now: at });
}

/** Mails to staff who want to know of paid links. They name invoices and amounts, and neither a payer nor a card. */

/** Payments that the mail of a day names. */
const MOST = 20;

const money = (cents: number, currency: string) => `${formatMoney(cents, currency)} ${currency}`;
const paragraph = (words: string) => html`<p style="margin:0 0 12px">${words}</p>`;

type Needs = Pick<Deps, 'db' | 'settings'>;

/** The account and the person whom a notice is for. Null: the account closes, or the person left or wants none now. */
async function readerOf({ mail, account }: OwedMail, { db }: Needs) {
  if (!account || account.closesAt !== null) return null;
  const userId = Number(detailsOf(mail).user ?? 0);
  return (await wantsNotices(db, { accountId: account.accountId, userId }, mail.recipient)) ? account : null;
}

const why = (settings: Needs['settings']) =>
  `You get this mail because you chose it under Account, User Info: ${settings.APP_URL}/userinfo`;

/** What is left to pay of an invoice in installments (cents); 0 where nothing is, or where nobody can tell. */
async function leftOf({ invoice }: OwedMail, db: Deps['db']): Promise<number> {
  const installments = invoice ? invoiceBalance(invoice).installments : null;
  if (!invoice || !installments || (await isRestUnknown(db, invoice))) return 0;
  return installments.baseCents - installments.paidCents;
}

/** Whether it left something to pay. As the last of several it did not, unless an earlier one was voided since. */
async function isInstallment({ invoice }: OwedMail, attempt: Attempt, db: Deps['db']): Promise<boolean> {
  const part = await findReceiptPart(db, attempt, invoice);
  return part !== undefined && (part.paidCents < part.baseCents || invoice?.localStatus !== 'paid');
}

/** One payment by link. Null: nobody is to be told any more, or the money went back before anybody was. */
export async function paymentNoticeMail(owed: OwedMail, deps: Needs): Promise<Letter | null> {
  const { attempt, merchant } = owed;
  const account = await readerOf(owed, deps);
  // The ledger entry that owes it comes with the approval, of a bank debit too.
  if (!account || attempt?.state !== 'approved') return null;
  const number = oneLine(attempt.invoiceNumber) || attempt.invoiceId;
  const business = oneLine(businessName(account, merchant));
  const sum = money(attempt.amountCents, attempt.currency);
  const isPart = await isInstallment(owed, attempt, deps.db);
  const left = isPart ? await leftOf(owed, deps.db) : 0;
  const what = [
    isPart
      ? `An installment of ${sum} of invoice ${number} of ${business} was paid by its link.`
      : `Invoice ${number} of ${business} was paid by its link.`,
    ...(left > 0 ? [`${money(left, attempt.currency)} is left to pay.`] : []),
  ].join(' ');
  const address = `${deps.settings.APP_URL}/invoice/${encodeURIComponent(attempt.invoiceId)}`;
  const end = why(deps.settings);
  return {
    subject: isPart ? `Installment of ${sum} paid for invoice ${number}` : `Invoice ${number} was paid`,
    text: [what, '', `Amount: ${sum}`, '', address, '', end, ''].join('\n'),
    html: sheet('Paid', paragraph(what), amount('Amount', sum), button(address, 'Open the invoice'), note(end)),
  };
}

/** All payments by link of a day, or of the days since the clock last ran. Null: none is left, or nobody to tell. */
export async function paymentsOfDayMail(owed: OwedMail, deps: Needs): Promise<Letter | null> {
  const account = await readerOf(owed, deps);
  if (!account) return null;
  const { from = '0', until = '0' } = detailsOf(owed.mail);
  const { accountId, timeZone } = account;
  const { sums, first } = await readPaidByLink(deps.db, { accountId, from: Number(from), until: Number(until) }, MOST);
  const n = sums.reduce((all, { n }) => all + n, 0);
  if (n === 0) return null;
  const days = [localDay(Number(from), timeZone), addDays(localDay(Number(until), timeZone), -1)];
  const when = [...new Set(days)].map((day) => dateIn('en', day)).join(' to ');
  const business = oneLine(businessName(account, owed.merchant));
  const payments = `${n} ${n === 1 ? 'payment' : 'payments'} by link`;
  const sum = sums.map(({ cents, currency }) => money(cents, currency)).join(', ');
  const facts = first.map(
    ({ number, invoiceId, cents, currency }): Fact => [oneLine(number) || invoiceId, money(cents, currency)],
  );
  const more = n > first.length ? [`and ${n - first.length} more`] : [];
  const address = `${deps.settings.APP_URL}/payments`;
  const end = why(deps.settings);
  return {
    subject: `${payments} on ${when}`.replace(' on ', days[0] === days[1] ? ' on ' : ' from '),
    text: [
      `${business}: ${payments}, ${when}`,
      '',
      `In all: ${sum}`,
      '',
      ...lines(facts),
      ...more,
      '',
      address,
      '',
      end,
      '',
    ].join('\n'),
    html: sheet(
      'Paid by link',
      paragraph(`${business}: ${payments}, ${when}`),
      amount('In all', sum),
      table(facts),
      ...more.map(note),
      button(address, 'Open the payments'),
      note(end),
    ),
  };
}
