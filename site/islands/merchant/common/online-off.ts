import { useSyncExternalStore } from 'react';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import { formatDayWith } from '#site/islands/ui/format-moment.ts';

/** The reason why no one can pay by link, as last reported by the server. Empty if payers can. */
type OnlinePaymentsOff = Pick<TerminalsReply, 'online_off' | 'closes_on'>;

/** The text after the reason why no payment at all may be taken. */
export const NO_NEW_PAYMENTS = 'No new payments can be taken.';

let current: OnlinePaymentsOff = {};
const listeners = new Set<() => void>();

/** Stores the state that the server last reported. */
export function storeOnlineOff({ online_off, closes_on }: OnlinePaymentsOff): void {
  if (online_off === current.online_off && closes_on === current.closes_on) return;
  current = { ...(online_off && { online_off }), ...(closes_on && { closes_on }) };
  for (const listener of listeners) listener();
}

export const onlineOffReason = (): OnlinePaymentsOff['online_off'] => current.online_off;

/** Returns why no payment link may be sent or paid now, or null if one may. */
export function linkBlockReason(): string | null {
  switch (current.online_off) {
    case 'closing':
      return `This account closes${current.closes_on ? ` on ${formatDayWith(current.closes_on, { month: 'short', day: 'numeric' })}` : ''}.`;
    case 'paused':
      return 'Online payments are paused.';
    case 'catching-up':
      return 'Payments are being restored.';
    default:
      return null;
  }
}

/** Returns why no payment may be taken, not even by card reader, or null if payments may be taken. */
export const paymentBlockReason = (): string | null => (current.online_off === 'closing' ? linkBlockReason() : null);

// These hooks return the same values, and rerender a component when they change.
export const useOnlineOff = () => useSyncExternalStore(subscribe, onlineOffReason);
export const useLinkBlockReason = () => useSyncExternalStore(subscribe, linkBlockReason);
export const usePaymentBlockReason = () => useSyncExternalStore(subscribe, paymentBlockReason);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
