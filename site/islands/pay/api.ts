import type { TakePaymentRequest } from '#shared/contracts/payment';
import type { PaymentStatus } from '#shared/contracts/payment-status';
import { paymentStatusApi, takePaymentApi } from '#shared/paths';
import { inLanguage } from '#shared/words/language';
import type { PayPageWords } from '#shared/words/pay-page';
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
