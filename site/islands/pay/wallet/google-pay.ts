import type { CARD_FRAME_ID, CARD_OPTIONS_ID, CardOptions } from '../card-options.ts';
import type { CardForm } from '../card-sdk.ts';
import { sdkOf, type View } from './provider.ts';

type GoogleSdk = {
  googlePayAvailable?(): boolean | Promise<boolean>;
  init(options: Record<string, unknown>): unknown;
  reset(): void;
};

/** The id of the built page's element into which the provider's script draws Google's button. */
export const GOOGLE_BUTTON_ID = 'google-pay-button';
// The values of these constants are repeated here, since an import would be one more file for each payer to load.
const OPTIONS_ID: typeof CARD_OPTIONS_ID = 'card-options';
const CARD_ID: typeof CARD_FRAME_ID = 'payment-form';

export const googleBox = () => document.getElementById(GOOGLE_BUTTON_ID);

/** The provider does not document where it puts the button. It may also be beside the card fields. */
const BUTTON_SELECTOR = `#${GOOGLE_BUTTON_ID} *, #${CARD_ID} button`;

/** True if the target of an event is Google's button, or a part of it. */
export const isGoogleButton = (target: EventTarget | null) =>
  target instanceof Element && target.closest(BUTTON_SELECTOR) !== null;

/** True if the provider's script offers Google Pay on this device, and has drawn the button. */
export async function isReady(view: View): Promise<boolean> {
  try {
    if (!(await sdkOf<GoogleSdk>(view)?.googlePayAvailable?.())) return false;
  } catch {
    return false;
  }
  return document.querySelector(BUTTON_SELECTOR) !== null;
}

const sheetAmounts = new WeakMap<CardForm, string>();
const enteredForms = new WeakSet<CardForm>();

/** Returns the amount on the sheet as decimal text. */
export const sheetAmountOf = (view: View, card: CardForm): string | undefined =>
  sheetAmounts.get(card) ?? view.sdk.googlePay?.googlePayRequest.total.amount;

/** Remembers that the payer has focused a card field of this form, if one has the focus now. */
export function noteFocus(card: CardForm): void {
  if (document.activeElement?.closest(`#${CARD_ID}`)) enteredForms.add(card);
}

/** True if the payer may have filled card fields, which drawing the button again would clear. */
export const hasEntries = (card: CardForm): boolean => enteredForms.has(card);

/** Draws the button for another amount. For that, the provider's script must draw its whole form again. */
export function redrawButton(view: View, card: CardForm, amount: string): void {
  const sdk = sdkOf<GoogleSdk>(view);
  const { baseUrl, publicKey: pk, googlePay } = view.sdk;
  if (!sdk || !googlePay) return;
  const { options, dark } = JSON.parse(document.getElementById(OPTIONS_ID)?.textContent ?? '') as CardOptions;
  if (matchMedia('(prefers-color-scheme: dark)').matches) options.styles = dark;
  sdk.reset();
  googleBox()?.replaceChildren();
  const total = { ...googlePay.googlePayRequest.total, amount };
  sdk.init({
    ...options,
    ...googlePay,
    googlePayRequest: { total },
    ...(view.cardOnly && { enableAch: false }),
    baseUrl,
    pk,
  });
  sheetAmounts.set(card, amount);
}

/** True if the payer seems to have closed the sheet. The provider does not document how it reports that. */
export const isCancellation = (answer: unknown): boolean => /cancel/i.test(JSON.stringify(answer) ?? '');
