import { useSyncExternalStore } from 'react';
import type { TerminalsReply } from '#shared/contracts/payments/terminals';
import { writeDay } from '#site/islands/ui/format-moment.ts';

/** Why no one can pay by link, as the server last said; empty if payers can. `closes_on`: YYYY-MM-DD. */
type OnlineOff = Pick<TerminalsReply, 'online_off' | 'closes_on'>;

/** After the reason why no payment at all may be taken. */
export const NO_NEW_PAYMENTS = 'No new payments can be taken.';

let said: OnlineOff = {};
const watchers = new Set<() => void>();

/** Stores what the server last said. */
export function noteOnlineOff({ online_off, closes_on }: OnlineOff): void {
  if (online_off === said.online_off && closes_on === said.closes_on) return;
  said = { ...(online_off && { online_off }), ...(closes_on && { closes_on }) };
  for (const watcher of watchers) watcher();
}

export const onlineOff = (): OnlineOff['online_off'] => said.online_off;

/** The reason why no payment link may be sent or paid now; null if there is none. */
export function linkBlock(): string | null {
  switch (said.online_off) {
    case 'closing':
      return `This account closes${said.closes_on ? ` on ${writeDay(said.closes_on, { month: 'short', day: 'numeric' })}` : ''}.`;
    case 'paused':
      return 'Online payments are paused.';
    case 'catching-up':
      return 'Payments are being restored.';
    default:
      return null;
  }
}

/** The reason why no payment at all may be taken, card readers included; null if there is none. */
export const takeBlock = (): string | null => (said.online_off === 'closing' ? linkBlock() : null);

/** The same for components, which follow them. */
export const useOnlineOff = () => useSyncExternalStore(watch, onlineOff);
export const useLinkBlock = () => useSyncExternalStore(watch, linkBlock);
export const useTakeBlock = () => useSyncExternalStore(watch, takeBlock);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
