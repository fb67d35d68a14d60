import { useEffect, useState } from 'react';
import type { CustomerItem } from '#shared/contracts/lists';
import { searchCustomers } from './api.ts';

const PAUSE_MS = 200;

export type Found =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; retry(): void }
  | { kind: 'loaded'; rows: CustomerItem[]; total: number; isMore: boolean };

/** Customers that match the words, searched when the typing pauses; a reply to older words is dropped. */
export function useCustomers(words: string, isWanted: boolean): Found {
  const [found, setFound] = useState<Found>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  const text = words.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks again.
  useEffect(() => {
    if (!isWanted) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      const answer = await searchCustomers(text);
      if (isOld) return;
      if (!answer.ok) {
        setFound({ kind: 'failed', message: answer.error.message, retry: () => setTries((before) => before + 1) });
        return;
      }
      const { rows, info } = answer.value;
      setFound({ kind: 'loaded', rows, total: info.total ?? rows.length, isMore: info.isMore });
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, isWanted, tries]);
  return found;
}
