import { merchantLimits } from '#shared/limits';
import { INVOICE_FOOTER } from '#shared/operator';
import { saveFooterText } from '#worker/data/merchants/merchants';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';

const FORBIDDEN = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

export type FooterOutcome =
  | { kind: 'set'; footerText: string }
  | { kind: 'invalid'; message: string }
  | { kind: 'no-merchant' };

/** The text under every invoice of a merchant; the product's own if the merchant has set none. */
export const presentFooter = (merchant: { footerText: string } | undefined): string =>
  merchant?.footerText || INVOICE_FOOTER;

/** Change the text under every invoice that the merchant prints. */
export async function setFooterText(deps: Deps, merchant: Merchant, text: string): Promise<FooterOutcome> {
  const footerText = text.replaceAll('\r\n', '\n').trim();
  if (footerText.length > merchantLimits.footer)
    return { kind: 'invalid', message: `Please keep the footer text to ${merchantLimits.footer} characters.` };
  if (FORBIDDEN.test(footerText))
    return { kind: 'invalid', message: 'The footer text contains characters that are not allowed.' };
  const { accountId } = merchant;
  const subject: [string, string] = ['merchant', String(accountId)];
  const event = auditEvent(deps, { accountId, action: 'footer.changed', subject, after: { text: footerText } });
  const row = await saveFooterText(deps.db, accountId, footerText, event);
  return row ? { kind: 'set', footerText: presentFooter(row) } : { kind: 'no-merchant' };
}
