import type { PayerLanguageSetting } from '#shared/contracts/payer-language';
import type { Language } from '#shared/words/language';
import { findPayerLanguage, savePayerLanguage } from '#worker/data/merchants/payer-language';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** The language of an account's payers where neither link nor browser, neither contact nor last visit tells one. */
export const viewPayerLanguage = async (deps: Deps, { accountId }: Merchant): Promise<PayerLanguageSetting> => ({
  language: await findPayerLanguage(deps.db, accountId),
});

/** Pages show it from the next request on, mails from the next one that is written. */
export async function setPayerLanguage(deps: Deps, you: Merchant, language: Language): Promise<PayerLanguageSetting> {
  const { accountId, userId } = you;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'payer-language.changed', subject, after: { language } });
  await savePayerLanguage(deps.db, accountId, language, event);
  deps.log.info('payer-language-changed', { accountId, userId, language });
  return { language };
}
