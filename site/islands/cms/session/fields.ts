import { useEffect, useEffectEvent } from 'react';
import { passwordProblem } from '#shared/password-rule';

/** What a form checks before it is sent; everything else is for the server to say. */
export const required = (message: string) => ({ validate: (text: string) => text.trim() !== '' || message });

export const emailRules = {
  validate: (text: string) => /^[^@\s]+@[^@\s]+$/.test(text.trim()) || 'Please enter a valid e-mail address.',
};

export const newPasswordRules = { validate: (text: string) => passwordProblem(text) ?? true };

/** Takes what stands behind the # out of the address: it is a key, and belongs into no history. */
export function takeKey(name: string): string | null {
  const key = new URLSearchParams(window.location.hash.slice(1)).get(name);
  if (key !== null) window.history.replaceState(null, '', window.location.pathname);
  return key || null;
}

/** A link of a mail may be opened where this page is open already: then only what stands behind the # changes. */
export function useLateKey(name: string, onKey: (key: string) => void): void {
  const take = useEffectEvent(() => {
    const key = takeKey(name);
    if (key) onKey(key);
  });
  useEffect(() => {
    const listen = () => take();
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, []);
}
