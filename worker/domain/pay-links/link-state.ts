import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';

export type LinkState = 'live' | 'ended' | 'revoked';

/** At the moment that staff were told, however late the clock that writes it down. */
export const isRevoked = ({ state, revokeAt }: Payable['link'], now: number): boolean =>
  state === 'revoked' || (state === 'live' && revokeAt !== null && revokeAt <= now);

export function linkState({ link }: Payable, now: number): LinkState {
  if (isRevoked(link, now)) return 'revoked';
  return link.state === 'live' && link.endsAt > now ? 'live' : 'ended';
}

/** End of a link (ms): PAY_LINK_DAYS after the later of the due date and its last issue or sending. */
export function linkEnd(dueDate: string | null, issuedAt: number, settings: Deps['settings']): number {
  const due = dueDate ? Date.parse(`${dueDate}T23:59:59Z`) : 0;
  return Math.max(due, issuedAt) + settings.PAY_LINK_DAYS * 86_400_000;
}
