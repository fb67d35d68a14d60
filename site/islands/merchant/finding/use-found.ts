import { useEffect, useState } from 'react';
import { NOTHING } from './palette-groups.ts';
import { type Found, find } from './search.ts';

const PAUSE_MS = 150;

type Search = { of: string; found: Found; failure: string | null };

/** What the server finds under these words once the typing pauses; until then, what it found before. */
export function useFound(typed: string): Search & { isAsking: boolean } {
  const [last, setLast] = useState<Search>({ of: '', found: NOTHING, failure: null });
  useEffect(() => {
    if (!typed || !navigator.onLine) return;
    const call = new AbortController();
    const timer = setTimeout(() => {
      find(typed, call.signal).then(
        (found) => !call.signal.aborted && setLast({ of: typed, found, failure: null }),
        (cause: unknown) =>
          !call.signal.aborted && setLast({ of: typed, found: NOTHING, failure: (cause as Error).message }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      call.abort();
    };
  }, [typed]);
  if (!typed || !navigator.onLine) return { of: typed, found: NOTHING, failure: null, isAsking: false };
  return { ...last, isAsking: last.of !== typed };
}
