import type { PayView } from '#shared/contracts/payment';
import type { handlers } from '../card-options.ts';
import type { CardForm, TokenResult } from '../card-sdk.ts';
import type { PAY_VIEW_ID } from '../pay-view.ts';

export type View = Pick<PayView, 'business' | 'cardOnly' | 'applePay' | 'googlePay' | 'sdk'>;

// The values of these constants are repeated here, since an import would be one more file for each payer.
const VIEW_ID: typeof PAY_VIEW_ID = 'pay-view';
const CALLBACKS: ((typeof handlers)['successCallback'] | (typeof handlers)['errorCallback'])[] = [
  'tillwayCardToken',
  'tillwayCardError',
];

let read = { text: '', view: {} as View };

/** The data of the page; see pay-view.ts. Always the same object for the same data. */
export function readView(): View {
  const text = document.getElementById(VIEW_ID)?.textContent ?? '';
  if (text !== read.text) read = { text, view: JSON.parse(text) };
  return read.view;
}

/** The provider's script, by its name on `window`. */
export const sdkOf = <Sdk>({ sdk }: View): Sdk | undefined =>
  (window as unknown as Record<string, Sdk | undefined>)[sdk.scriptObject];

/** Receives what the provider's script reports from now on, such as the token of a wallet's sheet. */
export function listen(card: CardForm, onResult: (result: TokenResult, answer: unknown) => void): void {
  const onAnswer = (_text: string, answer: unknown) => onResult(card.read(answer), answer);
  Object.assign(window, Object.fromEntries(CALLBACKS.map((name) => [name, onAnswer])));
}
