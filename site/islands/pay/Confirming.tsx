import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PaymentStatus } from '#shared/contracts/payments/payment-answers';
import { fill } from '#shared/words/both';
import type { PayPageWords } from '#shared/words/pay-words';
import { Banner } from '../ui/feedback/Banner.tsx';
import { StatusSteps } from '../ui/feedback/StatusSteps.tsx';
import { askStatus } from './api.ts';
import { sinceIn, usePayWords } from './words.ts';

/** A heading that takes the focus when its state appears by itself, so that it is announced and seen. */
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
const LONGEST_MS = 20_000;
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
  /** True after a press on Pay: the heading then takes the focus, to be read out. */
  announce: boolean;
  /** `isOurs`: it is about the payment sent from this page, not an earlier one. */
  onAnswer(status: PaymentStatus, isOurs: boolean): void;
};

export function Confirming({ payId, timeZone, attemptKey, since, until, sure, announce, onAnswer }: Props) {
  const { language, outcome: words } = usePayWords();
  const [isCutOff, setCutOff] = useState(false);
  const [checks, setChecks] = useState({ since, until });
  // The built page has no time in it.
  const [now, setNow] = useState<number>();
  useEffect(() => setNow(Date.now()), []);
  const sentAt = now && checks.since ? sinceIn(language, checks.since, timeZone) : undefined;

  useEffect(() => {
    const opened = Date.now();
    const end = new AbortController();
    let isOurs = sure;
    let wait = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      clearTimeout(timer);
      const status = await askStatus(payId, attemptKey, end.signal);
      if (end.signal.aborted) return;
      setCutOff(status === null);
      setNow(Date.now());
      if (status?.state === 'pending') {
        isOurs = true;
        setChecks({ since: status.since ?? since, until: status.until });
      }
      if (status && isFinal(status, isOurs || Date.now() - opened > NEVER_ARRIVED_MS)) return onAnswer(status, isOurs);
      wait = Math.min(LONGEST_MS, wait * 1.5);
      timer = setTimeout(ask, wait);
    };
    const askNow = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    timer = setTimeout(ask, FIRST_MS);
    document.addEventListener('visibilitychange', askNow);
    window.addEventListener('online', askNow);
    return () => {
      end.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', askNow);
      window.removeEventListener('online', askNow);
    };
  }, [payId, attemptKey, since, sure, onAnswer]);

  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-confirming" take={announce}>
        {words.confirming}
      </HeadingWithFocus>
      <p>{words.doNotPayAgain}</p>
      {now && sentAt && <p>{waitOf(words, sentAt, checks, now)}</p>}
      <StatusSteps
        label={words.payment}
        done={words.done}
        stops={[
          { name: words.sent, state: sure ? 'done' : 'now', time: sentAt },
          { name: words.waiting, state: sure ? 'now' : 'ahead' },
          { name: words.confirmed, state: 'ahead' },
        ]}
      />
      {isCutOff && (
        <Banner tone="warn" lead={words.offline}>
          {words.askAgain}
        </Banner>
      )}
      <p className="outcome-note">{words.updates}</p>
    </div>
  );
}

/** "No payment" or "declined" may be about an earlier payment while ours is still on its way. */
const isFinal = ({ state }: PaymentStatus, hasArrived: boolean) =>
  state === 'paid' || state === 'submitted' || (hasArrived && (state === 'none' || state === 'declined'));

type Checks = Pick<Props, 'since' | 'until'>;

/** States the start and the approximate length of the wait: from `until` on, the gateway's "no trace" is trusted. */
function waitOf(words: PayPageWords['outcome'], sentAt: string, { since, until }: Checks, now: number): string {
  const start = fill(words.checking, { at: sentAt });
  if (!since || !until) return start;
  const end = Date.parse(until);
  if (end <= now) return `${start} ${words.takesLonger}`;
  const minutes = Math.ceil((end - Date.parse(since)) / 60_000);
  return `${start} ${fill(words.takesMinutes, { n: String(minutes) })}`;
}
