import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { fill } from '#shared/words/bilingual';
import type { PayPageWords } from '#shared/words/pay-words';
import { Banner } from '../ui/feedback/Banner.tsx';
import { StatusSteps } from '../ui/feedback/StatusSteps.tsx';
import { fetchStatus } from './api.ts';
import { businessTimeIn, usePayWords } from './words.ts';

/** A heading that can take the focus when it appears, so that screen readers announce it and it is visible. */
export function HeadingWithFocus({
  id,
  takesFocus,
  children,
}: {
  id: string;
  takesFocus: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 20_000;
// If the server has no payment after this time, none has reached it.
const NEVER_ARRIVED_MS = 30_000;

type Props = {
  payId: string;
  timeZone: string;
  attemptKey: string | null;
  startedAt: string | null;
  /** The time (ISO 8601 UTC) from which we trust the gateway if it does not find the payment. */
  until: string | undefined;
  isReceived: boolean;
  /** True if the payer has just clicked Pay. The heading then takes the focus, so that it is announced. */
  takesFocus: boolean;
  /** `isOwnPayment` is true if the status is that of the payment sent from this page, not of an earlier one. */
  onAnswer(status: PaymentStatus, isOwnPayment: boolean): void;
};

export function Confirming({
  payId,
  timeZone,
  attemptKey,
  startedAt,
  until,
  isReceived,
  takesFocus: announce,
  onAnswer,
}: Props) {
  const { language, outcome: words } = usePayWords();
  const [isOffline, setOffline] = useState(false);
  const [waitTimes, setWaitTimes] = useState({ startedAt, until });
  // The time is set after the first render, since the prerendered page contains none.
  const [now, setNow] = useState<number>();
  useEffect(() => setNow(Date.now()), []);
  const sentAt = now && waitTimes.startedAt ? businessTimeIn(language, waitTimes.startedAt, timeZone) : undefined;

  useEffect(() => {
    const openedAt = Date.now();
    const controller = new AbortController();
    let isOwnPayment = isReceived;
    let waitMs = FIRST_WAIT_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const checkStatus = async () => {
      clearTimeout(timer);
      const status = await fetchStatus(payId, attemptKey, controller.signal);
      if (controller.signal.aborted) return;
      setOffline(status === null);
      setNow(Date.now());
      if (status?.state === 'pending') {
        isOwnPayment = true;
        setWaitTimes({ startedAt: status.since ?? startedAt, until: status.until });
      }
      if (status && isFinal(status, isOwnPayment || Date.now() - openedAt > NEVER_ARRIVED_MS))
        return onAnswer(status, isOwnPayment);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 1.5);
      timer = setTimeout(checkStatus, waitMs);
    };
    const checkNow = () => {
      if (document.visibilityState === 'visible') void checkStatus();
    };
    timer = setTimeout(checkStatus, FIRST_WAIT_MS);
    document.addEventListener('visibilitychange', checkNow);
    window.addEventListener('online', checkNow);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', checkNow);
      window.removeEventListener('online', checkNow);
    };
  }, [payId, attemptKey, startedAt, isReceived, onAnswer]);

  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-confirming" takesFocus={announce}>
        {words.confirming}
      </HeadingWithFocus>
      <p>{words.doNotPayAgain}</p>
      {now && sentAt && <p>{describeWait(words, sentAt, waitTimes, now)}</p>}
      <StatusSteps
        label={words.payment}
        done={words.done}
        stops={[
          { name: words.sent, state: isReceived ? 'done' : 'now', time: sentAt },
          { name: words.waiting, state: isReceived ? 'now' : 'ahead' },
          { name: words.confirmed, state: 'ahead' },
        ]}
      />
      {isOffline && (
        <Banner tone="warn" lead={words.offline}>
          {words.askAgain}
        </Banner>
      )}
      <p className="outcome-note">{words.updates}</p>
    </div>
  );
}

/** True if the status is final. Until our payment has arrived, "none" or "declined" may be about an earlier one. */
const isFinal = ({ state }: PaymentStatus, hasArrived: boolean) =>
  state === 'paid' || state === 'submitted' || (hasArrived && (state === 'none' || state === 'declined'));

type WaitTimes = Pick<Props, 'startedAt' | 'until'>;

/** Describes when the wait started, and about how many minutes it will take if `until` is known. */
function describeWait(
  words: PayPageWords['outcome'],
  sentAt: string,
  { startedAt, until }: WaitTimes,
  now: number,
): string {
  const start = fill(words.checking, { at: sentAt });
  if (!startedAt || !until) return start;
  const end = Date.parse(until);
  if (end <= now) return `${start} ${words.takesLonger}`;
  const minutes = Math.ceil((end - Date.parse(startedAt)) / 60_000);
  return `${start} ${fill(words.takesMinutes, { n: String(minutes) })}`;
}
