import { operator } from '#shared/operator';
import { fill, wordsIn } from '#shared/words/both';
import { dateIn, moneyIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import { mailWords } from '#shared/words/mail-words';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { boughtRows } from './bought.ts';
import { amount, contactOf, type Fact, from, type Letter, lines, note, oneLine, sheetIn, table } from './letter.ts';
import { payerLanguage } from './payer-language.ts';
import { boughtIn } from './receipt.ts';

/**
 * The receipt of a payment that the clinic recorded itself. We saw no money, so there is no transaction, no card and no
 * receipt page. Null: the CRM does not call the invoice paid any more.
 */
export function crmReceiptMail({
  mail,
  account,
  merchant,
  invoice,
  language,
}: OwedMail & { language: Language }): Letter | null {
  if (!account || !invoice || invoice.status !== 'paid' || invoiceBalance(invoice).isSettledHere) return null;
  /** YYYY-MM-DD; empty where the CRM does not say. */
  const { paidOn, lines: bought = '' } = detailsOf(mail);
  const words = wordsIn(mailWords, language);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const cents = invoice.billedCents;
  const sum = cents === null ? null : `${moneyIn(language, cents, invoice.currency)} ${invoice.currency}`;
  const facts: Fact[] = [
    [words.invoice, number],
    ...(sum ? [[words.amount, sum] satisfies Fact] : []),
    ...(paidOn ? [[words.date, dateIn(language, paidOn)] satisfies Fact] : []),
    [words.payment, words.recordedByClinic],
    ...boughtRows(boughtIn(bought, { currency: invoice.currency, language }), words),
  ];
  const contact = contactOf(account);
  const check = fill(words.callKnown, { b: business });
  const sender = fill(words.sentFor, { o: operator.name, b: business });
  return {
    subject: fill(words.receiptFor, { n: number, b: business }),
    text: [
      fill(words.receiptFrom, { title: words.receipt, b: business }),
      contact,
      '',
      ...lines(facts),
      '',
      check,
      '',
      sender,
      '',
    ].join('\n'),
    html: sheetIn(language)(
      words.receipt,
      from(business, contact),
      ...(sum ? [amount(words.paid, sum)] : []),
      table(facts),
      note(check),
      note(sender),
    ),
  };
}

/** That receipt as staff sent it, in the payer's language. */
export const owedCrmReceipt = async (owed: OwedMail, { db }: Pick<Deps, 'db'>) =>
  crmReceiptMail({ ...owed, language: await payerLanguage(db, owed) });
