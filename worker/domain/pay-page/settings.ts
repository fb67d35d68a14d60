import type { PayerLanguageSetting, SwitchSetting } from '#shared/contracts/staff/account-settings';
import type { Language } from '#shared/words/language';
import {
  findPayerLanguage,
  type PayPageSwitch,
  readSwitch,
  savePayerLanguage,
  saveSwitch,
} from '#worker/data/merchants/pay-page-settings';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

/** Reads a switch of the pay pages. */
export const viewSwitch = async (deps: Deps, { accountId }: Merchant, name: PayPageSwitch): Promise<SwitchSetting> => ({
  is_on: await readSwitch(deps.db, accountId, name),
});

/**
 * Sets a switch of the pay pages, which follow it from the next request on. Line items also appear on or disappear from
 * earlier receipts; payments that have begun are not affected.
 */
export async function setSwitch(
  deps: Deps,
  merchant: Merchant,
  name: PayPageSwitch,
  isOn: boolean,
): Promise<SwitchSetting> {
  const { accountId, userId } = merchant;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: `${name}.changed`, subject, after: { on: isOn } });
  await saveSwitch(deps.db, accountId, { name, isOn }, event);
  deps.log.info('pay-page-switched', { accountId, userId, name, isOn });
  return { is_on: isOn };
}

/** The language of an account's payers if none follows from the link, the browser, the contact or the last visit. */
export const viewPayerLanguage = async (deps: Deps, { accountId }: Merchant): Promise<PayerLanguageSetting> => ({
  language: await findPayerLanguage(deps.db, accountId),
});

/**
 * Sets the default language for payers. Pages use it from the next request on, emails from the next one that is
 * rendered.
 */
export async function setPayerLanguage(
  deps: Deps,
  merchant: Merchant,
  language: Language,
): Promise<PayerLanguageSetting> {
  const { accountId, userId } = merchant;
  const subject: [string, string] = ['account', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'payer-language.changed', subject, after: { language } });
  await savePayerLanguage(deps.db, accountId, language, event);
  deps.log.info('payer-language-changed', { accountId, userId, language });
  return { language };
}
