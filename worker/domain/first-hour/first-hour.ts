import type { FirstHour, FirstHourMails, FirstHourStep, Waits } from '#shared/contracts/staff/first-hour';
import { may } from '#shared/contracts/staff/team-values';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { type FirstHourRow, type FirstPayment, readFirstHour, saveFirstHour } from '#worker/data/first-hour/first-hour';
import { findInvoice } from '#worker/data/invoices/invoices';
import { findReceiptRows } from '#worker/data/mail/receipts';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { oneLine } from '#worker/domain/mail/letter';
import { payLinkMail } from '#worker/domain/mail/pay-link-mail';
import { payerLanguage } from '#worker/domain/mail/payer-language';
import { receiptFrom } from '#worker/domain/mail/receipt';
import { receiptMail } from '#worker/domain/mail/receipt-mail';
import type { Merchant } from '#worker/domain/merchants/session';
import { linkEnd } from '#worker/domain/pay-links/pay-link';
import { type MailOutcome, mailTestLink } from '#worker/domain/preview/mail';

export type Step = { name: FirstHourStep; isDone: boolean; waitsFor: Waits | null; since: number | null };

/** Without an estimate before (ms): a rate of less than that is chance. */
const EARLY_MS = 2000;

const step = (name: FirstHourStep, isDone: boolean, waitsFor: Waits | null, since: number | null = null): Step => ({
  name,
  isDone,
  waitsFor: isDone ? null : waitsFor,
  since: isDone || waitsFor === null ? null : since,
});

/**
 * The steps of a clinic's first hour with who waits for whom, each read from what its own part wrote: nothing is ticked by
 * hand but that somebody looked at the mails. Times in UTC milliseconds.
 */
export function stepsOf(facts: FirstHourRow, paid: FirstPayment | undefined): Step[] {
  const { connectedAt, completeAt, failingSince, isCut, terminals, online, members, invited, mailsSeenAt } = facts;
  const application = applicationStep(facts);
  const isApproved = application.isDone;
  const areIn = isApproved || facts.status === 'in-review' || facts.status === 'declined';
  const isSynced = completeAt !== null && isCut === 0;
  return [
    step('papers', areIn, 'you', application.since),
    step('connect', isSynced, isCut ? 'you' : 'crm', isCut ? null : (failingSince ?? connectedAt)),
    application,
    step('terminals', terminals > 0, isApproved ? 'provider' : null, facts.toldAt ?? facts.claimedAt),
    step('test-link', paid !== undefined, online > 0 ? 'you' : null, facts.testSentAt),
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
    // Only the provider's support can say more.
    case 'declined':
      return step('application', false, null);
    case 'approved':
    case 'boarded':
      return step('application', true, null);
  }
}

/** How the first sync goes, in whole seconds. */
export function syncTimes(facts: FirstHourRow, now: number): { tookS: number | null; leftS: number | null } {
  const { beganAt, completeAt, copied, expected, pass } = facts;
  if (completeAt !== null) {
    // A later full scan has a beginning of its own.
    const isKnown = beganAt !== null && pass === 1;
    return { tookS: isKnown ? Math.ceil((completeAt - beganAt) / 1000) : null, leftS: null };
  }
  const ranMs = beganAt === null ? 0 : now - beganAt;
  if (ranMs < EARLY_MS || !copied || !expected || expected < copied) return { tookS: null, leftS: null };
  return { tookS: null, leftS: Math.ceil((ranMs * (expected - copied)) / copied / 1000) };
}

/** Stands for a capability where a person only wants to read the mail. */
const SECRET = '…';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const readFor = (deps: Deps, you: Merchant) =>
  readFirstHour(deps.db, you, { now: deps.now(), maxCents: deps.settings.MAX_AMOUNT_CENTS });

/** A clinic's way from consent to its first payment, as the books tell it at this moment. */
export async function viewFirstHour(deps: Deps, you: Merchant): Promise<FirstHour> {
  const { facts, invoice, paid } = await readFor(deps, you);
  if (!facts) throw new Error(`account ${you.accountId} has a session and no row`);
  const { status } = facts;
  const { tookS, leftS } = syncTimes(facts, deps.now());
  return {
    is_ended: facts.endedAt !== null,
    is_admin: may(you.role, 'administer'),
    steps: stepsOf(facts, paid).map(({ name, isDone, waitsFor, since }) => ({
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
          }
        : null,
      sent_at: iso(facts.testSentAt),
      paid: paid ? { amount: formatMoney(paid.cents, paid.currency), at: new Date(paid.at).toISOString() } : null,
    },
    staff: { members: facts.members, invited: facts.invited },
  };
}

/** Keep what an administrator decided; answers the list after it. */
export async function decideFirstHour(
  deps: Deps,
  you: Merchant,
  decision: { isEnded?: boolean; hasSeenMails?: true },
): Promise<FirstHour> {
  const { accountId } = you;
  const event = auditEvent(deps, {
    accountId,
    action: 'first-hour.decided',
    subject: ['account', String(accountId)],
    after: { ended: decision.isEnded, mails: decision.hasSeenMails },
  });
  await saveFirstHour(deps.db, accountId, decision, deps.now(), event);
  deps.log.info('first-hour-decided', { accountId, userId: you.userId });
  return viewFirstHour(deps, you);
}

/** Mail the caller the pay link of the smallest open invoice, as a customer would get it. */
export async function sendTestLink(
  deps: Deps,
  you: Merchant,
): Promise<MailOutcome | { kind: 'no-invoice' | 'no-own-address' | 'no-terminal' }> {
  const { facts, invoice } = await readFor(deps, you);
  if (!facts?.email) return { kind: 'no-own-address' };
  if (facts.online === 0) return { kind: 'no-terminal' };
  if (!invoice) return { kind: 'no-invoice' };
  return mailTestLink(deps, you, invoice.invoiceId, facts.email);
}

/** What customers would get, without any working link: of the smallest open invoice, and of the first payment. */
export async function previewMails(deps: Deps, you: Merchant): Promise<FirstHourMails> {
  const { invoice, paid } = await readFor(deps, you);
  const [own, payment] = await Promise.all([
    invoice ? loadMerchantInvoice(deps, you, invoice.invoiceId) : null,
    paid ? findReceiptRows(deps.db, paid.receiptId) : null,
  ]);
  const link = { payId: SECRET, endsAt: linkEnd(own?.invoice?.dueDate ?? null, deps.now(), deps.settings) };
  const bill = own && payLinkMail({ ...own, link, language: await payerLanguage(deps.db, own) }, deps);
  const billed = payment ? await findInvoice(deps.db, you.accountId, payment.attempt.invoiceId) : undefined;
  const attempt = payment && { ...payment.attempt, receiptId: SECRET };
  const receipt =
    attempt &&
    receiptFrom({ ...payment, attempt }, deps.settings.APP_URL, {
      ...{ language: await payerLanguage(deps.db, { ...payment, invoice: billed }), now: deps.now() },
    });
  return {
    mails: [
      ...(bill ? [{ kind: 'pay-link' as const, ...textOf(bill) }] : []),
      ...(receipt ? [{ kind: 'receipt' as const, ...textOf(receiptMail(receipt)) }] : []),
    ],
  };
}

const textOf = ({ subject, text }: { subject: string; text: string }) => ({ subject, text });
