import { wordsIn } from '#shared/words/bilingual';
import { mailWords } from '#shared/words/bill-and-receipt-words';
import {
  htmlLang,
  type Language,
  mailLanguage,
  otherLanguages,
  readLanguage,
  withLanguage,
} from '#shared/words/language';
import type { Db } from '#worker/data/db';
import { findLastPayerLanguage } from '#worker/data/mail/last-visit';
import type { QueuedMail } from '#worker/data/mail/outbox';
import { html, type Markup } from './letter.ts';

/** The records that an email to a payer refers to. */
type RelatedRecords = {
  account: Pick<NonNullable<QueuedMail['account']>, 'accountId' | 'payerLanguage'> | undefined;
  invoice?: Pick<NonNullable<QueuedMail['invoice']>, 'invoiceId' | 'contactLanguage'> | undefined;
  attempt?: Pick<NonNullable<QueuedMail['attempt']>, 'payerLanguage'> | undefined;
};

/**
 * The language of an email to a payer: the contact's language in the CRM, else that of the page used for this payment,
 * else that of the payer's last visit to pay, else the account's.
 */
export const payerLanguage = async (db: Db, records: RelatedRecords): Promise<Language> =>
  (await findPayerLanguage(db, records)).language;

/** Also returns `isKnown`: true if the language is the payer's own, not the default of the business. */
export async function findPayerLanguage(
  db: Db,
  { account, invoice, attempt }: RelatedRecords,
): Promise<{ language: Language; isKnown: boolean }> {
  const contact = invoice?.contactLanguage;
  const isKnown = readLanguage(contact) !== null || attempt?.payerLanguage;
  const visit =
    isKnown || !account || !invoice ? undefined : await findLastPayerLanguage(db, account.accountId, invoice.invoiceId);
  const language = mailLanguage(contact, attempt?.payerLanguage || visit, account?.payerLanguage ?? 'en');
  return { language, isKnown: Boolean(isKnown || visit) };
}

type Offer = 'otherPay' | 'otherReceipt';

/** A line in each other language that links to the page in that language. */
export function otherLanguageLines(
  language: Language,
  offer: Offer,
  address: string,
): { text: string; html: Markup[] } {
  const [page = ''] = address.split('?');
  const lines = otherLanguages(language).map((other) => {
    const words = wordsIn(mailWords, other)[offer];
    return { lang: htmlLang[other], words, href: withLanguage(page, other) };
  });
  return {
    text: lines.map(({ words, href }) => `${words}: ${href}`).join('\n'),
    html: lines.map(
      ({ lang, words, href }) =>
        html`<p lang="${lang}" style="margin:12px 0 0;font-size:14px"><a href="${href}" style="color:#095e45">${words}</a></p>
`,
    ),
  };
}
