import { useEffect, useRef, useState } from 'react';

/** The styles show a skeleton only after UNSEEN_MS; one that was seen stays for STAY_MS, so that nothing flashes. */
const UNSEEN_MS = 200;
const STAY_MS = 400;

export function useSkeleton(isLoading: boolean): boolean {
  const [isStaying, setStaying] = useState(isLoading);
  const since = useRef(0);
  useEffect(() => {
    if (isLoading) {
      since.current = performance.now();
      setStaying(true);
      return;
    }
    const seenMs = performance.now() - since.current - UNSEEN_MS;
    const timer = setTimeout(() => setStaying(false), seenMs > 0 ? Math.max(0, STAY_MS - seenMs) : 0);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isLoading || isStaying;
}
