import type { Language } from '#shared/words/language';
import {
  addDecline,
  countDeclines,
  type VelocityCounts,
  type VelocityLimits,
} from '#worker/data/payments/decline-counts';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';

/** `language`: the language of the pay page. */
export type Payer = { clientIp: string | null; language?: Language };

export const HOUR_S = 3600;

export type VelocityRefusal = { kind: 'too-many'; retryAfterS: number };

/**
 * Declines of this IP address at all clinics within an hour. If they cannot be read, payments continue, since the
 * clinic's own counts still apply.
 */
export const countDeclinesEverywhere = ({ installation, now, log }: Deps, ipKey: string): Promise<number> =>
  countDeclines(installation, ipKey, now() - HOUR_S * 1000).catch((cause: unknown) => {
    log.info('declines-not-counted', { cause: causeOf(cause) });
    return 0;
  });

/** Records a decline for the counts of all clinics. Never throws, since the payer's response must not depend on it. */
export const recordDecline = ({ installation, now, log }: Deps, ipKey: string): Promise<void> =>
  addDecline(installation, ipKey, now()).catch((cause: unknown) =>
    log.info('decline-not-recorded', { cause: causeOf(cause) }),
  );

/** The parameters for counting the declines of a link, an IP address and a merchant. */
export const countParameters = ({ settings, now }: Deps, ipKey: string) => ({
  ipKey,
  perLinkHour: settings.DECLINES_PER_LINK_HOUR,
  windowMs: settings.BREAKER_WINDOW_MS,
  now: now(),
});

/**
 * The hourly limits on declines per link and per IP address. `totalDeclines`: the address's declines at all clinics.
 */
export function limitsFor(
  { settings, log }: Deps,
  { clientIp }: Payer,
  accountId: number | undefined,
  counts: VelocityCounts | undefined,
  totalDeclines: number,
): VelocityLimits {
  const declinedElsewhere = Math.max(0, totalDeclines - (counts?.ipDeclines ?? 0));
  const perLinkHour = settings.DECLINES_PER_LINK_HOUR;
  // Payers without an IP address cannot be distinguished, so they share one tighter limit.
  const perIpHour = clientIp ? settings.DECLINES_PER_IP_HOUR : settings.DECLINES_PER_UNKNOWN_IP_HOUR;
  if (!counts || counts.recent < settings.BREAKER_MIN_ATTEMPTS || counts.recentDeclined * 2 <= counts.recent)
    return { perLinkHour, perIpHour, declinedElsewhere };
  // Most cards fail at this merchant, so someone is probably testing cards. An honest payer still gets a second try.
  log.alert('card-testing-suspected', { accountId: accountId ?? 0, recent: counts.recent });
  return { perLinkHour: Math.min(perLinkHour, 2), perIpHour: Math.min(perIpHour, 2), declinedElsewhere };
}

/** The refusal by the velocity limits before the claim; null while a payment is within them. */
export function checkVelocity(counts: VelocityCounts | undefined, limits: VelocityLimits): VelocityRefusal | null {
  if (!counts) return null;
  if (counts.linkClosed) return { kind: 'too-many', retryAfterS: 24 * HOUR_S };
  return counts.ipDeclines + limits.declinedElsewhere >= limits.perIpHour
    ? { kind: 'too-many', retryAfterS: HOUR_S }
    : null;
}
