import type { VelocityCounts, VelocityLimits } from '#worker/data/payments/velocity-counts';
import type { Deps } from '#worker/deps';

export type Payer = { clientIp: string | null };

export const HOUR_S = 3600;

export type TooMany = { kind: 'too-many'; retryAfterS: number };

/** Windows over which the declines of a link, an IP address and a merchant are counted. */
export const countedFor = ({ settings, now }: Deps, ipKey: string) => ({
  ipKey,
  perLinkHour: settings.DECLINES_PER_LINK_HOUR,
  windowMs: settings.BREAKER_WINDOW_MS,
  now: now(),
});

/** Declines that a link and an IP address may have in an hour. */
export function limitsFor(
  { settings, log }: Deps,
  { clientIp }: Payer,
  accountId: number | undefined,
  counts: VelocityCounts | undefined,
): VelocityLimits {
  const perLinkHour = settings.DECLINES_PER_LINK_HOUR;
  // Payers without an IP address cannot be told apart: they share one tighter limit instead of having none.
  const perIpHour = clientIp ? settings.DECLINES_PER_IP_HOUR : settings.DECLINES_PER_UNKNOWN_IP_HOUR;
  if (!counts || counts.recent < settings.BREAKER_MIN_ATTEMPTS || counts.recentDeclined * 2 <= counts.recent)
    return { perLinkHour, perIpHour };
  // Most cards fail at this merchant, so cards are being tested. An honest payer must still have a second card.
  log.alert('card-testing-suspected', { accountId: accountId ?? 0, recent: counts.recent });
  return { perLinkHour: Math.min(perLinkHour, 2), perIpHour: Math.min(perIpHour, 2) };
}

/** The refusal by the velocity limits before the claim; null while a payment is within them. */
export function checkVelocity(counts: VelocityCounts | undefined, limits: VelocityLimits): TooMany | null {
  if (!counts) return null;
  if (counts.linkClosed) return { kind: 'too-many', retryAfterS: 24 * HOUR_S };
  return counts.ipDeclines >= limits.perIpHour ? { kind: 'too-many', retryAfterS: HOUR_S } : null;
}

/** The payer's IP address as a key that does not reveal it. */
export const ipKeyOf = async (deps: Deps, clientIp: string | null) =>
  clientIp ? (await deps.sha256(`ip ${clientIp}`)).slice(0, 32) : 'none';
