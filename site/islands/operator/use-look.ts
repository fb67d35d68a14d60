import { useCallback, useEffect, useState } from 'react';
import type { Answer, Reader } from '../ui/api/parse-response.ts';
import { usePoll } from '../ui/api/use-poll.ts';
import { call } from './api.ts';

export type Look<T> = {
  /** What was seen last; it stays while a look fails. */
  seen: T | null;
  failure: string;
  isLooking: boolean;
  again(): Promise<void>;
};

/** Reads `path`, and again every `everyMs` while the page is seen. `everyMs` null: once. */
export function useLook<T>(path: string, read: Reader<T>, everyMs: number | null): Look<T> {
  const [state, setState] = useState<{ path: string; seen: T | null; failure: string }>({
    path,
    seen: null,
    failure: '',
  });
  const [isLooking, setLooking] = useState(true);
  const look = useCallback(async (): Promise<Answer<T>> => {
    setLooking(true);
    const answer = await call(path, read);
    setLooking(false);
    setState((before) => {
      if (answer.ok) return { path, seen: answer.value, failure: '' };
      return { path, seen: before.path === path ? before.seen : null, failure: answer.error.message };
    });
    return answer;
  }, [path, read]);
  useEffect(() => {
    void look();
  }, [look]);
  usePoll(async () => (await look()).ok, everyMs);
  const again = useCallback(async () => void (await look()), [look]);
  return { seen: state.seen, failure: state.failure, isLooking, again };
}
