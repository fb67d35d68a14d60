import type { BadAddress } from '#shared/contracts/lists/mail-values';
import type { SkipReason } from '#shared/contracts/payments/pay-links';
import { billLinesOf, serializeLines } from '#worker/data/invoices/invoices';
import { findMailObstacles } from '#worker/data/mailings/mailings';
import { findInvoiceMail, type InvoiceMail, queueInvoiceMail } from '#worker/data/preview/invoice-mail-limits';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { callCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance, isSubmitted, type PayableState, payableState } from '#worker/domain/invoices/invoice-balance';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
  storedInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import { singleAddressIn } from '#worker/domain/mail/address';
import { hasReceipt } from '#worker/domain/mail/receipt';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { findNotOfferedReason, type NotOfferedReason } from '#worker/domain/not-payable-reason';
import { findOrIssueLink, linkEnd } from '#worker/domain/pay-links/pay-link';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { crmPaidDay, paymentOf } from './present.ts';

export type MailOutcome =
  /** `queued`: the mail service does not accept the email now, and the schedule tries again. */
  | { kind: 'sent' | 'queued'; to: string; at: number }
  | { kind: 'not-found' }
  | { kind: 'not-paid' }
  /** The CRM has no line items for the invoice. */
  | { kind: 'no-items' }
  | { kind: 'not-payable'; state: Exclude<PayableState, 'payable'> | NotOfferedReason; currency: string }
  /** The email would contain a link that is about to be revoked. */
  | { kind: 'being-revoked' }
  | { kind: 'no-address' }
  | { kind: 'bad-address' }
  /** No mail arrives at the typed address, or its owner wants none. */
  | { kind: 'dead-address'; reason: BadAddress }
  | { kind: 'too-many'; reason: 'pause' | 'day' | 'account'; retryAfterS: number }
  | { kind: 'crm-unavailable' };

type MailRequest = Pick<InvoiceMail, 'kind' | 'attemptId' | 'details' | 'mailing'> & {
  link?: { payId: string; endsAt: number };
  /** The recipient, if it is not the customer. */
  to?: string;
  /** The id of an email that is sent only once, even if it is requested again. */
  mailId?: string;
};

/** Mails a customer the pay link of an open invoice. */
export const mailPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<MailOutcome> =>
  mailInvoice(deps, merchant, id, async (loaded, crmInvoice) => {
    const link = await prepareLink(deps, merchant, loaded, crmInvoice);
    return 'kind' in link ? link : { kind: 'pay-link', link };
  });

/**
 * Mails a pay link as part of a mailing, unless `findSkipReason` returns a reason to omit this address. `mailId`
 * prevents a second email.
 */
export const mailForMailing = (
  deps: Deps,
  merchant: Merchant,
  id: string,
  {
    findSkipReason,
    ...mailOptions
  }: { mailing: string; mailId: string; findSkipReason(address: string): Promise<SkipReason | null> },
): Promise<MailOutcome | SkippedAddress> =>
  mailInvoice(deps, merchant, id, async (loaded, crmInvoice): Promise<MailRequest | MailRefusal | SkippedAddress> => {
    const link = await prepareLink(deps, merchant, loaded, crmInvoice);
    if ('kind' in link) return link;
    const reason = await findSkipReason(crmInvoice.contact.email.trim());
    return reason ? { kind: 'left-out', reason } : { kind: 'pay-link', link, ...mailOptions };
  });

/** Mails staff the pay link of an open invoice as a customer would get it. `to`: the staff member's own address. */
export const mailTestLink = (deps: Deps, merchant: Merchant, id: string, to: string): Promise<MailOutcome> =>
  mailInvoice(deps, merchant, id, async (loaded, crmInvoice) => {
    const link = await prepareLink(deps, merchant, loaded, crmInvoice);
    return 'kind' in link ? link : { kind: 'test-link', link, to };
  });

/** An invoice in the CRM that is not in our database yet. */
const NEW_INVOICE = { localStatus: 'none', collection: 1 } as const;

