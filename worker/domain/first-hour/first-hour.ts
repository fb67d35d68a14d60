import type { FirstHour, FirstHourMails, FirstHourStep, Waits } from '#shared/contracts/staff/first-hour';
import { hasRight } from '#shared/contracts/staff/team-values';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { type FirstHourRow, type FirstPayment, readFirstHour, saveFirstHour } from '#worker/data/first-hour/first-hour';
import { findInvoice } from '#worker/data/invoices/invoices';
import { findReceiptRows } from '#worker/data/mail/receipts';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { isSameAddress } from '#worker/domain/mail/address';
import { oneLine } from '#worker/domain/mail/letter';
import { payLinkMail } from '#worker/domain/mail/pay-link-mail';
import { payerLanguage } from '#worker/domain/mail/payer-language';
import { receiptFrom } from '#worker/domain/mail/receipt';
import { receiptMail } from '#worker/domain/mail/receipt-mail';
import type { Merchant } from '#worker/domain/merchants/session';
import { linkEnd } from '#worker/domain/pay-links/pay-link';
import { type MailOutcome, mailTestLink } from '#worker/domain/preview/mail-invoice';

export type Step = { name: FirstHourStep; isDone: boolean; waitsFor: Waits | null; since: number | null };

/** No estimate is shown during this initial time (ms), since the rate is not reliable yet. */
const NO_ESTIMATE_MS = 2000;

const step = (name: FirstHourStep, isDone: boolean, waitsFor: Waits | null, since: number | null = null): Step => ({
  name,
  isDone,
  waitsFor: isDone ? null : waitsFor,
  since: isDone || waitsFor === null ? null : since,
});

/**
 * The steps of a clinic's first hour, and the party that each step waits for, derived from the stored records. Only the
 * review of the emails is marked by hand. Times in UTC ms.
 */
export function stepsOf(facts: FirstHourRow, firstPayment: FirstPayment | undefined): Step[] {
  const { connectedAt, completeAt, failingSince, isCut, terminals, online, members, invited, mailsSeenAt } = facts;
  const application = applicationStep(facts);
  const isApproved = application.isDone;
  const arePapersComplete = isApproved || facts.status === 'in-review' || facts.status === 'declined';
  const isSynced = completeAt !== null && isCut === 0;
  return [
    step('papers', arePapersComplete, 'you', application.since),
    step('connect', isSynced, isCut ? 'you' : 'crm', isCut ? null : (failingSince ?? connectedAt)),
    application,
    step('terminals', terminals > 0, isApproved ? 'provider' : null, facts.toldAt ?? facts.claimedAt),
    step('test-link', firstPayment !== undefined, online > 0 ? 'you' : null, facts.testSentAt),
    step('staff', members > 1 || invited > 0, 'you'),
    step('mails', mailsSeenAt !== null, 'you'),
  ];
}

function applicationStep({ status, connectedAt, claimedAt, toldAt }: FirstHourRow): Step {
  const since = toldAt ?? claimedAt;
  switch (status) {
    case null:
    case 'applying':
      return step('application', false, 'you', connectedAt);
    case 'applied':
    case 'pended':
      return step('application', false, 'you', since);
    case 'in-review':
      return step('application', false, 'provider', since);
    // Only the provider's support knows more.
    case 'declined':
      return step('application', false, null);
    case 'approved':
    case 'boarded':
      return step('application', true, null);
  }
}

/** Duration of the first sync, or the estimated time left, in whole seconds; null if unknown. */
export function syncTimes(facts: FirstHourRow, now: number): { tookS: number | null; leftS: number | null } {
  const { beganAt, completeAt, copied, expected, pass } = facts;
  if (completeAt !== null) {
    // A later full scan overwrites the start time.
    const isKnown = beganAt !== null && pass === 1;
    return { tookS: isKnown ? Math.ceil((completeAt - beganAt) / 1000) : null, leftS: null };
  }
  const ranMs = beganAt === null ? 0 : now - beganAt;
  if (ranMs < NO_ESTIMATE_MS || !copied || !expected || expected < copied) return { tookS: null, leftS: null };
  return { tookS: null, leftS: Math.ceil((ranMs * (expected - copied)) / copied / 1000) };
}

/** The test link is the customer's own link, so its payment mails the receipt to the address of the invoice. */
const receiptRecipient = (email: string, callerEmail: string): NonNullable<FirstHour['test']['invoice']>['receipt'] =>
  email === '' ? 'none' : isSameAddress(email, callerEmail) ? 'caller' : 'customer';

/** The text that replaces capabilities in email previews. */
const HIDDEN_TEXT = '…';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const readRecords = (deps: Deps, merchant: Merchant) =>
  readFirstHour(deps.db, merchant, { now: deps.now(), maxCents: deps.settings.MAX_AMOUNT_CENTS });

