import type { PayView } from '#shared/contracts/payment';
import type { CardForm, TokenSource } from '../card-sdk.ts';
import type { ChosenAmount } from '../Part.tsx';

/**
 * The state of the form after its last render, for the wallets: an island of their own, which loads only where the
 * business accepts one. The two share no module, because that would be one more file for each payer.
 */
export type SharedForm = {
  view: PayView;
  /** The element that the wallets fill; null if the business accepts none. */
  box: HTMLElement | null;
  /** Null until the provider's script is ready. */
  card: CardForm | null;
  /** Null while no accepted amount is chosen. */
  choice: ChosenAmount | null;
  processing: boolean;
  /** Validates the form and pays with this token, or shows what is missing. 'unsigned': only the signature is. */
  submit(wallet: TokenSource): unknown;
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
