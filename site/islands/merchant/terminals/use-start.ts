import { useState } from 'react';
import type { CounterTerminal } from '#shared/contracts/payments/terminals';
import { isUnsaid } from '#site/islands/ui/api/parse-response.ts';
import type { ClientError } from '../api/api.ts';
import { startSale } from './api.ts';
import { keepLostPress, type LostPress } from './LostSale.tsx';

export type Wanted = Omit<LostPress, 'key' | 'at'>;

/** Nobody said whether the sale was started: no answer, one that could not be read, or one that broke off inside. */
const isOpen = (error: ClientError): boolean => isUnsaid(error) || error.status === 500;

/** Starts a sale. Without an answer the press is kept, and its screen finds out what became of it. */
export function useStart(onStarted: (saleId: string) => void, onLook?: () => Promise<CounterTerminal[] | null>) {
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);

  /** `part`: of an invoice in parts, what of it is taken; without it, all that is left. */
  const start = async (wanted: Wanted, part?: string) => {
    const press = { ...wanted, key: crypto.randomUUID(), at: Date.now() };
    setStarting(true);
    setError(null);
    const { terminalId, invoiceId, amount } = press;
    const answer = await startSale(terminalId, {
      ...{ invoiceId, attemptId: press.key, amountShown: amount },
      ...(part && { part: { amount: part } }),
    });
    setStarting(false);
    if (answer.ok) return onStarted(answer.value.sale.id);
    if (isOpen(answer.error)) return keepLostPress(press);
    setError(answer.error);
    void onLook?.();
  };
  return { isStarting, error, start, close: () => setError(null) };
}