/** A clinic's progress from consent to its first payment. */
export async function viewFirstHour(deps: Deps, merchant: Merchant): Promise<FirstHour> {
  const { facts, invoice, payment: firstPayment } = await readRecords(deps, merchant);
  if (!facts) throw new Error(`account ${merchant.accountId} has a session and no row`);
  const { status } = facts;
  const { tookS, leftS } = syncTimes(facts, deps.now());
  return {
    is_ended: facts.endedAt !== null,
    is_admin: hasRight(merchant.role, 'administer'),
    steps: stepsOf(facts, firstPayment).map(({ name, isDone, waitsFor, since }) => ({
      name,
      is_done: isDone,
      waits_for: waitsFor,
      since: iso(since),
    })),
    sync: { invoices: facts.invoices ?? 0, of: facts.invoicesOf, took_s: tookS, left_s: leftS },
    application: status === 'applying' ? null : status,
    terminals: facts.terminals,
    test: {
      to: facts.email ?? '',
      invoice: invoice
        ? {
            number: oneLine(invoice.number),
            amount: formatMoney(invoice.cents, ONLINE_CURRENCY),
            customer: oneLine(`${invoice.firstName} ${invoice.lastName}`),
            receipt: receiptRecipient(invoice.email, facts.email ?? ''),
          }
        : null,
      sent_at: iso(facts.testSentAt),
      paid: firstPayment
        ? {
            amount: formatMoney(firstPayment.cents, firstPayment.currency),
            at: new Date(firstPayment.at).toISOString(),
          }
        : null,
    },
    staff: { members: facts.members, invited: facts.invited },
  };
}

/** Saves an administrator's decision; returns the updated list. */
export async function decideFirstHour(
  deps: Deps,
  merchant: Merchant,
  decision: { isEnded?: boolean; hasSeenMails?: true },
): Promise<FirstHour> {
  const { accountId } = merchant;
  const event = auditEvent(deps, {
    accountId,
    action: 'first-hour.decided',
    subject: ['account', String(accountId)],
    after: { ended: decision.isEnded, mails: decision.hasSeenMails },
  });
  await saveFirstHour(deps.db, accountId, decision, deps.now(), event);
  deps.log.info('first-hour-decided', { accountId, userId: merchant.userId });
  return viewFirstHour(deps, merchant);
}

/** Mails the caller the pay link of a small open invoice, as a customer would receive it. */
export async function sendTestLink(
  deps: Deps,
  merchant: Merchant,
): Promise<MailOutcome | { kind: 'no-invoice' | 'no-own-address' | 'no-terminal' }> {
  const { facts, invoice } = await readRecords(deps, merchant);
  if (!facts?.email) return { kind: 'no-own-address' };
  if (facts.online === 0) return { kind: 'no-terminal' };
  if (!invoice) return { kind: 'no-invoice' };
  return mailTestLink(deps, merchant, invoice.invoiceId, facts.email);
}

/**
 * The emails that customers receive, without working links: for the smallest open invoice, and for the first payment.
 */
export async function previewMails(deps: Deps, merchant: Merchant): Promise<FirstHourMails> {
  const { invoice, payment: firstPayment } = await readRecords(deps, merchant);
  const [loaded, payment] = await Promise.all([
    invoice ? loadMerchantInvoice(deps, merchant, invoice.invoiceId) : null,
    firstPayment ? findReceiptRows(deps.db, firstPayment.receiptId) : null,
  ]);
  const timeZone = loaded?.account?.timeZone ?? 'UTC';
  const endsAt = linkEnd(loaded?.invoice?.dueDate ?? null, deps.now(), deps.settings, timeZone);
  const link = { payId: HIDDEN_TEXT, endsAt };
  const billMail = loaded && payLinkMail({ ...loaded, link, language: await payerLanguage(deps.db, loaded) }, deps);
  const billedInvoice = payment ? await findInvoice(deps.db, merchant.accountId, payment.attempt.invoiceId) : undefined;
  const attempt = payment && { ...payment.attempt, receiptId: HIDDEN_TEXT };
  const receipt =
    attempt &&
    receiptFrom({ ...payment, attempt }, deps.settings.APP_URL, {
      language: await payerLanguage(deps.db, { ...payment, invoice: billedInvoice }),
      now: deps.now(),
    });
  return {
    mails: [
      ...(billMail ? [{ kind: 'pay-link' as const, ...textOf(billMail) }] : []),
      ...(receipt ? [{ kind: 'receipt' as const, ...textOf(receiptMail(receipt)) }] : []),
    ],
  };
}

const textOf = ({ subject, text }: { subject: string; text: string }) => ({ subject, text });
