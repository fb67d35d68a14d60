export type Toast = { id: number; text: string };

const MOST = 3;
let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Announces a success. Anything that matters later must be in the page too. Returns its id. */
export function toast(text: string): number {
  count += 1;
  set([...toasts, { id: count, text }].slice(-MOST));
  return count;
}

export const dropToast = (id: number): void => set(toasts.filter((one) => one.id !== id));
export const currentToasts = (): readonly Toast[] => toasts;
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
