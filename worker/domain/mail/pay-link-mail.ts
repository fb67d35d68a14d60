import { operator } from '#shared/operator';
import { payPath } from '#shared/paths';
import { localDay } from '#shared/text/local-day';
import { fill, wordsIn } from '#shared/words/both';
import { dateIn, moneyIn } from '#shared/words/formats';
import { type Language, writtenIn } from '#shared/words/language';
import { mailWords } from '#shared/words/mail-words';
import type { OwedMail } from '#worker/data/mail/outbox';
import { whyNotOffered } from '#worker/data/offers';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { invoiceBalance, payableState } from '#worker/domain/invoices/invoice-balance';
import {
  amount,
  button,
  contactOf,
  type Fact,
  from,
  type Letter,
  lines,
  type Markup,
  note,
  oneLine,
  sheetIn,
  table,
} from './letter.ts';
import { otherLanguageLine } from './other-language.ts';
import { payerLanguage } from './payer-language.ts';

/** `link`: the live one. */
type Bill = Pick<OwedMail, 'account' | 'merchant' | 'invoice'> & {
  link: Pick<NonNullable<OwedMail['link']>, 'payId' | 'endsAt'> | undefined;
  language: Language;
};

/**
 * A bill with its pay link. It names no line item: treatments are the clinic's business alone. Null: there is nothing
 * to pay any more, or no live link. `above`: what stands above it, for other readers than the customer.
 */
export function payLinkMail(
  { account, merchant, invoice, link, language }: Bill,
  { settings }: Pick<Deps, 'settings'>,
  above: Markup[] = [],
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
  const due = `${moneyIn(language, owedCents, invoice.currency)} ${invoice.currency}`;
  const address = writtenIn(`${settings.APP_URL}${payPath(link.payId)}`, language);
  const customer = oneLine(`${invoice.contactFirstName} ${invoice.contactLastName}`);
  const ends = dateIn(language, localDay(link.endsAt, account.timeZone));
  const facts: Fact[] = [
    [words.amountDue, due],
    ...(number ? [[words.invoice, number] satisfies Fact] : []),
    ...(invoice.dueDate ? [[words.due, dateIn(language, invoice.dueDate)] satisfies Fact] : []),
    ...(customer ? [[words.for, customer] satisfies Fact] : []),
  ];
  const contact = contactOf(account);
  const check = [
    fill(words.callKnown, { b: business }),
    fill(words.leadsTo, { h: new URL(settings.APP_URL).host }),
    words.nobodyAsks,
  ].join(' ');
  const until = `${fill(words.worksUntil, { d: ends })} ${fill(words.sentFor, { o: operator.name, b: business })}`;
  const other = otherLanguageLine(language, 'otherPay', address);
  const invoiceFrom = fill(words.invoiceFrom, { b: business });
  return {
    subject: number ? fill(words.invoiceNumberFrom, { n: number, b: business }) : invoiceFrom,
    text: [
      invoiceFrom,
      contact,
      '',
      ...lines(facts),
      '',
      words.payThisOnline,
      address,
      '',
      check,
      '',
      until,
      '',
      other.text,
      '',
    ].join('\n'),
    html: sheetIn(language)(
      words.invoice,
      above,
      from(business, contact),
      amount(words.amountDue, due),
      table(facts.slice(1)),
      button(address, words.payThis),
      note(address),
      note(check),
      note(until),
      other.html,
    ),
  };
}

/**
 * The same, in the payer's language, for a mail that leaves now. Null also where our own books say that the next page
 * would take no payment.
 */
export async function owedPayLink(
  owed: OwedMail,
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  above?: Markup[],
): Promise<Letter | null> {
  if (owed.invoice && (await whyNotOffered(db, owed.invoice))) return null;
  return payLinkMail({ ...owed, language: await payerLanguage(db, owed) }, { settings }, above);
}
