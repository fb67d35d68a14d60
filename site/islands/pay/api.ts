import type { TakePaymentRequest } from '../../../shared/contracts/payment.ts';
import type { PaymentStatus } from '../../../shared/contracts/payment-status.ts';
import { paymentStatusApi, takePaymentApi } from '../../../shared/paths.ts';
import { type PayOutcome, readReply, readStatus } from './reply.ts';

export async function sendPayment(payId: string, body: TakePaymentRequest): Promise<PayOutcome> {
  let response: Response;
  let answer: string;
  try {
    response = await fetch(takePaymentApi(payId), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    answer = await response.text();
  } catch {
    return { kind: 'unreachable' };
  }
  return readReply(response.status, parse(answer));
}

/** Null: no reply, or not one of ours. */
export async function askStatus(payId: string, signal?: AbortSignal): Promise<PaymentStatus | null> {
  try {
    const response = await fetch(paymentStatusApi(payId), {
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
