import { useEffect, useState } from 'react';
import { RING } from './Mark.tsx';

const SECOND_MS = 1000;
/** Said aloud when so much is left (seconds), and at no other time. */
const SAID = [
  [10, '10 seconds left'],
  [60, '1 minute left'],
] as const;

/** How long the card reader still waits, by this browser's clock. */
export function RingTimer({ from, until }: { from: string; until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const end = Date.parse(until);
  const part = Math.min(1, Math.max(0, (end - now) / (end - Date.parse(from))));
  const left = Math.max(0, Math.ceil((end - now) / SECOND_MS));
  return (
    <>
      <div className="counter-mark counter-timer" role="timer">
        <svg viewBox="0 0 200 200" aria-hidden="true">
          <path className="counter-ring" d={RING} />
          <path className="counter-left" d={RING} pathLength={1} strokeDasharray={`${part} 1`} />
        </svg>
        <p>
          <span className="counter-clock">{clockOf(left)}</span> left
        </p>
      </div>
      <p className="sr-only" role="status">
        {SAID.find(([seconds]) => left <= seconds)?.[1]}
      </p>
    </>
  );
}

/** "3:33" */
const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
