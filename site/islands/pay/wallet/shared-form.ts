import type { Wallet } from '#shared/contracts/payments/wallet-values';
import type { CardForm, TokenSource } from '../card-sdk.ts';
import type { ChosenAmount } from '../Part.tsx';

/** A wallet, with the source of its token once its sheet may open. */
export type WalletSource = { name: Wallet } & (TokenSource | { requestToken?: undefined });

/**
 * The state of the form after its last render. It is for the wallets, a separate island that loads only if the business
 * accepts a wallet. The form and the wallets share no module, since that would be one more file for each payer to load.
 */
export type SharedForm = {
  /** Null until the provider's script is ready. */
  card: CardForm | null;
  /** Null while the payer has not chosen a valid amount. */
  choice: ChosenAmount | null;
  /**
   * Validates the form, shows what is missing, and otherwise pays with the wallet's token. For a wallet without a token
   * source, it returns 'ready' in place of a payment.
   */
  submit(wallet: WalletSource): unknown;
  /** Tells the form if there is a wallet. The form then shows the signature above it. */
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

/** Finds the element of the form in which the wallets are shown. */
export const findWalletBox = () => document.querySelector<HTMLElement>('.pay-wallet');

/** True while the form processes a payment. */
export const isProcessing = () => document.querySelector('.pay-form[aria-busy]') !== null;

/** Finds the checkbox of a ticked signature. Null if the payer draws or types the signature. */
export const findSignatureTick = () => document.querySelector<HTMLInputElement>('#pay-signature-tick');
