import { operator } from '#shared/operator';
import { payPath } from '#shared/paths';
import { localDay } from '#shared/text/local-day';
import { fill, wordsIn } from '#shared/words/bilingual';
import { mailWords } from '#shared/words/bill-and-receipt-words';
import { dateIn, moneyIn } from '#shared/words/formats';
import { type Language, withNonDefaultLanguage } from '#shared/words/language';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { type InvoiceRow, withCrmData } from '#worker/data/invoices/invoices';
import type { QueuedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { recordCrmInvoice } from '#worker/domain/invoices/freeze-changed-amount';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { findNotOfferedReason, isTemporaryReason } from '#worker/domain/not-payable-reason';
import {
  amount,
  button,
  type ComposedMail,
  contactOf,
  type Fact,
  type Letter,
  lines,
  type Markup,
  note,
  oneLine,
  senderBlock,
  sheetIn,
  table,
} from './letter.ts';
import { findPayerLanguage, otherLanguageLines } from './payer-language.ts';

/** `link`: the live link, if there is one. */
type Bill = Pick<QueuedMail, 'account' | 'merchant' | 'invoice'> & {
  link: Pick<NonNullable<QueuedMail['link']>, 'payId' | 'endsAt'> | undefined;
  language: Language;
  /** False: the language is the default of the business, so the lines in the other languages come first. */
  isKnown?: boolean;
};

/**
 * A bill with its pay link. It has no line items, since treatments are confidential. Null if nothing is payable
 * anymore, or there is no live link. `contentAbove`: content above the bill, for readers other than the customer.
 */
export function payLinkMail(
  { account, merchant, invoice, link, language, isKnown = true }: Bill,
  { settings }: Pick<Deps, 'settings'>,
  contentAbove: Markup[] = [],
): Letter | null {
  if (
    !account ||
    account.closesAt !== null ||
    !invoice ||
    !link ||
    payableState(invoice, settings.MAX_AMOUNT_CENTS) !== 'payable'
  )
    return null;
  const { owedCents } = invoiceBalance(invoice);
  if (owedCents === null) return null;
  const words = wordsIn(mailWords, language);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const amountDue = `${moneyIn(language, owedCents, invoice.currency)} ${invoice.currency}`;
  const address = withNonDefaultLanguage(`${settings.APP_URL}${payPath(link.payId)}`, language);
  const customer = oneLine(`${invoice.contactFirstName} ${invoice.contactLastName}`);
  const lastDay = dateIn(language, localDay(link.endsAt, account.timeZone));
  const facts: Fact[] = [
    [words.amountDue, amountDue],
    ...(number ? [[words.invoice, number] satisfies Fact] : []),
    ...(invoice.dueDate ? [[words.due, dateIn(language, invoice.dueDate)] satisfies Fact] : []),
    ...(customer ? [[words.for, customer] satisfies Fact] : []),
  ];
  const contact = contactOf(account);
  const authenticityText = [
    fill(words.verifyByPhone, { b: business }),
    fill(words.linkHost, { h: new URL(settings.APP_URL).host }),
    words.noCardNumberRequests,
  ].join(' ');
  const validityNote = `${fill(words.worksUntil, { d: lastDay })} ${fill(words.sentFor, { o: operator.name, b: business })}`;
  const other = otherLanguageLines(language, 'otherPay', address);
  const invoiceFrom = fill(words.invoiceFrom, { b: business });
  return {
    subject: number ? fill(words.invoiceNumberFrom, { n: number, b: business }) : invoiceFrom,
    text: [
      ...(isKnown ? [] : [other.text, '']),
      invoiceFrom,
      contact,
      '',
      ...lines(facts),
      '',
      words.payThisOnline,
      address,
      '',
      authenticityText,
      '',
      validityNote,
      '',
      ...(isKnown ? [other.text, ''] : []),
    ].join('\n'),
    html: sheetIn(language)(
      words.invoice,
      isKnown ? contentAbove : [...contentAbove, ...other.html],
      senderBlock(business, contact),
      amount(words.amountDue, amountDue),
      table(facts.slice(1)),
      button(address, words.payThis),
      note(address),
      note(authenticityText),
      note(validityNote),
      ...(isKnown ? other.html : []),
    ),
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_WAIT_MS = 48 * HOUR_MS;

/**
 * Like `payLinkMail`, for a queued email in the payer's language. An email that has waited is updated from the CRM.
 * Null also if the pay page would not accept a payment. If that is temporary, the email waits, for two days at most.
 */
export async function composePayLinkMail(
  queuedMail: QueuedMail,
  deps: Deps,
  contentAbove?: Markup[],
): Promise<ComposedMail> {
  const { mail, invoice: storedInvoice } = queuedMail;
  const at = deps.now();
  if (!storedInvoice || at - mail.createdAt > MAX_WAIT_MS) return null;
  // The request that queued the email has just read the CRM.
  const isUpToDate = mail.tries === 1 && at - mail.createdAt <= MINUTE_MS;
  const invoice = isUpToDate ? storedInvoice : await readFromCrm(deps, storedInvoice);
  if (invoice === 'crm-unavailable') return { later: at + HOUR_MS };
  const refusalReason = invoice && (await findNotOfferedReason(deps, invoice));
  if (isTemporaryReason(refusalReason)) return { later: at + HOUR_MS };
  if (!invoice || refusalReason) return null;
  return payLinkMail(
    { ...queuedMail, invoice, ...(await findPayerLanguage(deps.db, { ...queuedMail, invoice })) },
    deps,
    contentAbove,
  );
}

async function readFromCrm(deps: Deps, storedInvoice: InvoiceRow): Promise<InvoiceRow | 'crm-unavailable' | null> {
  const { db, now } = deps;
  const { accountId, invoiceId } = storedInvoice;
  const tokens = await findTokens(db, accountId);
  if (!tokens || tokens.revokedAt !== null) return 'crm-unavailable';
  const crmInvoice = await callCrm(deps, accountId, () =>
    withCrm(deps, tokens, (token, timeZone) => deps.crm.getInvoice(token, invoiceId, { timeZone })),
  );
  if (crmInvoice === 'crm-unavailable' || !crmInvoice) return crmInvoice;
  const readAt = now();
  await recordCrmInvoice(deps, accountId, { storedInvoice: storedInvoice, crmInvoice: crmInvoice, readAt });
  return withCrmData(storedInvoice, crmInvoice, readAt);
}
