import { useEffect, useEffectEvent } from 'react';

const MOST_DOUBLINGS = 3;

/**
 * Polls while the page is visible, less often while there is no reply. `ask` resolves to true if there was one;
 * `everyMs` null: do not poll.
 */
export function usePoll(ask: () => Promise<boolean>, everyMs: number | null): void {
  const onAsk = useEffectEvent(ask);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isAsking = false;
    let isOver = false;
    if (everyMs === null) return;
    const run = async () => {
      if (isAsking || document.hidden) return;
      clearTimeout(timer);
      isAsking = true;
      failures = (await onAsk()) ? 0 : failures + 1;
      isAsking = false;
      if (!isOver) plan();
    };
    const plan = () => {
      timer = setTimeout(run, everyMs * 2 ** Math.min(failures, MOST_DOUBLINGS));
    };
    plan();
    document.addEventListener('visibilitychange', run);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, [everyMs]);
}
