import type { PayView } from '#shared/contracts/payment';
import type { callbackNames } from '../card-options.ts';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { PAY_VIEW_ID } from '../pay-view.ts';

export type View = Pick<PayView, 'business' | 'cardOnly' | 'applePay' | 'googlePay' | 'sdk'>;

// The values of these constants are repeated here, since an import would be one more file for each payer to load.
const VIEW_ID: typeof PAY_VIEW_ID = 'pay-view';
const CALLBACK_NAMES: ((typeof callbackNames)['successCallback'] | (typeof callbackNames)['errorCallback'])[] = [
  'tillwayCardToken',
  'tillwayCardError',
];

let cached = { text: '', view: {} as View };

/** Returns the data of the page (see pay-view.ts), and the same object for the same data. */
export function readView(): View {
  const text = document.getElementById(VIEW_ID)?.textContent ?? '';
  if (text !== cached.text) cached = { text, view: JSON.parse(text) };
  return cached.view;
}

/** Returns the object that the provider's script defines on `window`. */
export const sdkOf = <Sdk>({ sdk }: View): Sdk | undefined =>
  (window as unknown as Record<string, Sdk | undefined>)[sdk.scriptObject];

/** Makes `onResult` receive all further reports of the provider's script, such as the token of a wallet. */
export function listenForResults(card: CardForm, onResult: (result: TokenResult, answer: unknown) => void): void {
  const onAnswer = (_text: string, answer: unknown) => onResult(card.read(answer), answer);
  Object.assign(window, Object.fromEntries(CALLBACK_NAMES.map((name) => [name, onAnswer])));
}
