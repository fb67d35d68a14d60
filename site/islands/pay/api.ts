import type { TakePaymentRequest } from '#shared/contracts/payment';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { OpenedBody } from '#shared/contracts/payments/payment-request';
import { openedApi, paymentStatusApi, takePaymentApi } from '#shared/paths';
import { withLanguage } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-words';
import { type PayOutcome, readReply, readStatus } from './reply.ts';

/** Sends a payment. The URL includes the page's language, which later emails about the payment use. */
export async function sendPayment(payId: string, body: TakePaymentRequest, words: PayPageWords): Promise<PayOutcome> {
  let response: Response;
  let answer: string;
  try {
    response = await fetch(withLanguage(takePaymentApi(payId), words.language), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    answer = await response.text();
  } catch {
    return { kind: 'unreachable' };
  }
  return readReply(response.status, parse(answer), words);
}

/** Fetches the status of the payment. Returns null if there is no valid reply. */
export async function fetchStatus(
  payId: string,
  attemptKey: string | null,
  signal?: AbortSignal,
): Promise<PaymentStatus | null> {
  try {
    const response = await fetch(paymentStatusApi(payId, attemptKey), {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      ...(signal && { signal }),
    });
    return response.ok ? readStatus(parse(await response.text())) : null;
  } catch {
    return null;
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A page counts as opened by a human after it was visible for this time (ms). */
const READING_MS = 10_000;
const INPUT_EVENTS = ['pointerdown', 'keydown'] as const;

/**
 * Reports once that a human has opened this page: at the first input, or after the page was visible for READING_MS.
 * Bots that follow links in emails cause neither.
 */
export function reportOpened(payId: string): () => void {
  let remaining = READING_MS;
  let visibleFrom = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    for (const type of INPUT_EVENTS) removeEventListener(type, onInput, true);
    document.removeEventListener('visibilitychange', onVisibility);
  };
  const report = () => {
    stop();
    const body: OpenedBody = { load: crypto.randomUUID() };
    void fetch(openedApi(payId), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(() => undefined);
  };
  const onInput = (event: Event) => {
    if (event.isTrusted) report();
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      visibleFrom = Date.now();
      timer = setTimeout(report, remaining);
    } else if (visibleFrom > 0) {
      remaining -= Date.now() - visibleFrom;
    }
  };
  for (const type of INPUT_EVENTS) addEventListener(type, onInput, true);
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return stop;
}
