import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import type { Language } from '#shared/words/language';
import { keepCardConsent } from '#shared/words/stored-card-words';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Attempt } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { keepsCards } from '#worker/domain/merchants/cards-on-file';
import { businessName } from '#worker/domain/merchants/view-merchant';

/** True if the payer of an invoice may keep the card. A card belongs to a contact, so the invoice needs one. */
export const offersToKeepCard = (deps: Pick<Deps, 'settings'>, { account, invoice }: Payable): boolean =>
  keepsCards(deps, account) && invoice.contactId !== '';

export type KeepCardFields = Pick<Attempt, 'keepCardFor' | 'keepCardWords'>;

/**
 * The columns of an attempt whose payer ticked the offer to keep the card. Without the tick, or if the offer no longer
 * stands, the card is not kept. `language`: that of the payer's page, if it is known.
 */
export function keepCardFields(
  deps: Pick<Deps, 'settings'>,
  payable: Payable,
  { keepCard }: Pick<TakePaymentBody, 'keepCard'>,
  language: Language | undefined,
): KeepCardFields {
  if (!keepCard || !offersToKeepCard(deps, payable)) return { keepCardFor: '', keepCardWords: '' };
  const { account, merchant, invoice } = payable;
  const consent = keepCardConsent(language ?? account.payerLanguage, businessName(account, merchant));
  return { keepCardFor: invoice.contactId, keepCardWords: consent };
}
