import type { TakePaymentRequest } from '#shared/contracts/payment';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import type { OpenedBody } from '#shared/contracts/payments/payment-request';
import { openedApi, paymentStatusApi, takePaymentApi } from '#shared/paths';
import { inLanguage } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-words';
import { type PayOutcome, readReply, readStatus } from './reply.ts';

/** The address names the page's language, so that mails about the payment can keep to it. */
export async function sendPayment(payId: string, body: TakePaymentRequest, words: PayPageWords): Promise<PayOutcome> {
  let response: Response;
  let answer: string;
  try {
    response = await fetch(inLanguage(takePaymentApi(payId), words.language), {
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

/** Null: no reply, or not one of ours. */
export async function askStatus(
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

/** In sight for so long (ms), a page is being read. */
const READ_MS = 10_000;
const INPUTS = ['pointerdown', 'keydown'] as const;

/**
 * Tells once that somebody looks at this page: at their first input, or when it has been in sight for a while. A program
 * that follows the links of a mail does neither.
 */
export function tellOpened(payId: string): () => void {
  let left = READ_MS;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    for (const kind of INPUTS) removeEventListener(kind, onInput, true);
    document.removeEventListener('visibilitychange', onSight);
  };
  const tell = () => {
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
    if (event.isTrusted) tell();
  };
  const onSight = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') {
      since = Date.now();
      timer = setTimeout(tell, left);
    } else if (since > 0) {
      left -= Date.now() - since;
    }
  };
  for (const kind of INPUTS) addEventListener(kind, onInput, true);
  document.addEventListener('visibilitychange', onSight);
  onSight();
  return stop;
}
