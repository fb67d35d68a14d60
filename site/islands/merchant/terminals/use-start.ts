import { useState } from 'react';
import type { CounterTerminal } from '#shared/contracts/payments/terminals';
import { isUnsaid } from '#site/islands/ui/api/parse-response.ts';
import type { ClientError } from '../api/api.ts';
import { startSale } from './api.ts';
import { keepLostPress, type LostPress } from './LostSale.tsx';

export type Wanted = Omit<LostPress, 'key' | 'at'>;

/** True if it is unknown whether the sale started: no reply, an unreadable one, or a server error. */
const isOpen = (error: ClientError): boolean => isUnsaid(error) || error.status === 500;

/** Starts a sale. Without a reply, the press is stored, and LostSale finds out its outcome. */
export function useStart(onStarted: (saleId: string) => void, onLook?: () => Promise<CounterTerminal[] | null>) {
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ClientError | null>(null);

  /** `part`: the amount to take from an invoice in parts; without it, all that is left. */
  const start = async (wanted: Wanted, part?: string) => {
    const press = { ...wanted, key: crypto.randomUUID(), at: Date.now() };
    setStarting(true);
    setError(null);
    const { terminalId, invoiceId, amount } = press;
    const answer = await startSale(terminalId, {
      invoiceId,
      attemptId: press.key,
      amountShown: amount,
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
