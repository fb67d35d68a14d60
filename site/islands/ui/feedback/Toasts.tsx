import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from '../Icon.tsx';
import '#site/styles/parts/feedback/toast.css';

export type Toast = { id: number; text: string };

const MAX_TOASTS = 3;
let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Announces a success, and returns the toast's id. Facts that matter later must also be on the page. */
export function toast(text: string): number {
  count += 1;
  set([...toasts, { id: count, text }].slice(-MAX_TOASTS));
  return count;
}

export const dropToast = (id: number): void => set(toasts.filter((item) => item.id !== id));
export const currentToasts = (): readonly Toast[] => toasts;
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const STAYS_MS = 6000;

export function Toasts() {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  return (
    <div className="toasts" role="status">
      {toasts.map((item) => (
        <ToastCard key={item.id} {...item} />
      ))}
    </div>
  );
}

/** A toast that disappears automatically, but stays while the pointer or the focus is on it. */
function ToastCard({ id, text }: Toast) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dropToast(id), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer; the button is the control
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name="circleCheck" />
      <p>{text}</p>
      <button
        type="button"
        className="icon-button"
        aria-label="Close message"
        title="Close"
        onClick={() => dropToast(id)}
      >
        <Icon name="x" size="sm" />
      </button>
    </div>
  );
}
