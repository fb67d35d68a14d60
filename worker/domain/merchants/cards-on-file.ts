import type { Deps } from '#worker/deps';

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
