import { useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from '../Icon.tsx';
import '#site/styles/parts/feedback/toast.css';

export type Toast = { id: number; text: string };

const MAX_TOASTS = 3;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function setToasts(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Announces a success, and returns the toast's id. Facts that matter later must also be on the page. */
export function toast(text: string): number {
  lastId += 1;
  setToasts([...toasts, { id: lastId, text }].slice(-MAX_TOASTS));
  return lastId;
}

export const removeToast = (id: number): void => setToasts(toasts.filter((item) => item.id !== id));
export const currentToasts = (): readonly Toast[] => toasts;
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const VISIBLE_MS = 6000;

export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
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
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => removeToast(id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer; the button is the control
    <div
      className="toast"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon name="circleCheck" />
      <p>{text}</p>
      <button
        type="button"
        className="icon-button"
        aria-label="Close message"
        title="Close"
        onClick={() => removeToast(id)}
      >
        <Icon name="x" size="sm" />
      </button>
    </div>
  );
}
