import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/terminals';
import { StatusSteps } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatTime } from '#site/islands/ui/format-moment.ts';
import { may, readAppView } from '../parts/app-view.ts';
import { Mark } from './Mark.tsx';
import { RingTimer } from './RingTimer.tsx';
import { aboutOf, faceOf, moneyOf, stopsOf, wordsFor } from './sale-words.ts';
import '#site/styles/areas/merchant/counter.css';

/** A paid sale makes room for the next customer after this. */
const RETURN_MS = 20_000;

type Props = {
  sale: TerminalSale;
  /** It was paid in another way meanwhile. */
  isPaidElsewhere: boolean;
  /** What is wrong with the line to us. */
  trouble: ReactNode;
  /** Other ways to pay. */
  otherwise: ReactNode;
  onLeave(): void;
};

/** A sale in the full window, to be read by the customer two metres away. */
export function Counter({ sale, isPaidElsewhere, trouble, otherwise, onLeave }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const state = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Not the first button: whoever typed Enter a moment ago must not leave with it, and a paid sale rests while one is in use.
    state.current?.focus();
  }, []);
  const face = isPaidElsewhere ? 'paid' : faceOf(sale);
  const { lead, text } = isPaidElsewhere ? { lead: 'Paid. Thank you', text: '' } : wordsFor(sale);
  const money = moneyOf(sale.amount, sale.currency);
  const hold = useReturn(sale.state === 'approved' && may('collect'), onLeave);
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
          <strong>{sale.terminal_name}</strong> {aboutOf(sale)}
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
        {face === 'waiting' ? <RingTimer from={sale.started_at} until={sale.ends_by} /> : <Mark face={face} />}
      </div>
      <footer className="counter-foot" {...hold}>
        {!isPaidElsewhere && <StatusSteps label="Sale" stops={stopsOf(sale)} />}
        <div className="counter-actions">
          {face === 'waiting' && (
            <p className="counter-hint">
              To stop, press cancel on {sale.terminal_name}. It waits on until {formatTime(new Date(sale.ends_by))},
              also when you leave.
            </p>
          )}
          {sale.state === 'approved' && may('collect') && (
            <p className="counter-hint">This screen closes by itself after 20 seconds.</p>
          )}
          {sale.receipt_url && (
            <a className="button button-secondary button-lg" href={sale.receipt_url} target="_blank" rel="noopener">
              View receipt
            </a>
          )}
          <Button kind={face === 'paid' ? 'primary' : otherwise ? 'ghost' : 'secondary'} size="lg" onClick={onLeave}>
            {leaveWords(sale)}
          </Button>
        </div>
        {otherwise}
      </footer>
    </dialog>
  );
}

function leaveWords({ state }: TerminalSale): string {
  if (state === 'unknown') return 'Leave it, I will check later';
  if (state === 'waiting' || state === 'needs-a-person') return 'Leave';
  return may('collect') ? 'Take another payment' : 'All devices';
}

/** Leaves after a while, unless the pointer or the focus is on the part that gets these properties. */
function useReturn(isOver: boolean, onLeave: () => void) {
  const [isHeld, setHeld] = useState(false);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isOver || isHeld) return;
    const timer = setTimeout(leave, RETURN_MS);
    return () => clearTimeout(timer);
  }, [isOver, isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}
