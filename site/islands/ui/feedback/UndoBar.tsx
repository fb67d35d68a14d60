import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../form/Button.tsx';
import '#site/styles/parts/feedback/undo-bar.css';

type Props = {
  /** The announced action, followed by the remaining time. */
  children: string;
  /** The time (ms) during which the action can be undone. */
  durationMs: number;
  /** Returns the reason why it could not be undone, or null on success. The caller then removes this bar. */
  onUndo(): Promise<string | null>;
  /** Called when the time is up. */
  onExpire(): void;
};

/**
 * Offers to undo an action before the server performs it at the end of the time. The button takes the focus, since the
 * time is short.
 */
export function UndoBar({ children, durationMs, onUndo, onExpire }: Props) {
  const [remainingMs, setRemaining] = useState(durationMs);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const expire = useEffectEvent(onExpire);
  useEffect(() => {
    const previous = document.activeElement;
    button.current?.focus();
    const end = performance.now() + durationMs;
    const timer = setInterval(() => {
      const remaining = Math.max(0, end - performance.now());
      setRemaining(remaining);
      if (remaining > 0) return;
      clearInterval(timer);
      expire();
    }, 250);
    return () => {
      clearInterval(timer);
      if (previous instanceof HTMLElement && document.activeElement === document.body) previous.focus();
    };
  }, [durationMs]);
  const undo = async () => {
    setBusy(true);
    const reason = await onUndo();
    setBusy(false);
    setFailure(reason);
  };
  return (
    <div className="undo-bar">
      <p role="status">
        {children}
        <span className="sr-only"> in {Math.round(durationMs / 1000)} seconds, unless you undo it.</span>
        {failure && ` ${failure}`}
      </p>
      <span className="undo-left" aria-hidden="true">
        {Math.ceil(remainingMs / 1000)} s
      </span>
      <Button size="sm" busy={isBusy} ref={button} onClick={() => void undo()}>
        Undo
      </Button>
    </div>
  );
}
