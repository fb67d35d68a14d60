import { useEffect, useEffectEvent } from 'react';

const MAX_DOUBLINGS = 3;

/**
 * Polls while the page is visible, and less often while calls fail. `poll` resolves to true after a successful call. If
 * `intervalMs` is null, there is no polling.
 */
export function usePoll(poll: () => Promise<boolean>, intervalMs: number | null): void {
  const onPoll = useEffectEvent(poll);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isRunning = false;
    let isStopped = false;
    if (intervalMs === null) return;
    const run = async () => {
      if (isRunning || document.hidden) return;
      clearTimeout(timer);
      isRunning = true;
      failures = (await onPoll()) ? 0 : failures + 1;
      isRunning = false;
      if (!isStopped) schedule();
    };
    const schedule = () => {
      timer = setTimeout(run, intervalMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
    };
    schedule();
    document.addEventListener('visibilitychange', run);
    return () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', run);
    };
  }, [intervalMs]);
}