async function prepareLink(
  deps: Deps,
  { accountId }: Merchant,
  loaded: MerchantInvoice,
  crmInvoice: CrmInvoice,
): Promise<NonNullable<MailRequest['link']> | Extract<MailOutcome, { kind: 'not-payable' | 'being-revoked' }>> {
  const { settings, now } = deps;
  const state = payableState({ ...NEW_INVOICE, ...loaded.invoice, ...crmInvoice }, settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return { kind: 'not-payable', state, currency: crmInvoice.currency };
  const refusalReason = await findNotOfferedReason(deps, {
    ...NEW_INVOICE,
    ...loaded.invoice,
    ...crmInvoice,
    accountId,
    invoiceId: loaded.invoiceId,
  });
  if (refusalReason) return { kind: 'not-payable', state: refusalReason, currency: crmInvoice.currency };
  const timeZone = loaded.account?.timeZone ?? 'UTC';
  const { payId, revokeAt } = await findOrIssueLink(deps, { accountId, timeZone }, crmInvoice);
  if (revokeAt !== undefined) return { kind: 'being-revoked' };
  return { payId, endsAt: linkEnd(crmInvoice.dueDate, now(), settings, timeZone) };
}

/**
 * Mails a customer the receipt of a payment that was made here or that the clinic recorded in the CRM. The receipt of a
 * payment made here can be mailed even after the CRM has deleted the invoice.
 */
export const mailReceipt = (deps: Deps, merchant: Merchant, id: string): Promise<MailOutcome> =>
  mailInvoice(deps, merchant, id, async (loaded, crmInvoice) => receiptFor(loaded, crmInvoice), {
    acceptsDeleted: true,
  });

/**
 * Mails the link or the receipt to an address that staff typed, by the same rules. It is not stored with the invoice,
 * so that reminders and later emails go to the CRM's address.
 */
export const mailToTypedAddress = (
  deps: Deps,
  merchant: Merchant,
  id: string,
  { kind, to }: { kind: 'pay-link' | 'receipt'; to: string },
): Promise<MailOutcome> =>
  mailInvoice(
    deps,
    merchant,
    id,
    async (loaded, crmInvoice): Promise<MailRequest | MailRefusal> => {
      const { bad } = await findMailObstacles(
        deps.db,
        { ...merchant, invoiceId: loaded.invoiceId, address: to },
        deps.now(),
      );
      if (bad) return { kind: 'dead-address', reason: bad };
      if (kind === 'receipt') {
        const receipt = receiptFor(loaded, crmInvoice);
        return receipt.kind === 'not-paid' ? receipt : { ...receipt, to };
      }
      const link = await prepareLink(deps, merchant, loaded, crmInvoice);
      return 'kind' in link ? link : { kind, link, to };
    },
    { acceptsDeleted: kind === 'receipt' },
  );

/**
 * Mails a receipt with the line items, even if the account hides them from payers: as stored with the payment if
 * possible, else as they are in the CRM now. Only the email stores them, until it is sent. `requestId`: identifies one
 * click, so that it sends only one email.
 */
export async function mailItemisedReceipt(
  deps: Deps,
  merchant: Merchant,
  id: string,
  requestId: string,
): Promise<MailOutcome> {
  const mailId = `itemised-${merchant.accountId}-${requestId}`;
  const earlierMail = await findInvoiceMail(deps.db, mailId);
  if (earlierMail)
    return { kind: earlierMail.isSent ? 'sent' : 'queued', to: earlierMail.recipient, at: earlierMail.createdAt };
  return mailInvoice(
    deps,
    merchant,
    id,
    async (loaded, crmInvoice) => {
      const receipt = receiptFor(loaded, crmInvoice);
      if (receipt.kind === 'not-paid') return receipt;
      const storedLines = paymentOf(loaded)?.billLines;
      if (!storedLines && !crmInvoice.lines) return { kind: 'crm-unavailable' };
      const lines = storedLines || serializeLines(crmInvoice.lines ?? [], crmInvoice, deps.now());
      if (!billLinesOf(lines)) return { kind: 'no-items' };
      return { ...receipt, mailId, details: { ...receipt.details, lines } };
    },
    { lines: true, acceptsDeleted: true },
  );
}

type ReceiptMail = MailRequest & { kind: 'receipt' | 'crm-receipt' };

function receiptFor(loaded: MerchantInvoice, crmInvoice: CrmInvoice): ReceiptMail | { kind: 'not-paid' } {
  const payment = receiptedPayment(loaded);
  if (payment) return { kind: 'receipt', attemptId: payment.id };
  if (crmInvoice.status !== 'paid' || (loaded.invoice && invoiceBalance(loaded.invoice).isSettledHere))
    return { kind: 'not-paid' };
  return { kind: 'crm-receipt', details: { paidOn: crmPaidDay(loaded, crmInvoice) ?? '' } };
}

/** The payment of an invoice, if it was made here and its receipt can be mailed. */
function receiptedPayment(loaded: MerchantInvoice): ReturnType<typeof paymentOf> {
  const payment = paymentOf(loaded);
  return payment && !isSubmitted(payment) && hasReceipt(payment) ? payment : undefined;
}

/** The stored copy of an invoice that the CRM has deleted; null unless a payment here has a receipt to mail. */
function deletedInvoice(loaded: MerchantInvoice): CrmInvoice | null {
  const payment = receiptedPayment(loaded);
  return loaded.invoice && payment ? { ...storedInvoice(loaded.invoice, payment.receiptTo), lines: [] } : null;
}

type MailRefusal = Exclude<MailOutcome, { to: string }>;
type SkippedAddress = { kind: 'left-out'; reason: SkipReason };

type MailOptions = {
  /** Also reads the line items. */
  lines?: boolean;
  /** Mails an invoice that the CRM has deleted, from the stored copy. */
  acceptsDeleted?: boolean;
};

/**
 * Sends every email about an invoice. A customer's email goes only to the address that the CRM has now, or had last if
 * it has deleted the invoice.
 */
async function mailInvoice<Choice extends MailRequest | MailRefusal | SkippedAddress>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  makeRequest: (loaded: MerchantInvoice, crmInvoice: CrmInvoice) => Promise<Choice>,
  { lines = false, acceptsDeleted = false }: MailOptions = {},
): Promise<MailOutcome | Exclude<Choice, MailRequest>> {
  const { db, log, now, settings } = deps;
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  const crmInvoice = await callCrm(deps, merchant.accountId, () =>
    readMerchantInvoice(deps, merchant, loaded, { lines }),
  );
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  const invoice = crmInvoice ?? (acceptsDeleted ? deletedInvoice(loaded) : null);
  if (!invoice) return { kind: 'not-found' };
  const request = await makeRequest(loaded, invoice);
  if (!isMailRequest(request)) return request as Exclude<Choice, MailRequest>;
  const address = request.to ?? invoice.contact.email;
  if (address.trim() === '') return { kind: 'no-address' };
  const recipient = singleAddressIn(address);
  if (!recipient) return { kind: 'bad-address' };

  const { link, to: typedAddress, mailId, ...rest } = request;
  const mail = {
    ...rest,
    id: mailId ?? deps.newId(),
    recipient,
    accountId: merchant.accountId,
    invoiceId: loaded.invoiceId,
  };
  const at = now();
  const limits = {
    pauseMs: settings.MAIL_PAUSE_MS,
    perDay: settings.MAILS_PER_INVOICE_DAY,
    perAccountDay: settings.MAILS_PER_ACCOUNT_DAY,
  };
  const event = auditEvent(deps, {
    accountId: merchant.accountId,
    action: 'mail.asked-for',
    subject: ['invoice', loaded.invoiceId],
    after: {
      kind: mail.kind,
      mail: mail.id,
      linkEndsAt: link?.endsAt,
      withItems: lines || undefined,
      to: typedAddress && mail.kind !== 'test-link' ? maskAddress(recipient) : undefined,
    },
  });
  const queueResult = await queueInvoiceMail(db, mail, limits, at, event, link);
  if (!queueResult.isQueued) {
    const retryAfterS = Math.max(1, Math.ceil((queueResult.until - at) / 1000));
    return { kind: 'too-many', reason: queueResult.reason, retryAfterS };
  }
  log.info('mail-requested', {
    accountId: merchant.accountId,
    userId: merchant.userId,
    mailId: mail.id,
    kind: mail.kind,
  });
  const outcome = await sendMail(deps, mail.id);
  if (outcome === 'refused') return { kind: 'bad-address' };
  return { kind: outcome === 'sent' ? 'sent' : 'queued', to: recipient, at };
}

/** "m…@payer.example": the trail is never erased, so it holds no full address of a person; the email itself has it. */
const maskAddress = (address: string): string => address.replace(/^(.).*(?=@)/u, '$1…');

const isMailRequest = (request: MailRequest | MailRefusal | SkippedAddress): request is MailRequest =>
  ['pay-link', 'test-link', 'receipt', 'crm-receipt'].includes(request.kind);
