import type { CardsOnFileSetting } from '#shared/contracts/staff/account-settings';
import type { Deps } from '#worker/deps';
import { mayChargeStoredCards } from '#worker/domain/merchants/cards-on-file';
import type { Merchant } from '#worker/domain/merchants/session';
import { setSwitch, viewSwitch } from './settings.ts';

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
