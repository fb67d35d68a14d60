import type { PayView } from '#shared/contracts/payment';
import type { PaymentStatus, PublicInvoice } from '#shared/contracts/payments/payment-answers';
import { namesOnFile } from '#shared/contracts/payments/payment-request';
import { decimalFromCents } from '#shared/money';
import { operator } from '#shared/operator';
import { receiptPath } from '#shared/paths';
import type { Language } from '#shared/words/language';
import { billLinesOf } from '#worker/data/invoices/invoices';
import { loadPayable, type Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { paymentBlock, paymentContextOf } from '#worker/domain/not-payable-reason';
import { linkState } from '#worker/domain/pay-links/pay-link';
import { allowedMethods, keepsInvoiceClosed } from '#worker/domain/payments/attempts';
import { paidTransaction, providerError } from '#worker/domain/payments/pay-outcome';
import { offersApplePay } from './apple-pay.ts';
import { isInquiryDue, readDetails } from './freshness.ts';
import { payableParts } from './payable-parts.ts';

/** The state of a link for its payer. `dueCheck`: an attempt whose status inquiry is due. */
export type LinkView =
  | { kind: 'not-found' }
  | { kind: 'ended'; business: PayView['business']; payerLanguage: Language }
  | { kind: 'revoked'; business: PayView['business']; payerLanguage: Language }
  | {
      kind:
        | 'ready'
        | 'pending'
        | 'submitted'
        | 'paid'
        | 'desk'
        /** The CRM does not answer, and the stored invoice is too old to show an amount. */
        | 'unavailable'
        /** The operator has paused online payments. */
        | 'paused'
        | 'no-terminal'
        /** The account is being closed. */
        | 'closing'
        /** After a restore, until the payments of the lost hours are known. */
        | 'catching-up'
        /** An earlier payment may still show up as charged, so no card is accepted until tomorrow. */
        | 'released'
        /** The business must first decide what is owed for an invoice in installments. */
        | 'changed'
        | 'nothing-to-pay'
        /** The CRM has no readable amount. */
        | 'amount-unreadable'
        | 'not-payable-online';
      view: PayView;
      invoice: Payable['invoice'];
      latest: Attempt | undefined;
      dueCheck: Attempt | null;
      /** The language that the business has set for its payers. */
      payerLanguage: Language;
    };

/** Reads a link for its payer with one query to D1. If the stored invoice is not fresh, the CRM is called too. */
export async function viewLink(deps: Deps, payId: string): Promise<LinkView> {
  const [{ payable: storedPayable, attempts }] = await Promise.all([
    loadPayable(deps.db, payId),
    deps.payments.refresh(),
  ]);
  if (!storedPayable) return { kind: 'not-found' };
  const { payerLanguage } = storedPayable.account;
  const latestAttempt = findLatestAttempt(attempts, storedPayable.invoice);
  const isLive = latestAttempt !== undefined && keepsInvoiceClosed(latestAttempt, storedPayable.invoice);
  const state = linkState(storedPayable, deps.now());
  if (state !== 'live' && !isLive) return { kind: state, business: businessOf(storedPayable), payerLanguage };

  const needsDetails = !invoiceBalance(storedPayable.invoice).isSettledHere && !isLive;
  const details = needsDetails ? await readDetails(deps, storedPayable) : { payable: storedPayable, isStale: false };
  if (details === 'gone') return { kind: 'not-found' };
  const { payable } = details;
  const baseKind = await viewKindOf(deps, payable, latestAttempt, details.isStale);
  const offer = await readOffer(deps, payable, attempts, baseKind);
  const kind = typeof offer === 'string' ? offer : baseKind;
  const reportedAttempt = kind === 'pending' || latestAttempt?.state === 'not_charged' ? latestAttempt : undefined;
  const view = { ...payView(deps, payable, reportedAttempt), ...(typeof offer !== 'string' && offer) };
  const dueCheck = isInquiryDue(latestAttempt, deps.now()) ? latestAttempt : null;
  return { kind, view, invoice: payable.invoice, latest: latestAttempt, dueCheck, payerLanguage };
}

const CARD_ONLY = { cardOnly: true } as const;

/** The payment options of an invoice beyond full payment by any method, or the reason why there are none. */
async function readOffer(
  deps: Deps,
  { invoice, account }: Payable,
  attempts: Attempt[],
  kind: LinkView['kind'],
): Promise<Pick<PayView, 'parts' | 'cardOnly'> | 'changed' | 'unavailable' | 'released'> {
  if (kind !== 'ready' && kind !== 'pending') return {};
  if (invoice.partBaseCents !== null) {
    const parts = await payableParts(deps, invoice, attempts);
    return typeof parts === 'string' ? parts : { parts, ...CARD_ONLY };
  }
  const switchOptions = account.takesBankPayments ? {} : CARD_ONLY;
  if (kind === 'pending') return switchOptions;
  const amountCents = invoiceBalance(invoice).owedCents ?? 0;
  const request = { amountCents, collection: invoice.collection, part: 1, createdAt: deps.now() };
  const methods = allowedMethods(attempts, request);
  if (!methods.includes('card')) return 'released';
  return methods.includes('ach') ? switchOptions : CARD_ONLY;
}

/** A live attempt takes precedence over a newer failed one; `attempts` are sorted newest first. */
export const findLatestAttempt = (attempts: Attempt[], invoice: Payable['invoice']): Attempt | undefined =>
  attempts.find((attempt) => keepsInvoiceClosed(attempt, invoice)) ??
  attempts.find(({ collection }) => collection === invoice.collection);

async function viewKindOf(deps: Deps, payable: Payable, latestAttempt: Attempt | undefined, isStale: boolean) {
  if (latestAttempt?.state === 'approved' && keepsInvoiceClosed(latestAttempt, payable.invoice)) return 'paid';
  if (latestAttempt?.state === 'pending') return 'submitted';
  if (latestAttempt && keepsInvoiceClosed(latestAttempt, payable.invoice))
    return latestAttempt.channel === 'terminal' ? 'desk' : 'pending';
  if (isStale) return 'unavailable';
  const state = payableState(payable.invoice, deps.settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return state;
  return (await paymentBlock(deps, paymentContextOf(payable))) ?? 'ready';
}

const businessOf = ({ account, merchant }: Payable): PayView['business'] => ({
  name: businessName(account, merchant),
  phone: account.phone || operator.supportPhone,
  email: account.email || operator.supportEmail,
});

/** `reportedAttempt`: the attempt whose outcome the page shows. */
function payView(deps: Deps, payable: Payable, reportedAttempt: Attempt | undefined): PayView {
  const { link, invoice, terminal } = payable;
  const { gateway } = deps;
  const { state, since, until, notCharged } = paymentStatus(reportedAttempt);
  const isPending = state === 'pending';
  // Line items are absent, not just hidden, if the account does not show them.
  const { installments, owedCents } = invoiceBalance(invoice);
  const requestedCents = installments?.baseCents ?? owedCents;
  const customer = namesOnFile({ firstName: invoice.contactFirstName, lastName: invoice.contactLastName });
  const lines = payable.account.showsLines ? billLinesOf(invoice.billLines, requestedCents) : null;
  return {
    payId: link.payId,
    state: isPending ? 'pending' : 'ready',
    ...(isPending && since && { pendingSince: since }),
    ...(until && { pendingUntil: until }),
    ...(notCharged && since && { notChargedAt: since }),
    business: businessOf(payable),
    timeZone: payable.account.timeZone,
    invoice: {
      number: invoice.number,
      amountDue: amountDue(payable),
      currency: invoice.currency,
      dueDate: invoice.dueDate,
    },
    customer,
    addressOnFile: customer.firstName && customer.lastName ? invoice.contactMaskedAddress : '',
    company: { name: invoice.companyName },
    ...(lines && { lines }),
    ...(offersApplePay(deps, payable.account) && { applePay: true }),
    ...(payable.account.takesGooglePay && amountDue(payable) !== null && { googlePay: true }),
    sdk: {
      provider: gateway.displayName,
      scriptUrl: gateway.browser.scriptUrl,
      scriptObject: gateway.browser.scriptObject,
      baseUrl: gateway.browser.baseUrl,
      publicKey: terminal?.publicKey ?? '',
      sandbox: gateway.browser.sandbox,
    },
  };
}

/** The amount due now, as a decimal. Null, not zero, if it cannot be read. */
function amountDue({ invoice }: Payable): string | null {
  const { owedCents } = invoiceBalance(invoice);
  if (invoice.status === 'paid') return decimalFromCents(0);
  return owedCents === null ? null : decimalFromCents(Math.max(owedCents, 0));
}

/** The public form of an invoice: these fields and no others. */
export function publicInvoice(view: PayView, invoice: Payable['invoice']): PublicInvoice {
  return {
    invoice: {
      invoice_number: view.invoice.number,
      amount_due: view.invoice.amountDue,
      due_date: view.invoice.dueDate,
    },
    customer: { first_name: invoice.contactFirstName, last_name: invoice.contactLastName },
    company: {
      name: invoice.companyName,
      address: invoice.companyAddress,
      city: invoice.companyCity,
      state: invoice.companyState,
      zip: invoice.companyZip,
    },
    publicKey: view.sdk.publicKey,
    sandbox: view.sdk.sandbox,
    sdk: { provider: view.sdk.provider, scriptUrl: view.sdk.scriptUrl, baseUrl: view.sdk.baseUrl },
    ...(view.lines && { line_items: view.lines.items, line_item_count: view.lines.count }),
  };
}

export function paymentStatus(attempt: Attempt | undefined): PaymentStatus {
  if (!attempt) return { state: 'none' };
  const since = new Date(attempt.createdAt).toISOString();
  switch (attempt.state) {
    case 'approved':
      return {
        state: 'paid',
        since,
        transaction: paidTransaction(attempt),
        receiptUrl: receiptPath(attempt.receiptId),
      };
    case 'pending':
      return {
        state: 'submitted',
        since,
        transaction: paidTransaction(attempt),
        receiptUrl: receiptPath(attempt.receiptId),
      };
    case 'declined':
    case 'returned':
      return { state: 'declined', since, error: providerError(attempt) };
    case 'not_charged':
      return { state: 'none', since, ...(attempt.channel === 'link' && { notCharged: true }) };
    case 'rejected':
    case 'cancelled':
    case 'timed_out':
    case 'voided':
    case 'refunded':
      return { state: 'none', since };
    case 'sent':
    case 'unknown':
    case 'needs_human':
      if (attempt.channel === 'terminal') return { state: 'desk', since };
      // It is not known how long a person will take.
      if (attempt.state === 'needs_human') return { state: 'pending', since };
      return { state: 'pending', since, until: new Date(attempt.holdUntil).toISOString() };
  }
}
