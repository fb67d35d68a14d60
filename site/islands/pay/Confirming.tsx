import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { fill } from '#shared/words/both';
import type { PayPageWords } from '#shared/words/pay-words';
import { Banner } from '../ui/feedback/Banner.tsx';
import { StatusSteps } from '../ui/feedback/StatusSteps.tsx';
import { askStatus } from './api.ts';
import { sinceIn, usePayWords } from './words.ts';

/** A heading that takes the focus when its state appears without user action, so that it is announced and visible. */
export function HeadingWithFocus({ id, take, children }: { id: string; take: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (take) heading.current?.focus();
  }, [take]);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}

const FIRST_MS = 500;
const MAX_WAIT_MS = 20_000;
// A payment that reached us is recorded well within this time.
const NEVER_ARRIVED_MS = 30_000;

type Props = {
  payId: string;
  timeZone: string;
  attemptKey: string | null;
  since: string | null;
  /** The time (ISO 8601 UTC) from which the gateway's "no trace of the payment" is trusted. */
  until: string | undefined;
  sure: boolean;
  /** True after a press on Pay: the heading then takes the focus, so that it is announced. */
  announce: boolean;
  /** `isOurs`: the status belongs to the payment sent from this page, not to an earlier one. */
  onAnswer(status: PaymentStatus, isOurs: boolean): void;
};

export function Confirming({ payId, timeZone, attemptKey, since, until, sure, announce, onAnswer }: Props) {
  const { language, outcome: words } = usePayWords();
  const [isOffline, setOffline] = useState(false);
  const [checks, setChecks] = useState({ since, until });
  // The prerendered page contains no time.
  const [now, setNow] = useState<number>();
  useEffect(() => setNow(Date.now()), []);
  const sentAt = now && checks.since ? sinceIn(language, checks.since, timeZone) : undefined;

  useEffect(() => {
    const openedAt = Date.now();
    const controller = new AbortController();
    let isOurs = sure;
    let wait = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async () => {
      clearTimeout(timer);
      const status = await askStatus(payId, attemptKey, controller.signal);
      if (controller.signal.aborted) return;
      setOffline(status === null);
      setNow(Date.now());
      if (status?.state === 'pending') {
        isOurs = true;
        setChecks({ since: status.since ?? since, until: status.until });
      }
      if (status && isFinal(status, isOurs || Date.now() - openedAt > NEVER_ARRIVED_MS))
        return onAnswer(status, isOurs);
      wait = Math.min(MAX_WAIT_MS, wait * 1.5);
      timer = setTimeout(check, wait);
    };
    const checkNow = () => {
      if (document.visibilityState === 'visible') void check();
    };
    timer = setTimeout(check, FIRST_MS);
    document.addEventListener('visibilitychange', checkNow);
    window.addEventListener('online', checkNow);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', checkNow);
      window.removeEventListener('online', checkNow);
    };
  }, [payId, attemptKey, since, sure, onAnswer]);

  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-confirming" take={announce}>
        {words.confirming}
      </HeadingWithFocus>
      <p>{words.doNotPayAgain}</p>
      {now && sentAt && <p>{describeWait(words, sentAt, checks, now)}</p>}
      <StatusSteps
        label={words.payment}
        done={words.done}
        stops={[
          { name: words.sent, state: sure ? 'done' : 'now', time: sentAt },
          { name: words.waiting, state: sure ? 'now' : 'ahead' },
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

/** "No payment" or "declined" may refer to an earlier payment while ours is still on its way. */
const isFinal = ({ state }: PaymentStatus, hasArrived: boolean) =>
  state === 'paid' || state === 'submitted' || (hasArrived && (state === 'none' || state === 'declined'));

type Checks = Pick<Props, 'since' | 'until'>;

/** Describes the start and the approximate length of the wait: from `until` on, the gateway's "no trace" is trusted. */
function describeWait(words: PayPageWords['outcome'], sentAt: string, { since, until }: Checks, now: number): string {
  const start = fill(words.checking, { at: sentAt });
  if (!since || !until) return start;
  const end = Date.parse(until);
  if (end <= now) return `${start} ${words.takesLonger}`;
  const minutes = Math.ceil((end - Date.parse(since)) / 60_000);
  return `${start} ${fill(words.takesMinutes, { n: String(minutes) })}`;
}
