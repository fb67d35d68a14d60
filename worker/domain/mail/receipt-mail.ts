import { operator } from '#shared/operator';
import { fill, type WordsOf, wordsIn } from '#shared/words/bilingual';
import { mailWords } from '#shared/words/bill-and-receipt-words';
import { dateIn, moneyIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import { findReceiptPart } from '#worker/data/mail/receipts';
import type { Deps } from '#worker/deps';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { businessName } from '#worker/domain/merchants/view-merchant';
import {
  amount,
  contactOf,
  type Fact,
  type Letter,
  lines,
  link,
  note,
  oneLine,
  senderBlock,
  sheetIn,
  table,
} from './letter.ts';
import { otherLanguageLines, payerLanguage } from './payer-language.ts';
import { lineItemsIn, type Receipt, receiptFrom } from './receipt.ts';

/** The line items as rows of an email; none if the business does not show them. */
export const lineItemRows = (lineItems: Receipt['lines'], words: WordsOf<typeof mailWords>): Fact[] =>
  lineItems
    ? [
        ...lineItems.lines.map(({ name, pieces, total }): Fact => [`${oneLine(name)} ${pieces}`.trim(), total]),
        ...(lineItems.total === null ? [] : [[words.total, lineItems.total] satisfies Fact]),
        ...(lineItems.paidBefore === null ? [] : [[words.paidBefore, lineItems.paidBefore] satisfies Fact]),
        ...(lineItems.more === null ? [] : [[words.invoice, lineItems.more] satisfies Fact]),
      ]
    : [];

/** Titles of emails about refunds, voids and returned payments. */
const REVERSAL_TITLES = {
  refunded: 'refund',
  partlyRefunded: 'refund',
  voided: 'voidedPayment',
  returned: 'returnedPayment',
} as const satisfies Partial<Record<Receipt['state'], keyof typeof mailWords>>;

const reversalTitleOf = (state: Receipt['state']) =>
  state in REVERSAL_TITLES ? REVERSAL_TITLES[state as keyof typeof REVERSAL_TITLES] : null;

/** The rows of a receipt. */
export function receiptFacts(receipt: Receipt): Fact[] {
  const words = wordsIn(mailWords, receipt.language);
  const rows: [string, string | null][] = [
    [receipt.amountLabel, receipt.amount],
    [words.status, receipt.status],
    [words.part, receipt.part],
    [words.invoice, receipt.number],
    [words.date, receipt.date],
    [words.billedTo, receipt.billedTo],
    [receipt.paidByLabel, receipt.customer],
    [words.method, receipt.method],
    [receipt.cardLabel, receipt.card || null],
    [words.authCode, receipt.authCode],
    [words.transactionId, receipt.transactionId],
    [words.result, receipt.result],
    [words.fee, receipt.fee],
    ...receipt.refunds.map(({ what, detail, amount }): [string, string] => [
      what,
      [amount, detail].filter(Boolean).join(', '),
    ]),
    [receipt.leftIs, receipt.left],
    ...lineItemRows(receipt.lines, words),
  ];
  return rows.filter((row): row is Fact => row[1] !== null);
}

/** Returns a receipt as an email. */
export function receiptMail(receipt: Receipt): Letter {
  const { language } = receipt;
  const words = wordsIn(mailWords, language);
  const business = oneLine(receipt.business);
  const facts = receiptFacts(receipt);
  const contact = contactOf({ address: receipt.businessAddress, phone: receipt.businessPhone });
  const checkHint = fill(words.openReceipt, { a: receipt.checkAddress, b: business });
  const reversalTitle = reversalTitleOf(receipt.state);
  const title = words[reversalTitle ?? 'receipt'];
  const invoiceNumber = receipt.number;
  const other = otherLanguageLines(language, 'otherReceipt', receipt.checkAddress);
  const fromBusiness = fill(words.receiptFrom, { title, b: business });
  return {
    subject:
      invoiceNumber === null
        ? fromBusiness
        : reversalTitle
          ? fill(words.newsFor, { news: title, n: invoiceNumber })
          : fill(words.receiptFor, { n: invoiceNumber, b: business }),
    text: [
      fromBusiness,
      contact,
      '',
      ...(receipt.said ? [receipt.said, ''] : []),
      ...lines(facts),
      ...(receipt.feeNote ? ['', receipt.feeNote] : []),
      '',
      checkHint,
      '',
      other.text,
      '',
    ].join('\n'),
    html: sheetIn(language)(
      title,
      senderBlock(business, contact),
      amount(receipt.amountLabel, receipt.amount),
      ...(receipt.said ? [note(receipt.said)] : []),
      table(facts.slice(1)),
      ...(receipt.feeNote ? [note(receipt.feeNote)] : []),
      link(receipt.checkAddress, words.viewReceipt),
      note(checkHint),
      other.html,
    ),
  };
}

/** Composes the queued receipt of a payment, or one that staff sent with line items, in the payer's language. */
export async function composeReceiptMail(
  queuedMail: QueuedMail,
  { db, settings, now }: Pick<Deps, 'db' | 'settings' | 'now'>,
): Promise<Letter | null> {
  const { attempt, account, merchant, entries, invoice } = queuedMail;
  if (!attempt || !account) return null;
  const language = await payerLanguage(db, queuedMail);
  const part = await findReceiptPart(db, attempt, invoice);
  const receipt = receiptFrom({ attempt, account, merchant, entries, part }, settings.APP_URL, {
    language,
    now: now(),
    sentLines: detailsOf(queuedMail.mail).lines,
  });
  return receipt && receiptMail(receipt);
}

/**
 * Composes the notice of a debit that the bank returned before it was booked. Null if it has since been booked or
 * released.
 */
export const composeReturnNotice = (
  queuedMail: QueuedMail,
  deps: Pick<Deps, 'db' | 'settings' | 'now'>,
): Promise<Letter | null> | null =>
  queuedMail.attempt?.state === 'returned' ? composeReceiptMail(queuedMail, deps) : null;

/**
 * The receipt of a payment that the clinic recorded itself. We processed no money, so it has no transaction, card or
 * receipt page. Null if the CRM no longer shows the invoice as paid.
 */
export function crmReceiptMail({
  mail,
  account,
  merchant,
  invoice,
  language,
}: QueuedMail & { language: Language }): Letter | null {
  if (!account || !invoice || invoice.status !== 'paid' || invoiceBalance(invoice).isSettledHere) return null;
  /** `paidOn`: YYYY-MM-DD; empty if the CRM reports none. */
  const { paidOn, lines: lineItems = '' } = detailsOf(mail);
  const words = wordsIn(mailWords, language);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const cents = invoice.billedCents;
  const sum = cents === null ? null : `${moneyIn(language, cents, invoice.currency)} ${invoice.currency}`;
  const facts: Fact[] = [
    ...(number ? [[words.invoice, number] satisfies Fact] : []),
    ...(sum ? [[words.amount, sum] satisfies Fact] : []),
    ...(paidOn ? [[words.date, dateIn(language, paidOn)] satisfies Fact] : []),
    [words.payment, words.recordedByClinic],
    ...lineItemRows(lineItemsIn(lineItems, { currency: invoice.currency, language }), words),
  ];
  const contact = contactOf(account);
  const callHint = fill(words.verifyByPhone, { b: business });
  const fromBusiness = fill(words.receiptFrom, { title: words.receipt, b: business });
  const sender = fill(words.sentFor, { o: operator.name, b: business });
  return {
    subject: number ? fill(words.receiptFor, { n: number, b: business }) : fromBusiness,
    text: [fromBusiness, contact, '', ...lines(facts), '', callHint, '', sender, ''].join('\n'),
    html: sheetIn(language)(
      words.receipt,
      senderBlock(business, contact),
      ...(sum ? [amount(words.paid, sum)] : []),
      table(facts),
      note(callHint),
      note(sender),
    ),
  };
}

/** Composes the queued receipt of a payment that the clinic recorded itself, in the payer's language. */
export const composeCrmReceiptMail = async (queuedMail: QueuedMail, { db }: Pick<Deps, 'db'>) =>
  crmReceiptMail({ ...queuedMail, language: await payerLanguage(db, queuedMail) });
