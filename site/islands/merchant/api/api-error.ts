import { useSyncExternalStore } from 'react';

/** What the server last said when it could not answer a list: the screens that live on lists give way to it. */
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
