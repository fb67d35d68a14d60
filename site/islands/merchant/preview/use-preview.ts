import { useCallback, useEffect, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { getPreview, type Seen } from './api.ts';

export type Load =
  | { kind: 'loading' }
  | { kind: 'missing' }
  | { kind: 'failed'; message: string; at: Date }
  | ({ kind: 'loaded' } & Seen);

const isMissing = (code: string) => code === 'not-found' || code === 'invalid';

export function usePreview(id: string) {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const [isReading, setReading] = useState(false);

  const read = useCallback(async () => {
    setReading(true);
    const answer = await getPreview(id);
    setReading(false);
    if (answer.ok) return setLoad({ kind: 'loaded', ...answer.value });
    const { code, message } = answer.error;
    if (isMissing(code)) return setLoad({ kind: 'missing' });
    // Keep showing the older data rather than nothing.
    setLoad((before) =>
      before.kind === 'loaded' ? { ...before, isStale: true } : { kind: 'failed', message, at: new Date() },
    );
  }, [id]);
  useEffect(() => {
    void read();
  }, [read]);

  /** Applies changes from a reply, without reloading the invoice. */
  const change = useCallback(
    (part: Partial<InvoicePreviewReply>) =>
      setLoad((before) => (before.kind === 'loaded' ? { ...before, invoice: { ...before.invoice, ...part } } : before)),
    [],
  );
  return { load, isReading, read, change };
}
