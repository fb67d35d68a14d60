import { useRef, useState } from 'react';
import type { CounterTerminal } from '../../../../shared/contracts/terminals.ts';
import type { ClientError } from '../api/parse-response.ts';
import { startSale } from './api.ts';

export type Wanted = { terminalId: string; invoiceId: string; amount: string };

/**
 * Starts a sale. The key is kept while the outcome is open: after a lost reply, pressing again finds the same sale
 * instead of starting a second one.
 */
export function useStart(onStarted: (saleId: string) => void, onLook?: () => Promise<CounterTerminal[] | null>) {
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);
  const key = useRef<{ name: string; of: string }>(null);

  const start = async ({ terminalId, invoiceId, amount }: Wanted) => {
    const of = `${terminalId} ${invoiceId} ${amount}`;
    if (key.current?.of !== of) key.current = { of, name: crypto.randomUUID() };
    setStarting(true);
    setError(null);
    const body = { invoiceId, attemptId: key.current.name, amountShown: amount };
    const answer = await startSale(terminalId, body);
    setStarting(false);
    if (answer.ok) {
      key.current = null;
      onStarted(answer.value.sale.id);
      return;
    }
    // A definite refusal ends this press; without a reply the same press is still open.
    if (answer.error.status !== 0) key.current = null;
    setError(answer.error);
    void onLook?.();
  };
  return { isStarting, error, start, close: () => setError(null) };
}
