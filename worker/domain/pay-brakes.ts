import type { BrakeCounts, BrakeLimits } from '../data/brakes.ts';
import { lookBeforePaying } from '../data/look-at-link.ts';
import type { Deps } from '../deps.ts';
import type { PayOutcome } from './pay-outcome.ts';

export type Payer = { clientIp: string | null };

export const HOUR_S = 3600;

export type PayLook = Awaited<ReturnType<typeof lookBeforePaying>> & { limits: BrakeLimits };

/** The link with all that belongs to it, its payments so far and the brakes, in one trip. */
export async function lookWithBrakes(
  deps: Deps,
  payId: string,
  tokenHash: string,
  ipKey: string,
  payer: Payer,
): Promise<PayLook> {
  const { db, settings } = deps;
  const found = await lookBeforePaying(db, payId, tokenHash, {
    ipKey,
    perLinkHour: settings.DECLINES_PER_LINK_HOUR,
    windowMs: settings.BREAKER_WINDOW_MS,
    now: deps.now(),
  });
  const { payable, counts } = found;
  const limits = limitsFor(deps, payer);
  if (counts && counts.recent >= settings.BREAKER_MIN_ATTEMPTS && counts.recentDeclined * 2 > counts.recent) {
    // Most cards fail at this merchant: somebody tries cards, so each link and address gets one more chance only.
    deps.log.alert('card-testing-suspected', { hubId: payable?.link.hubId ?? 0, recent: counts.recent });
    limits.perLinkHour = 1;
    limits.perIpHour = Math.min(limits.perIpHour, 2);
  }
  return { ...found, limits };
}

/** The refusal that the brakes ask for before anything is claimed; null while they are off. */
export function throttle(counts: BrakeCounts | undefined, limits: BrakeLimits): PayOutcome | null {
  if (!counts) return null;
  if (counts.linkClosed) return { kind: 'too-many', retryAfterS: 24 * HOUR_S };
  return counts.ipDeclines >= limits.perIpHour ? { kind: 'too-many', retryAfterS: HOUR_S } : null;
}

const limitsFor = ({ settings }: Deps, { clientIp }: Payer): BrakeLimits => ({
  perLinkHour: settings.DECLINES_PER_LINK_HOUR,
  // No address to tell payers apart by: they share one tighter limit instead of having none.
  perIpHour: clientIp ? settings.DECLINES_PER_IP_HOUR : settings.DECLINES_PER_UNKNOWN_IP_HOUR,
});

/** The payer's address as a key that does not tell it. */
export const ipKeyOf = async (deps: Deps, clientIp: string | null) =>
  clientIp ? (await deps.sha256(`ip ${clientIp}`)).slice(0, 32) : 'none';
