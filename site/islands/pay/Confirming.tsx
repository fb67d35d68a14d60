import { useEffect, useState } from 'react';
import type { PaymentStatus } from '../../../shared/contracts/payment.ts';
import { Banner } from '../ui/Banner.tsx';
import { TheLine } from '../ui/TheLine.tsx';
import { askStatus } from './api.ts';
import { HeadingWithFocus } from './HeadingWithFocus.tsx';

const FIRST_MS = 500;
const LONGEST_MS = 20_000;
// A payment that reached us is on record long before this.
const NEVER_ARRIVED_MS = 30_000;

type Props = {
  payId: string;
  since: string | null;
  sure: boolean;
  /** Came up after a press on Pay, so that its heading is read out. */
  announce: boolean;
  /** `isOurs`: it is about the payment that was sent from here, not about an earlier one. */
  onAnswer(status: PaymentStatus, isOurs: boolean): void;
};

export function Confirming({ payId, since, sure, announce, onAnswer }: Props) {
  const [isCutOff, setCutOff] = useState(false);
  const [sentAt, setSentAt] = useState<string>();

  // The reader's own clock: unknown where the page was built.
  useEffect(() => {
    if (since) setSentAt(clockTime(new Date(since)));
  }, [since]);

  useEffect(() => {
    if (!payId) return;
    const opened = Date.now();
    const end = new AbortController();
    let isOurs = sure;
    let wait = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      clearTimeout(timer);
      const status = await askStatus(payId, end.signal);
      if (end.signal.aborted) return;
      setCutOff(status === null);
      if (status?.state === 'pending') isOurs = true;
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
  }, [payId, sure, onAnswer]);

  return (
    <div className="outcome">
      <HeadingWithFocus id="pay-confirming" take={announce}>
        We are confirming your payment
      </HeadingWithFocus>
      <p>Your payment is being confirmed. Please do not pay again.</p>
      <TheLine
        label="Payment"
        stops={[
          { name: 'Sent', state: sure ? 'done' : 'now', time: sentAt },
          { name: 'Waiting for the bank', state: sure ? 'now' : 'ahead' },
          { name: 'Confirmed', state: 'ahead' },
        ]}
      />
      {isCutOff && (
        <Banner tone="warn" lead="There is no connection right now.">
          We ask again by ourselves. Please do not pay again.
        </Banner>
      )}
      <p className="outcome-note">This page updates by itself. You can close it and come back.</p>
    </div>
  );
}

/** No payment, or a declined one, says little while ours may still be on its way: it could be an earlier one. */
const isFinal = ({ state }: PaymentStatus, hasArrived: boolean) =>
  state === 'paid' || state === 'submitted' || (hasArrived && (state === 'none' || state === 'declined'));

const clockTime = (date: Date) =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' }).format(date).replaceAll('\u202f', '\u00a0');
