import type { AccountType, PaymentMethod, PayView } from '#shared/contracts/payment';
import { fill } from '#shared/words/bilingual';
import type { PayPageWords } from '#shared/words/pay-words';
import { CARD_FRAME_ID, CARD_OPTIONS_ID, type CardOptions, callbackNames } from './card-options.ts';

type Words = PayPageWords['card'];

/** The part of the provider's script that we use. It finds our callbacks by name on `window`. */
type Sdk = {
  init(options: Record<string, unknown>): unknown;
  reset(): void;
  getPaymentToken(): Promise<unknown>;
};
type Callbacks = Record<string, (value: unknown) => void>;
/**
 * The card form that site/inline/card-first.js has opened. `said` has the values that callbacks received so far, by the
 * names of the callbacks. `hear` receives later values.
 */
type EarlyForm = {
  opened: Promise<boolean>;
  script: HTMLScriptElement;
  said: Record<string, unknown>;
  hear?: Callbacks;
  isGone?: true;
};
type WindowWithEarlyForm = { tillwayCard?: EarlyForm | undefined } & Record<string, unknown>;

export type CardToken = { jwt: string; 'account-type'?: AccountType };
/** The token, or a message for the payer. The message is empty if the payer closed a wallet's sheet. */
export type TokenResult = { ok: true; token: CardToken } | { ok: false; message: string };
export type TokenSource = { requestToken(): Promise<TokenResult> };
export type CardForm = TokenSource & {
  /** Reads an answer that the provider's script gives without our request, for example about a wallet's sheet. */
  read(answer: unknown): TokenResult;
  destroy(): void;
};

/** Finds the provider's frame in the page. */
export const cardFrame = () => document.querySelector<HTMLIFrameElement>(`#${CARD_FRAME_ID} iframe`);

const SCRIPT_LIMIT_MS = 120_000;
const TOKEN_LIMIT_MS = 30_000;

const typedWindow = () => window as unknown as WindowWithEarlyForm;
const sdkOf = ({ scriptObject }: PayView['sdk']) => typedWindow()[scriptObject] as Sdk | undefined;

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const handleFailure = () => {
      clearTimeout(timeout);
      script.remove();
      reject(new Error('script'));
    };
    const timeout = setTimeout(handleFailure, SCRIPT_LIMIT_MS);
    script.src = url;
    script.async = true;
    script.onerror = handleFailure;
    script.onload = () => {
      clearTimeout(timeout);
      resolve();
    };
    document.head.appendChild(script);
  });
}

/** Waits until the early script has opened its card form. */
async function waitForEarlyForm(early: EarlyForm): Promise<void> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<false>((resolve) => {
    limit = setTimeout(resolve, SCRIPT_LIMIT_MS, false);
  });
  const isOpen = await Promise.race([early.opened, timeout]);
  clearTimeout(limit);
  if (isOpen) return;
  early.isGone = true;
  early.script.remove();
  throw new Error('script');
}

async function initForm(sdk: PayView['sdk'], isCardOnly: boolean): Promise<void> {
  const { scriptUrl, baseUrl, publicKey: pk, googlePay } = sdk;
  if (!sdkOf(sdk)) await loadScript(scriptUrl);
  const { options, dark } = JSON.parse(document.getElementById(CARD_OPTIONS_ID)?.textContent ?? '') as CardOptions;
  if (matchMedia('(prefers-color-scheme: dark)').matches) options.styles = dark;
  sdkOf(sdk)?.init({ ...options, ...googlePay, baseUrl, pk, ...(isCardOnly && { enableAch: false }) });
}

/** Opens the card form. Rejects if the script cannot be loaded, so that the caller can offer a retry. */
export async function openCardForm(
  sdk: PayView['sdk'],
  words: Words,
  onType: (type: PaymentMethod) => void,
  isCardOnly = false,
): Promise<CardForm> {
  const { tillwayCard: early } = typedWindow();
  // The early form is used only once. If the form is opened again, it must be empty.
  typedWindow().tillwayCard = undefined;
  let fieldErrors: string[] = [];
  const callbacks: Callbacks = {
    [callbackNames.successCallback]: () => {},
    [callbackNames.errorCallback]: () => {},
    [callbackNames.validationCallback]: (errors) => {
      fieldErrors = readFieldErrors(errors);
    },
    [callbackNames.paymentTypeCallback]: (type) => {
      onType(type === 'ach' ? 'ach' : 'card');
    },
  };
  if (early) {
    early.hear = callbacks;
    for (const [name, value] of Object.entries(early.said)) callbacks[name]?.(value);
    await waitForEarlyForm(early);
    // If the browser translated the page before this script ran, React has rendered it again without the frame.
    if (!cardFrame()) await initForm(sdk, isCardOnly);
  } else {
    Object.assign(typedWindow(), callbacks);
    await initForm(sdk, isCardOnly);
  }
  const provider = sdkOf(sdk);
  if (!provider) throw new Error('script');

  return {
    requestToken: () => requestToken(sdkOf(sdk), words, () => fieldErrors),
    read: (answer) => readToken(words, answer),
    destroy: () => {
      try {
        provider.reset();
      } catch {
        // The form no longer exists. The success page must not fail because of that.
      }
      for (const name of Object.values(callbackNames)) delete typedWindow()[name];
    },
  };
}

const failedResult = (message: string): TokenResult => ({ ok: false, message });

function tokenFailure(words: Words, error: unknown): TokenResult {
  const reason = reasonOf(error);
  return failedResult(reason && !words.complaint ? `${words.noToken}: ${reason}` : words.noToken);
}

export async function requestToken(
  sdk: Pick<Sdk, 'getPaymentToken'> | undefined,
  words: Words,
  fieldErrors: () => string[],
): Promise<TokenResult> {
  if (!sdk) return failedResult(words.notReady);
  let pending: Promise<unknown>;
  try {
    pending = sdk.getPaymentToken();
  } catch {
    return failedResult(words.notStarted);
  }
  let limit: ReturnType<typeof setTimeout> | undefined;
  try {
    // The provider does not document if the promise settles while a field is invalid, so there is a time limit.
    const timeout = new Promise((_, reject) => {
      limit = setTimeout(() => reject(new Error('late')), TOKEN_LIMIT_MS);
    });
    return readToken(words, await Promise.race([pending, timeout]));
  } catch (error) {
    const errors = fieldErrors();
    if (errors.length > 0) return failedResult(fill(words.invalid, { list: words.complaint ?? errors.join(', ') }));
    return tokenFailure(words, error);
  } finally {
    clearTimeout(limit);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function readToken(words: Words, answer: unknown): TokenResult {
  if (!isRecord(answer) || !isRecord(answer.payload)) return failedResult(words.badResponse);
  if (reasonOf(answer)) return tokenFailure(words, answer);
  const token = answer.payload['mobile-jwt'];
  if (!isRecord(token) || typeof token.jwt !== 'string' || !token.jwt) return failedResult(words.badToken);
  const type = accountTypes.find((name) => name === token['account-type']);
  return { ok: true, token: { jwt: token.jwt, ...(type && { 'account-type': type }) } };
}

const accountTypes = ['Checking', 'Savings'] as const;

function reasonOf(error: unknown): string | null {
  if (!isRecord(error) || !isRecord(error.payload) || !isRecord(error.payload.error)) return null;
  const message = error.payload.error['error-message'];
  return typeof message === 'string' && message ? message : null;
}

function readFieldErrors(errors: unknown): string[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .map((item: unknown) => (typeof item === 'string' ? item : isRecord(item) ? item.message : null))
    .filter((text): text is string => typeof text === 'string' && text !== '');
}
