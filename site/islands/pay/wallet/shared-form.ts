import type { Wallet } from '#shared/contracts/payments/wallet-values';
import type { CardForm, TokenSource } from '../card-sdk.ts';
import type { ChosenAmount } from '../Part.tsx';

/** A wallet with the source of its token, or without one as long as its sheet is closed. */
export type WalletSource = { name: Wallet } & (TokenSource | { requestToken?: undefined });

/**
 * The state of the form after its last render, for the wallets: an island of their own, which loads only where the
 * business accepts one. The two share no module, because that would be one more file for each payer; the wallets find
 * everything else on the page.
 */
export type SharedForm = {
  /** Null until the provider's script is ready. */
  card: CardForm | null;
  /** Null while no accepted amount is chosen. */
  choice: ChosenAmount | null;
  /**
   * Validates the form and shows what is missing, or pays with this wallet's token. Without a token it returns 'ready'
   * instead.
   */
  submit(wallet: WalletSource): unknown;
  /** Puts the signature above the wallets. */
  setHasWallet(hasWallet: boolean): void;
};

declare global {
  interface Window {
    tillwayForm?: SharedForm;
  }
  interface WindowEventMap {
    'tillway-form': Event;
  }
}

export const readForm = (): SharedForm | undefined => window.tillwayForm;

/** Calls `onChange` after each render of the form, until the returned function is called. */
export function subscribeForm(onChange: () => void): () => void {
  addEventListener('tillway-form', onChange);
  return () => removeEventListener('tillway-form', onChange);
}

/** The element of the form that the wallets fill. */
export const findBox = () => document.querySelector<HTMLElement>('.pay-wallet');

/** True while the form processes a payment. */
export const isProcessing = () => document.querySelector('.pay-form[aria-busy]') !== null;

/** The tick of the signature; null if the payer draws or types the signature. */
export const findTick = () => document.querySelector<HTMLInputElement>('#pay-signature-tick');
