import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { hasRight } from '#shared/contracts/staff/team-values';
import { merchantLimits } from '#shared/limits';
import { decimalFromCents, ONLINE_CURRENCY } from '#shared/money';
import { INVOICE_FOOTER } from '#shared/operator';
import { payPath, receiptPath } from '#shared/paths';
import { dayOfDate } from '#shared/text/local-day';
import { methodName } from '#shared/text/wallet-name';
import { findMerchant, saveFooterText } from '#worker/data/merchants/merchants';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { paidElsewhere, unpaidIncrease } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance, isSubmitted } from '#worker/domain/invoices/invoice-balance';
import type { MerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { hasReceipt, paidWithText } from '#worker/domain/mail/receipt';
import type { Merchant } from '#worker/domain/merchants/session';
import { businessName } from '#worker/domain/merchants/view-merchant';
import type { CrmInvoice, CrmInvoiceSheet } from '#worker/vendors/hubspot/port';

const FORBIDDEN_CHARACTERS = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export type FooterOutcome =
  | { kind: 'set'; footerText: string }
  | { kind: 'invalid'; message: string }
  | { kind: 'no-merchant' };

/** The text under every invoice of a merchant; the default text if the merchant has set none. */
export const presentFooter = (merchant: { footerText: string } | undefined): string =>
  merchant?.footerText || INVOICE_FOOTER;

/** The text under every invoice of the account, as it is printed now. */
export const viewFooterText = async ({ db }: Deps, { accountId }: Merchant): Promise<string> =>
  presentFooter(await findMerchant(db, accountId));

/** Changes the text under every invoice that the merchant prints. */
export async function setFooterText(deps: Deps, merchant: Merchant, text: string): Promise<FooterOutcome> {
  const footerText = text.replaceAll('\r\n', '\n').trim();
  if (footerText.length > merchantLimits.footer)
    return { kind: 'invalid', message: `Please keep the footer text to ${merchantLimits.footer} characters.` };
  if (FORBIDDEN_CHARACTERS.test(footerText))
    return { kind: 'invalid', message: 'The footer text contains characters that are not allowed.' };
  const { accountId } = merchant;
  const subject: [string, string] = ['merchant', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'footer.changed', subject, after: { text: footerText } });
  const row = await saveFooterText(deps.db, accountId, footerText, event);
  return row ? { kind: 'set', footerText: presentFooter(row) } : { kind: 'no-merchant' };
}

/** The CRM's answer; only `invoice` if the stored invoice replaces it. */
export type Sheet = Pick<CrmInvoiceSheet, 'invoice'> & Partial<CrmInvoiceSheet>;

type Properties = InvoicePreviewReply['properties'];

/** An invoice as it is printed. Our own data overrides the CRM's, and the account's custom fields override ours. */
export function invoicePreview(
  loaded: MerchantInvoice,
  sheet: Sheet,
  { appUrl, now, recorded }: { appUrl: string; now: number; recorded: ReadonlyMap<string, number> },
): Omit<InvoicePreviewReply, 'life' | 'is_deleted_in_crm'> {
  const { invoice, lines } = sheet;
  const { link, mailed, signature, badAddress } = loaded;
  const payment = paymentOf(loaded);
  const mailedAt = mailed?.sentAt ?? null;
  return {
    id: loaded.invoiceId,
    properties: {
      ...crmProperties(loaded, sheet),
      ...presentPaidHere(loaded, sheet, recorded),
      ...presentParties(loaded, sheet),
      ...presentPayment(loaded, sheet),
    },
    crm_status: invoice.status,
    lineItemData: (lines ?? []).map(({ id, name, unitPrice, quantity }) => ({
      id,
      properties: { name, amount: unitPrice, quantity },
    })),
    lines_match: linesMatch(sheet),
    footer_text: presentFooter(loaded.merchant),
    can_edit_footer: hasRight(loaded.role, 'administer'),
    signature_saved_at: signature ? instant(signature.savedAt) : null,
    payer_signature:
      payment?.signedBy && payment.signatureKey
        ? { kind: payment.signedBy, words: payment.signedWords, at: new Date(payment.createdAt).toISOString() }
        : null,
    pay_link:
      link && link.endsAt > now && invoice.currency === ONLINE_CURRENCY
        ? {
            id: link.payId,
            url: `${appUrl}${payPath(link.payId)}`,
            ends_at: new Date(link.endsAt).toISOString(),
          }
        : null,
    email: invoice.contact.email,
    customer_id: invoice.contactId,
    mailed_at: mailedAt === null ? null : instant(mailedAt),
    mailed: mailedAt === null ? null : mailed?.kind === 'pay-link' ? 'pay-link' : 'receipt',
    delivery: mailed?.delivery ?? null,
    // The CRM may have a better address by now.
    bad_address: badAddress?.address === invoice.contact.email.trim().toLowerCase() ? badAddress.why : null,
    receipt_url: payment && hasReceipt(payment) ? `${appUrl}${receiptPath(payment.receiptId)}` : null,
    payment_id: payment?.method === 'card' && !isSubmitted(payment) ? payment.id : null,
    parts: presentInstallments(loaded, sheet),
    can_collect_again:
      loaded.invoice !== null && loaded.invoice !== undefined && invoiceBalance(loaded.invoice).isReopenable,
  };
}

const amount = (cents: number | null): string | null => (cents === null ? null : decimalFromCents(cents));
/** Stored as 0 if the CRM has not reported a time. */
const instant = (at: number): string | null => (at > 0 ? new Date(at).toISOString() : null);

