import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { StatusSteps } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { hasRight, readAppView } from '../common/app-view.ts';
import { describeSale, type Face, faceOf, moneyOf, stopsOf, subjectOf } from './sale-words.ts';
import '#site/styles/areas/merchant/money/counter.css';

/** A clockwise circle that starts at the top, in a box of 200 by 200. */
export const RING_PATH = 'M100 6a94 94 0 1 1 0 188a94 94 0 1 1 0-188';

/** Each face has its own shape, so that color is not the only difference. */
const shapes: Record<Exclude<Face, 'waiting'>, { isFilled: boolean; symbol: string }> = {
  paid: { isFilled: true, symbol: 'm58 103 30 30 58-62' },
  declined: { isFilled: true, symbol: 'm64 64 72 72m0-72-72 72' },
  unknown: { isFilled: true, symbol: 'M72 76a28 28 0 1 1 41 25c-10 5-13 12-13 24m0 23v.1' },
  'timed-out': { isFilled: false, symbol: '' },
  ended: { isFilled: false, symbol: 'M66 100h68' },
};

/** A decorative symbol for the state of a sale. The text beside it has the same meaning. */
export function StateSymbol({ face }: { face: Exclude<Face, 'waiting'> }) {
  const { isFilled, symbol } = shapes[face];
  return (
    <svg className="counter-mark" viewBox="0 0 200 200" aria-hidden="true">
      {isFilled ? (
        <circle className="counter-fill" cx="100" cy="100" r="100" />
      ) : (
        <path className="counter-ring" d={RING_PATH} />
      )}
      {symbol && <path className="counter-sign" d={symbol} pathLength={1} />}
    </svg>
  );
}

const SECOND_MS = 1000;
/** Each text is announced once, when this many seconds are left. */
const ANNOUNCEMENTS = [
  [10, '10 seconds left'],
  [60, '1 minute left'],
] as const;

/** The time that the card reader keeps waiting, by this browser's clock. */
export function RingTimer({ from, until }: { from: string; until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const end = Date.parse(until);
  const fraction = Math.min(1, Math.max(0, (end - now) / (end - Date.parse(from))));
  const remainingSeconds = Math.max(0, Math.ceil((end - now) / SECOND_MS));
  return (
    <>
      <div className="counter-mark counter-timer" role="timer">
        <svg viewBox="0 0 200 200" aria-hidden="true">
          <path className="counter-ring" d={RING_PATH} />
          <path className="counter-left" d={RING_PATH} pathLength={1} strokeDasharray={`${fraction} 1`} />
        </svg>
        <p>
          <span className="counter-clock">{clockOf(remainingSeconds)}</span> left
        </p>
      </div>
      <p className="sr-only" role="status">
        {ANNOUNCEMENTS.find(([seconds]) => remainingSeconds <= seconds)?.[1]}
      </p>
    </>
  );
}

/** Returns for example "3:33". */
const clockOf = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The time (ms) after which the screen of a paid sale returns to the form for the next customer. */
const RETURN_MS = 20_000;

type Props = {
  sale: TerminalSale;
  /** True if the invoice was paid in another way in the meantime. */
  isPaidElsewhere: boolean;
  /** A banner about a lost connection. */
  connectionBanner: ReactNode;
  /** Other ways to pay. */
  alternatives: ReactNode;
  onLeave(): void;
};

/** A sale that fills the window, so that the customer can read it from two meters away. */
export function SaleScreen({ sale, isPaidElsewhere, connectionBanner: trouble, alternatives, onLeave }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const state = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The heading gets the focus, not the first button, where a late Enter would leave the screen and the focus would
    // prevent the automatic return.
    state.current?.focus();
  }, []);
  const face = isPaidElsewhere ? 'paid' : faceOf(sale);
  const { lead, text } = isPaidElsewhere ? { lead: 'Paid. Thank you', text: '' } : describeSale(sale);
  const money = moneyOf(sale.amount, sale.currency);
  const holdHandlers = useAutomaticReturn(sale.state === 'approved' && hasRight('collect'), onLeave);
  return (
    <dialog
      className={`counter counter-${face}`}
      ref={dialog}
      aria-labelledby="counter-state"
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <header className="counter-head">
        <p>
          <strong>{sale.terminal_name}</strong> {subjectOf(sale)}
          {!sale.is_own && sale.started_by && `, started by ${sale.started_by}`}
        </p>
        <p className="counter-business">{readAppView().data.merchant?.merchant_name}</p>
      </header>
      {trouble}
      <div className="counter-main">
        <div className="counter-words">
          <div role="status" aria-atomic="true">
            <h2 id="counter-state" className="counter-state" tabIndex={-1} ref={state}>
              {lead}
            </h2>
            <p className="counter-amount" style={{ '--characters': money.length } as CSSProperties}>
              {money}
            </p>
          </div>
          <p className="counter-text">{text}</p>
        </div>
        {face === 'waiting' ? <RingTimer from={sale.started_at} until={sale.ends_by} /> : <StateSymbol face={face} />}
      </div>
      <footer className="counter-foot" {...holdHandlers}>
        {!isPaidElsewhere && <StatusSteps label="Sale" stops={stopsOf(sale)} />}
        <div className="counter-actions">
          {face === 'waiting' && (
            <p className="counter-hint">
              To stop, press cancel on {sale.terminal_name}. It keeps waiting until {formatTime(new Date(sale.ends_by))}
              , even if you leave.
            </p>
          )}
          {sale.state === 'approved' && hasRight('collect') && (
            <p className="counter-hint">This screen closes automatically after 20 seconds.</p>
          )}
          {sale.receipt_url && (
            <a className="button button-secondary button-lg" href={sale.receipt_url} target="_blank" rel="noopener">
              View receipt
            </a>
          )}
          <Button kind={face === 'paid' ? 'primary' : alternatives ? 'ghost' : 'secondary'} size="lg" onClick={onLeave}>
            {leaveLabel(sale)}
          </Button>
        </div>
        {alternatives}
      </footer>
    </dialog>
  );
}

function leaveLabel({ state }: TerminalSale): string {
  if (state === 'unknown') return 'Leave, I will check later';
  if (state === 'waiting' || state === 'needs-a-person') return 'Leave';
  return hasRight('collect') ? 'Take another payment' : 'All card readers';
}

/** Leaves after RETURN_MS, but not while the pointer or the focus is on the element with the returned handlers. */
function useAutomaticReturn(isOver: boolean, onLeave: () => void) {
  const [isPaused, setPaused] = useState(false);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isOver || isPaused) return;
    const timer = setTimeout(leave, RETURN_MS);
    return () => clearTimeout(timer);
  }, [isOver, isPaused]);
  const hold = () => setPaused(true);
  const release = () => setPaused(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}
