import type { When } from '#shared/contracts/reminders-request';
import { operator } from '#shared/operator';
import { payPath, stopPath } from '#shared/paths';
import { fill, type WordsOf, wordsIn } from '#shared/words/both';
import { dateIn, moneyIn } from '#shared/words/formats';
import { type Language, writtenIn } from '#shared/words/language';
import { mailWords } from '#shared/words/mail-words';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import { amount, button, contactOf, from, html, type Letter, link, note, oneLine, sheetIn } from './letter.ts';
import { otherLanguageLine } from './other-language.ts';
import { payerLanguage } from './payer-language.ts';

export const whenOf = (step: number): When => (step < 0 ? 'before' : step === 0 ? 'on' : 'after');

const DUE = { before: 'isDueOn', on: 'isDueToday', after: 'wasDueOn' } as const satisfies Record<When, string>;

/** "invoice INV-7 is due on Mar 4, 2026." */
const dueIn = (language: Language, words: WordsOf<typeof mailWords>, bill: string, when: When, day: string | null) =>
  day === null ? fill(words.isOpen, { bill }) : fill(words[DUE[when]], { bill, d: dateIn(language, day) });

type Reminded = Pick<OwedMail, 'account' | 'merchant' | 'invoice'> & { language: Language };
type Known = Reminded & { account: NonNullable<Reminded['account']>; invoice: NonNullable<Reminded['invoice']> };
/** `stop`: the capability that ends the reminders to this address; null where the mail goes to staff. */
type About = { when: When; payId: string; stop: string | null };

/** What a reminder says, whether it is sent or only looked at. */
export function reminderWords({ account, merchant, invoice, language }: Known, when: When) {
  const words = wordsIn(mailWords, language);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const name = oneLine(invoice.contactFirstName);
  const { owedCents } = invoiceBalance(invoice);
  const bill = number ? fill(words.billNumber, { n: number }) : fill(words.yourBill, { b: business });
  return {
    business,
    number,
    // Without a sum: a subject shows on locked screens.
    subject: number ? fill(words.reminderOf, { b: business, n: number }) : fill(words.reminderFrom, { b: business }),
    greeting: name ? fill(words.helloName, { name }) : words.hello,
    what: `${dueIn(language, words, bill, when, invoice.dueDate)} ${words.ifPaid}`,
    /** Null: what is owed cannot be read. */
    amount: owedCents === null ? null : moneyIn(language, owedCents, invoice.currency),
    reach: [account.phone, account.email].filter(Boolean).map(oneLine).join(` ${words.or} `),
    stop: fill(words.stopReminders, { b: business }),
  };
}

/** A reminder of a bill with its pay link. It names no line item: treatments are the clinic's business alone. */
export function reminderMail(
  { account, merchant, invoice, language }: Reminded,
  { when, payId, stop }: About,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account || !invoice) return null;
  const said = reminderWords({ account, merchant, invoice, language }, when);
  const { business, greeting, what, reach } = said;
  if (said.amount === null) return null;
  const words = wordsIn(mailWords, language);
  const address = writtenIn(`${settings.APP_URL}${payPath(payId)}`, language);
  const check = [
    fill(words.callKnown, { b: business }),
    fill(words.leadsTo, { h: new URL(settings.APP_URL).host }),
    fill(words.sentFor, { o: operator.name, b: business }),
  ].join(' ');
  const questions = reach && fill(words.questions, { reach });
  const other = otherLanguageLine(language, 'otherPay', address);
  const stopAddress = stop && writtenIn(`${settings.APP_URL}${stopPath(stop)}`, language);
  return {
    subject: said.subject,
    text: [
      ...[greeting, '', what, '', said.amount, '', words.viewAndPayAt, address, ''],
      ...(questions ? [questions, ''] : []),
      ...[check, '', other.text, '', stopAddress ? `${said.stop}: ${stopAddress}` : said.stop, ''],
    ].join('\n'),
    html: sheetIn(language)(
      words.reminder,
      from(business, contactOf(account)),
      html`<p style="margin:0 0 12px">${greeting}</p><p style="margin:0 0 12px">${what}</p>`,
      amount(words.amountDue, said.amount),
      button(address, words.viewAndPay),
      ...(questions ? [note(questions)] : []),
      note(check),
      other.html,
      stopAddress ? link(stopAddress, said.stop) : note(said.stop),
    ),
    ...(stopAddress && {
      headers: { 'List-Unsubscribe': `<${stopAddress}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  };
}

const WHY = `You asked ${operator.name} for this test. Below it is what your customer would get.`;

/** A reminder for staff, who want to see what a customer gets; its links open nothing of the invoice. */
export async function reminderTest(owed: OwedMail, deps: Pick<Deps, 'db' | 'settings'>): Promise<Letter | null> {
  const { when = 'after' } = detailsOf(owed.mail);
  const language = await payerLanguage(deps.db, owed);
  const letter = reminderMail({ ...owed, language }, { when: when as When, payId: '…', stop: null }, deps);
  if (!letter) return null;
  return {
    subject: `Test: ${letter.subject}`,
    text: [WHY, 'The links of this test lead nowhere.', '', letter.text].join('\n'),
    html: letter.html,
  };
}
