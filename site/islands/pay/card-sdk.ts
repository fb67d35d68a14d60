import type { AccountType, PaymentMethod, PayView } from '#shared/contracts/payment';
import { fill } from '#shared/words/both';
import type { PayPageWords } from '#shared/words/pay-words';
import { CARD_FRAME_ID, CARD_OPTIONS_ID, type CardOptions, handlers } from './card-options.ts';

type Words = PayPageWords['card'];

/** The part of the provider's script that we use. It finds our handlers by name on `window`. */
type Sdk = {
  init(options: Record<string, unknown>): unknown;
  reset(): void;
  getPaymentToken(): Promise<unknown>;
};
type Heard = Record<string, (value: unknown) => void>;
/**
 * The card form that site/inline/card-first.js has opened: callback values so far by handler name, and their receiver.
 */
type Early = {
  opened: Promise<boolean>;
  script: HTMLScriptElement;
  said: Record<string, unknown>;
  hear?: Heard;
  isGone?: true;
};
type WithEarly = { tillwayCard?: Early | undefined } & Record<string, unknown>;

export type CardToken = { jwt: string; 'account-type'?: AccountType };
export type TokenResult = { ok: true; token: CardToken } | { ok: false; message: string };
export type CardForm = {
  requestToken(): Promise<TokenResult>;
  destroy(): void;
};

/** The provider's frame in the page. */
export const cardFrame = () => document.querySelector<HTMLIFrameElement>(`#${CARD_FRAME_ID} iframe`);

const SCRIPT_LIMIT_MS = 120_000;
const TOKEN_LIMIT_MS = 30_000;

const page = () => window as unknown as WithEarly;
const providerOf = ({ scriptObject }: PayView['sdk']) => page()[scriptObject] as Sdk | undefined;

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

/** Waits for the card form that the early script has begun to open. */
async function takeOver(early: Early): Promise<void> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    limit = setTimeout(resolve, SCRIPT_LIMIT_MS, false);
  });
  const isOpen = await Promise.race([early.opened, late]);
  clearTimeout(limit);
  if (isOpen) return;
  early.isGone = true;
  early.script.remove();
  throw new Error('script');
}

async function open(sdk: PayView['sdk'], isCardOnly: boolean): Promise<void> {
  const { scriptUrl, baseUrl, publicKey: pk } = sdk;
  if (!providerOf(sdk)) await loadScript(scriptUrl);
  const { options, dark } = JSON.parse(document.getElementById(CARD_OPTIONS_ID)?.textContent ?? '') as CardOptions;
  if (matchMedia('(prefers-color-scheme: dark)').matches) options.styles = dark;
  providerOf(sdk)?.init({ ...options, baseUrl, pk, ...(isCardOnly && { enableAch: false }) });
}

/** Rejects when the script cannot be loaded; the caller offers a retry. */
export async function openCardForm(
  sdk: PayView['sdk'],
  words: Words,
  onType: (type: PaymentMethod) => void,
  isCardOnly = false,
): Promise<CardForm> {
  const { tillwayCard: early } = page();
  // Only once: a second opening needs an empty form.
  page().tillwayCard = undefined;
  let complaints: string[] = [];
  const hear: Heard = {
    [handlers.successCallback]: () => {},
    [handlers.errorCallback]: () => {},
    [handlers.validationCallback]: (found) => {
      complaints = readComplaints(found);
    },
    [handlers.paymentTypeCallback]: (chosen) => {
      onType(chosen === 'ach' ? 'ach' : 'card');
    },
  };
  if (early) {
    early.hear = hear;
    for (const [name, value] of Object.entries(early.said)) hear[name]?.(value);
    await takeOver(early);
    // A page that was translated before its script ran is rendered anew, without the frame.
    if (!cardFrame()) await open(sdk, isCardOnly);
  } else {
    Object.assign(page(), hear);
    await open(sdk, isCardOnly);
  }
  const provider = providerOf(sdk);
  if (!provider) throw new Error('script');

  return {
    requestToken: () => requestToken(providerOf(sdk), words, () => complaints),
    destroy: () => {
      try {
        provider.reset();
      } catch {
        // The form is gone already, and the success page must not fail because of it.
      }
      for (const name of Object.values(handlers)) delete page()[name];
    },
  };
}

const refuse = (message: string): TokenResult => ({ ok: false, message });

function notMade(words: Words, error: unknown): TokenResult {
  const reason = reasonOf(error);
  return refuse(reason && !words.complaint ? `${words.noToken}: ${reason}` : words.noToken);
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
    // The provider does not document if the promise settles while a field is invalid.
    const late = new Promise((_, reject) => {
      limit = setTimeout(() => reject(new Error('late')), TOKEN_LIMIT_MS);
    });
    return readToken(words, await Promise.race([asked, late]));
  } catch (error) {
    const wrong = complaints();
    if (wrong.length > 0) return refuse(fill(words.invalid, { list: words.complaint ?? wrong.join(', ') }));
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
