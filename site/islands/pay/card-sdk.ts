import type { AccountType, PaymentMethod, PayView } from '../../../shared/contracts/payment.ts';
import { fill } from '../../../shared/words/both.ts';
import type { PayPageWords } from '../../../shared/words/pay-page.ts';

type Words = PayPageWords['card'];

/** The part of the provider's script that we use. It finds our handlers by name on `window`. */
type Sdk = {
  init(options: Record<string, unknown>): unknown;
  reset(): void;
  getPaymentToken(): Promise<unknown>;
};
type WithSdk = { ClearentSDK?: Sdk } & Record<string, unknown>;

export type CardToken = { jwt: string; 'account-type'?: AccountType };
export type TokenResult = { ok: true; token: CardToken } | { ok: false; message: string };
export type CardForm = {
  requestToken(): Promise<TokenResult>;
  destroy(): void;
};

export const CARD_FRAME_ID = 'payment-form';

const SCRIPT_LIMIT_MS = 120_000;
const TOKEN_LIMIT_MS = 30_000;

const handlers = {
  successCallback: 'tillwayCardToken',
  errorCallback: 'tillwayCardError',
  validationCallback: 'tillwayCardValidation',
  paymentTypeCallback: 'tillwayPaymentType',
} as const;

// The frame is its own document: it stays light, in our paper colours.
const styles = `
body { font: 400 16px/24px system-ui, sans-serif; color: #13221d; background: #ffffff; }
label { font: 500 14px/20px system-ui, sans-serif; color: #13221d; }
input, select { height: 44px; padding: 0 12px; border: 1px solid #7c8a84; border-radius: 8px; background: #ffffff; color: #13221d; font: 400 16px/24px system-ui, sans-serif; }
input::placeholder { color: #596762; opacity: 1; }
input:hover, select:hover { border-color: #42514c; }
input:focus, select:focus { outline: 2px solid #0462d3; outline-offset: 2px; }
input[aria-invalid="true"], input.error { border: 2px solid #b72121; }
.error, .validation-message { color: #9c211f; font: 500 14px/20px system-ui, sans-serif; }
`;

const page = () => window as unknown as WithSdk;

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      clearTimeout(limit);
      script.remove();
      reject(new Error('script'));
    };
    const limit = setTimeout(fail, SCRIPT_LIMIT_MS);
    script.src = url;
    script.async = true;
    script.onerror = fail;
    script.onload = () => {
      clearTimeout(limit);
      resolve();
    };
    document.head.appendChild(script);
  });
}

/** Rejects when the script cannot be loaded; the caller offers a retry. */
export async function openCardForm(
  sdk: PayView['sdk'],
  words: Words,
  onType: (type: PaymentMethod) => void,
  isCardOnly = false,
): Promise<CardForm> {
  if (!page().ClearentSDK) await loadScript(sdk.scriptUrl);
  const provider = page().ClearentSDK;
  if (!provider) throw new Error('script');

  let complaints: string[] = [];
  Object.assign(page(), {
    [handlers.successCallback]: () => {},
    [handlers.errorCallback]: () => {},
    [handlers.validationCallback]: (found: unknown) => {
      complaints = readComplaints(found);
    },
    [handlers.paymentTypeCallback]: (chosen: unknown) => {
      onType(chosen === 'ach' ? 'ach' : 'card');
    },
  });
  provider.init({
    ...handlers,
    baseUrl: sdk.baseUrl,
    pk: sdk.publicKey,
    paymentFormId: CARD_FRAME_ID,
    allowAutoComplete: true,
    cardFormatted: true,
    enableAch: !isCardOnly,
    showValidationMessages: true,
    styles,
    // Its labels and complaints stay English: they are the provider's.
    cardPlaceholder: words.cardNumber,
    expDatePlaceholder: words.expDate,
    cvcPlaceholder: words.csc,
    routingNumberPlaceholder: words.routingNumber,
    accountNumberPlaceholder: words.accountNumber,
    accountTypePlaceholder: words.accountType,
    individualNamePlaceholder: words.nameOnAccount,
  });

  return {
    requestToken: () => requestToken(page().ClearentSDK, words, () => complaints),
    destroy: () => {
      try {
        provider.reset();
      } catch {
        // Its form is gone already; the success page must not fail over that.
      }
      for (const name of Object.values(handlers)) delete page()[name];
    },
  };
}

const refuse = (message: string): TokenResult => ({ ok: false, message });

function notMade(words: Words, error: unknown): TokenResult {
  const reason = reasonOf(error);
  return refuse(reason ? `${words.noToken}: ${reason}` : words.noToken);
}

export async function requestToken(
  sdk: Pick<Sdk, 'getPaymentToken'> | undefined,
  words: Words,
  complaints: () => string[],
): Promise<TokenResult> {
  if (!sdk) return refuse(words.notReady);
  let asked: Promise<unknown>;
  try {
    asked = sdk.getPaymentToken();
  } catch {
    return refuse(words.notStarted);
  }
  let limit: ReturnType<typeof setTimeout> | undefined;
  try {
    // The provider does not say whether the promise settles while a field is invalid.
    const late = new Promise((_, reject) => {
      limit = setTimeout(() => reject(new Error('late')), TOKEN_LIMIT_MS);
    });
    return readToken(words, await Promise.race([asked, late]));
  } catch (error) {
    const wrong = complaints();
    if (wrong.length > 0) return refuse(fill(words.invalid, { list: wrong.join(', ') }));
    return notMade(words, error);
  } finally {
    clearTimeout(limit);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function readToken(words: Words, answer: unknown): TokenResult {
  if (!isRecord(answer) || !isRecord(answer.payload)) return refuse(words.badResponse);
  if (reasonOf(answer)) return notMade(words, answer);
  const token = answer.payload['mobile-jwt'];
  if (!isRecord(token) || typeof token.jwt !== 'string' || !token.jwt) return refuse(words.badToken);
  const type = accountTypes.find((name) => name === token['account-type']);
  return { ok: true, token: { jwt: token.jwt, ...(type && { 'account-type': type }) } };
}

const accountTypes = ['Checking', 'Savings'] as const;

function reasonOf(error: unknown): string | null {
  if (!isRecord(error) || !isRecord(error.payload) || !isRecord(error.payload.error)) return null;
  const message = error.payload.error['error-message'];
  return typeof message === 'string' && message ? message : null;
}

function readComplaints(found: unknown): string[] {
  if (!Array.isArray(found)) return [];
  return found
    .map((item: unknown) => (typeof item === 'string' ? item : isRecord(item) ? item.message : null))
    .filter((text): text is string => typeof text === 'string' && text !== '');
}
