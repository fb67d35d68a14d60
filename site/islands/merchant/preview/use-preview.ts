import { useCallback, useEffect, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { getPreview, type LoadedPreview } from './api.ts';

export type Load =
  | { kind: 'loading' }
  | { kind: 'missing' }
  | { kind: 'failed'; message: string; at: Date }
  | ({ kind: 'loaded' } & LoadedPreview);

const isMissing = (code: string) => code === 'not-found' || code === 'invalid';

export function usePreview(id: string) {
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const [isLoading, setLoading] = useState(false);

  const reload = useCallback(async () => {
    setLoading(true);
    const answer = await getPreview(id);
    setLoading(false);
    if (answer.ok) return setLoad({ kind: 'loaded', ...answer.value });
    const { code, message } = answer.error;
    if (isMissing(code)) return setLoad({ kind: 'missing' });
    // Data from an earlier request stays visible.
    setLoad((previous) =>
      previous.kind === 'loaded' ? { ...previous, isStale: true } : { kind: 'failed', message, at: new Date() },
    );
  }, [id]);
  useEffect(() => {
    void reload();
  }, [reload]);

  /** Applies changes from a reply, without reloading the invoice. */
  const change = useCallback(
    (changes: Partial<InvoicePreviewReply>) =>
      setLoad((previous) =>
        previous.kind === 'loaded' ? { ...previous, invoice: { ...previous.invoice, ...changes } } : previous,
      ),
    [],
  );
  return { load, isReading: isLoading, reload, change };
}
