import { useSyncExternalStore } from 'react';

/** The server's message when it could not answer a list; screens that consist of lists then show it instead. */
let apiError: string | null = null;
const listeners = new Set<() => void>();

export function setApiError(message: string | null): void {
  apiError = message;
  for (const listener of listeners) listener();
}

export const useApiError = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => apiError,
  );
