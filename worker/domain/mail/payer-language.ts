import { type Language, mailLanguage } from '#shared/words/language';
import type { OwedMail } from '#worker/data/mail/outbox';

type Of = {
  invoice?: Pick<NonNullable<OwedMail['invoice']>, 'contactLanguage'> | null | undefined;
  attempt?: Pick<NonNullable<OwedMail['attempt']>, 'payerLanguage'> | null | undefined;
  account: Pick<NonNullable<OwedMail['account']>, 'payerLanguage'>;
};

/** In which language a payer gets a mail: the contact's in the CRM, else of the page by which they paid, else the account's. */
export const payerLanguage = ({ invoice, attempt, account }: Of): Language =>
  mailLanguage(invoice?.contactLanguage, attempt?.payerLanguage, account.payerLanguage);