function crmProperties({ invoice: row }: MerchantInvoice, { invoice }: Sheet) {
  const balance = invoiceBalance({ ...row, localStatus: row?.localStatus ?? 'none', ...invoice });
  return {
    hs_number: invoice.number,
    hs_amount_billed: amount(invoice.billedCents),
    hs_balance_due: amount(balance.owedCents),
    hs_due_date: invoice.dueDate,
    hs_invoice_date: invoice.invoiceDate,
    hs_createdate: instant(invoice.createdAt),
    hs_lastmodifieddate: instant(invoice.modifiedAt),
    hs_invoice_status: balance.status,
    hs_currency: invoice.currency,
  } satisfies Partial<Properties>;
}

/** The invoice's payments in our ledger, and the amount added to it in the CRM after it was paid here. */
function presentPaidHere(
  { invoice: row, attempts, payments }: MerchantInvoice,
  { invoice, paidCents = null }: Sheet,
  recorded: ReadonlyMap<string, number>,
) {
  const bookedAttempts = attempts.filter(({ id }) => payments.some(({ attemptId }) => attemptId === id));
  const approvedAttempts = bookedAttempts.filter(({ state }) => state === 'approved');
  const netCents = approvedAttempts.reduce(
    (sum, { amountCents, refundedCents }) => sum + amountCents - refundedCents,
    0,
  );
  const takenPayments = attempts
    .filter((attempt) => attempt.state === 'approved' || isSubmitted(attempt))
    .map(({ id, amountCents }) => ({ amountCents, recordedCents: recorded.get(id) ?? 0 }));
  const isClosed = row?.localStatus === 'paid' || row?.localStatus === 'submitted';
  return {
    amount_paid: bookedAttempts.length === 0 ? null : decimalFromCents(netCents),
    paid_elsewhere: amount(paidElsewhere({ ...invoice, paidCents }, takenPayments)),
    unpaid_change: isClosed ? amount(unpaidIncrease(invoice, takenPayments)) : null,
  } satisfies Partial<Properties>;
}

function presentInstallments(
  { account, invoice }: MerchantInvoice,
  { allowsParts }: Sheet,
): InvoicePreviewReply['parts'] {
  const installments = invoice ? invoiceBalance({ ...invoice, status: 'open' }).installments : null;
  return {
    is_on: account?.takesParts ?? false,
    is_frozen: invoice?.isFrozen ?? false,
    crm_allows: allowsParts ?? null,
    base: installments && decimalFromCents(installments.baseCents),
    paid: decimalFromCents(installments?.paidCents ?? 0),
  };
}

type Address = { address: string; city: string; state: string; zip: string };

/** "1 Elm St, Carmel, IN 46032" */
function addressLine({ address, city, state, zip }: Address): string {
  return [address, city, `${state} ${zip}`]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');
}

/** The business that issued the invoice, and the customer. */
function presentParties({ account, merchant }: MerchantInvoice, { invoice, customerAddress, own }: Sheet) {
  const { contact, company } = invoice;
  return {
    clinic_name: own?.clinic_name || (account ? businessName(account, merchant) : ''),
    clinic_address: own?.clinic_address || account?.address || '',
    clinic_phone: own?.clinic_phone || account?.phone || '',
    customer_name: own?.customer_name || `${contact.firstName} ${contact.lastName}`.trim() || company.name,
    customer_address:
      own?.customer_address || (customerAddress && addressLine(customerAddress)) || addressLine(company),
  } satisfies Partial<Properties>;
}

/** The payment of the current collection: one in the ledger, or a pending bank payment. */
export function paymentOf({
  invoice,
  attempts,
  payments,
}: MerchantInvoice): MerchantInvoice['attempts'][number] | undefined {
  return attempts.find(
    (attempt) =>
      attempt.collection === (invoice?.collection ?? 1) &&
      (isSubmitted(attempt) || payments.some(({ attemptId }) => attemptId === attempt.id)),
  );
}

/** The day on which the invoice was paid according to the CRM, in the account's time zone (YYYY-MM-DD). */
export const crmPaidDay = ({ account }: MerchantInvoice, { paidAt }: Pick<CrmInvoice, 'paidAt'>): string | null =>
  paidAt === null ? null : dayOfDate(paidAt, account?.timeZone ?? 'UTC');

function presentPayment(loaded: MerchantInvoice, { invoice, own }: Sheet) {
  const attempt = paymentOf(loaded);
  if (!attempt) {
    return {
      payment_method: own?.payment_method ?? '',
      payment_date: crmPaidDay(loaded, invoice) || own?.payment_date || null,
      paid_via: own?.paid_via ?? '',
      transaction_id: own?.transaction_id ?? '',
      receipt_id: own?.receipt_id ?? '',
    } satisfies Partial<Properties>;
  }
  const ledgerEntry = loaded.payments.find(({ attemptId }) => attemptId === attempt.id);
  const terminal = loaded.counterTerminals.find(({ terminalId }) => terminalId === attempt.terminalId);
  return {
    payment_method: paidWithText(attempt) || methodName(attempt),
    payment_date: ledgerEntry?.day ?? null,
    paid_via: attempt.channel === 'link' ? 'Payment link' : (terminal?.name ?? 'Card reader'),
    transaction_id: attempt.providerTxnId ?? '',
    receipt_id: attempt.receiptId,
  } satisfies Partial<Properties>;
}

/** True if the lines add up to the billed amount, or are not loaded. */
function linesMatch({ invoice, lines }: Sheet): boolean {
  if (!lines) return true;
  const totals = lines.map(({ totalCents }) => totalCents);
  return !totals.includes(null) && totals.reduce<number>((sum, cents) => sum + (cents ?? 0), 0) === invoice.billedCents;
}
