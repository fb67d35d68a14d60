import { useEffect, useReducer } from 'react';
import { flushSync } from 'react-dom';

/** A number that changes with the page's look: another theme (chosen or by the system), or print. */
export function useLook(): number {
  const [look, change] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    // Print does not wait for another frame.
    const onChange = () => flushSync(change);
    const queries = ['(prefers-color-scheme: dark)', 'print'].map((query) => window.matchMedia(query));
    for (const query of queries) query.addEventListener('change', onChange);
    const observer = new MutationObserver(change);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const query of queries) query.removeEventListener('change', onChange);
      observer.disconnect();
    };
  }, []);
  return look;
}
