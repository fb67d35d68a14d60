import type { CardsOnFileSetting } from '#shared/contracts/staff/account-settings';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { setSwitch, viewSwitch } from '#worker/domain/pay-page/settings';

/**
 * True if the installation may charge stored cards: the card provider has said how a sale that the merchant initiates
 * is marked, or no money moves at its sandbox.
 */
export const mayChargeStoredCards = ({ settings }: Pick<Deps, 'settings'>): boolean =>
  settings.GATEWAY_SANDBOX || settings.MERCHANT_INITIATED_SALES === 'confirmed';

/** True if an account keeps cards, and the installation may charge them. */
export const keepsCards = (
  deps: Pick<Deps, 'settings'>,
  account: { keepsCards: boolean } | null | undefined,
): boolean => account?.keepsCards === true && mayChargeStoredCards(deps);

/** Reads the switch of the cards on file. */
export async function viewCardsOnFile(deps: Deps, merchant: Merchant): Promise<CardsOnFileSetting> {
  const isAvailable = mayChargeStoredCards(deps);
  return { is_on: isAvailable && (await viewSwitch(deps, merchant, 'cards-on-file')).is_on, is_available: isAvailable };
}

/**
 * Sets the switch of the cards on file; null if the installation may not charge them. No customer is enrolled by it.
 * Turned off, stored cards stay, and are not charged.
 */
export async function setCardsOnFile(
  deps: Deps,
  merchant: Merchant,
  isOn: boolean,
): Promise<CardsOnFileSetting | null> {
  if (isOn && !mayChargeStoredCards(deps)) return null;
  return { ...(await setSwitch(deps, merchant, 'cards-on-file', isOn)), is_available: mayChargeStoredCards(deps) };
}
