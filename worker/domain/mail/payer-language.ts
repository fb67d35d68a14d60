import { type Language, mailLanguage, readLanguage } from '#shared/words/language';
import type { Db } from '#worker/data/db';
import { findLastVisit } from '#worker/data/mail/last-visit';
import type { OwedMail } from '#worker/data/mail/outbox';

/** What a mail to a payer is about. */
type About = {
  account: Pick<NonNullable<OwedMail['account']>, 'accountId' | 'payerLanguage'> | undefined;
  invoice?: Pick<NonNullable<OwedMail['invoice']>, 'invoiceId' | 'contactLanguage'> | undefined;
  attempt?: Pick<NonNullable<OwedMail['attempt']>, 'payerLanguage'> | undefined;
};

/**
 * In which language a payer gets a mail: the contact's in the CRM, else of the page by which they paid what it is about,
 * else of the one by which they last tried to pay anything here, else the account's.
 */
export async function payerLanguage(db: Db, { account, invoice, attempt }: About): Promise<Language> {
  const contact = invoice?.contactLanguage;
  const isKnown = readLanguage(contact) !== null || attempt?.payerLanguage;
  const visit =
    isKnown || !account || !invoice ? undefined : await findLastVisit(db, account.accountId, invoice.invoiceId);
  return mailLanguage(contact, attempt?.payerLanguage || visit, account?.payerLanguage ?? 'en');
}
