import { useEffect, useEffectEvent } from 'react';

/** Returns the secret after the #, and removes it from the address to keep it out of the history. */
export function takeKey(name: string): string | null {
  const key = new URLSearchParams(window.location.hash.slice(1)).get(name);
  if (key !== null) window.history.replaceState(null, '', window.location.pathname);
  return key || null;
}

/** Handles an email link that opens in a tab which already shows this page: only the part after the # changes. */
export function useKeyFromHashChange(name: string, onKey: (key: string) => void): void {
  const handleKey = useEffectEvent(() => {
    const key = takeKey(name);
    if (key) onKey(key);
  });
  useEffect(() => {
    const listen = () => handleKey();
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, []);
}
