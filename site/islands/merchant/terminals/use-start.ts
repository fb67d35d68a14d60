import { useState } from 'react';
import type { CounterTerminal } from '#shared/contracts/payments/terminals';
import { hasNoMessage } from '#site/islands/ui/api/parse-response.ts';
import type { ClientError } from '../api/api.ts';
import { startSale } from './api.ts';
import { type LostSubmission, storeLostSubmission } from './LostSale.tsx';

type SaleRequest = Omit<LostSubmission, 'key' | 'at'>;

/** True if the sale may have started, because there was no reply, an unreadable one, or a server error. */
const isUncertain = (error: ClientError): boolean => hasNoMessage(error) || error.status === 500;

/** Starts a sale. If there is no reply, the submission is stored, and LostSale finds out whether the sale started. */
export function useStartSale(onStarted: (saleId: string) => void, onReload?: () => Promise<CounterTerminal[] | null>) {
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);

  /** `part` is the amount to take now of an invoice that is paid in parts. Without it, the full balance is taken. */
  const start = async (request: SaleRequest, part?: string) => {
    const submission = { ...request, key: crypto.randomUUID(), at: Date.now() };
    setStarting(true);
    setError(null);
    const { terminalId, invoiceId, amount } = submission;
    const answer = await startSale(terminalId, {
      invoiceId,
      attemptId: submission.key,
      amountShown: amount,
      ...(part && { part: { amount: part } }),
    });
    setStarting(false);
    if (answer.ok) return onStarted(answer.value.sale.id);
    if (isUncertain(answer.error)) return storeLostSubmission(submission);
    setError(answer.error);
    void onReload?.();
  };
  return { isStarting, error, start, close: () => setError(null) };
}
