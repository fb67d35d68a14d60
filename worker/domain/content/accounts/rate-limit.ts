import { countAttempt, type RateLimit, retryDelayMs } from '#worker/data/content/accounts/sessions-and-rate-limits';
import type { Deps } from '#worker/deps';

/** `clientIp`: the IP address of the request, if known. */
export type Caller = { clientIp: string | null };

const HOUR_MS = 3_600_000;
const LOGIN_WINDOW_MS = 15 * 60_000;

export type TooManyTries = { kind: 'too-many'; retryAfterS: number };

/** Key of a rate limit, hashed so that it reveals no address. */
export const rateLimitKey = async (deps: Deps, purpose: string, subject: string): Promise<string> =>
  `${purpose}-${(await deps.sha256(`${purpose} ${subject}`)).slice(0, 32)}`;

/**
 * The network under which tries from an IP address are counted. For IPv6, it is the /64 of one customer, who could
 * otherwise try from 2^64 addresses.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip;
  const [head = [], tail = []] = ip
    .toLowerCase()
    .split('::')
    .map((side) => side.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** The rate limit of the caller's IP address. All callers with an unknown address share one tighter limit. */
export const ipRateLimit = async (
  deps: Deps,
  purpose: string,
  { clientIp }: Caller,
  limit: number,
  unknownLimit: number,
): Promise<RateLimit> => ({
  key: await rateLimitKey(deps, `${purpose}-ip`, clientIp === null ? 'none' : networkOf(clientIp)),
  limit: clientIp ? limit : unknownLimit,
});

/** Counts a try under each rate limit, or returns how long to wait. A refusal runs two small queries and no hashing. */
export async function enforceRateLimits(
  deps: Deps,
  limits: RateLimit[],
  window: 'login' | 'hour' = 'hour',
): Promise<TooManyTries | null> {
  const isAllowed = await countAttempt(deps.db, limits, window === 'login' ? LOGIN_WINDOW_MS : HOUR_MS, deps.now());
  if (isAllowed) return null;
  const waitMs = (await retryDelayMs(deps.db, limits, deps.now())) ?? 0;
  return { kind: 'too-many', retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** The hashing queue is full; the caller should retry in 10 s. */
export const busyRefusal: TooManyTries = { kind: 'too-many', retryAfterS: 10 };
