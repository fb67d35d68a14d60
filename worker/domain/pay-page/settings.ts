import type { PayerLanguageSetting, SwitchSetting } from '#shared/contracts/staff/account-settings';
import type { Language } from '#shared/words/language';
import {
  findPayerLanguage,
  findShowsLines,
  findTakesBankPayments,
  savePayerLanguage,
  saveShowsLines,
  saveTakesBankPayments,
} from '#worker/data/merchants/pay-page-settings';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** The setting that shows payers the lines of their bill. */
export const viewBillLines = async (deps: Deps, { accountId }: Merchant): Promise<SwitchSetting> => ({
  is_on: await findShowsLines(deps.db, accountId),
});

/** Shows or hides the lines from now on, on receipts of earlier payments too. */
export async function setBillLines(deps: Deps, you: Merchant, isOn: boolean): Promise<SwitchSetting> {
  const { accountId, userId } = you;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'bill-lines.changed', subject, after: { on: isOn } });
  await saveShowsLines(deps.db, accountId, isOn, event);
  deps.log.info('bill-lines-changed', { accountId, userId, isOn });
  return { is_on: isOn };
}

/** The switch for payments from bank accounts. */
export const viewBankPayments = async (deps: Deps, { accountId }: Merchant): Promise<SwitchSetting> => ({
  is_on: await findTakesBankPayments(deps.db, accountId),
});

/** Pages offer them or not from the next request on; debits under way are not affected. */
export async function setBankPayments(deps: Deps, you: Merchant, isOn: boolean): Promise<SwitchSetting> {
  const { accountId, userId } = you;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'bank-payments.changed', subject, after: { on: isOn } });
  await saveTakesBankPayments(deps.db, accountId, isOn, event);
  deps.log.info('bank-payments-changed', { accountId, userId, isOn });
  return { is_on: isOn };
}

/** The language of an account's payers if none follows from the link, the browser, the contact or the last visit. */
export const viewPayerLanguage = async (deps: Deps, { accountId }: Merchant): Promise<PayerLanguageSetting> => ({
  language: await findPayerLanguage(deps.db, accountId),
});

/** Pages use it from the next request on, mails from the next one that is rendered. */
export async function setPayerLanguage(deps: Deps, you: Merchant, language: Language): Promise<PayerLanguageSetting> {
  const { accountId, userId } = you;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'payer-language.changed', subject, after: { language } });
  await savePayerLanguage(deps.db, accountId, language, event);
  deps.log.info('payer-language-changed', { accountId, userId, language });
  return { language };
}
