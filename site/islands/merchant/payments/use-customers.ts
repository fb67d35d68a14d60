import { useEffect, useState } from 'react';
import type { CustomerItem } from '../../../../shared/contracts/lists.ts';
import { searchCustomers } from './desk-calls.ts';

const PAUSE_MS = 200;

export type Found =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; retry(): void }
  | { kind: 'loaded'; rows: CustomerItem[]; total: number };

/** The customers that these words find, asked for when the typing pauses; an answer to older words is left aside. */
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
      setFound(
        answer.ok
          ? { kind: 'loaded', rows: answer.value.rows, total: answer.value.info.total ?? answer.value.rows.length }
          : { kind: 'failed', message: answer.fault.message, retry: () => setTries((before) => before + 1) },
      );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, isWanted, tries]);
  return found;
}
