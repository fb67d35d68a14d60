import { type Throttle, takeTry, waitOf } from '#worker/data/content/accounts/rate-limits';
import type { Deps } from '#worker/deps';

/** Where a request comes from, as far as anybody can tell. */
export type Caller = { clientIp: string | null };

const HOUR_MS = 3_600_000;
const LOGIN_WINDOW_MS = 15 * 60_000;

export type Refused = { kind: 'too-many'; retryAfterS: number };

/** What a key is about stays readable by nobody. */
export const keyOf = async (deps: Deps, what: string, whose: string): Promise<string> =>
  `${what}-${(await deps.sha256(`${what} ${whose}`)).slice(0, 32)}`;

/** Callers without an address share one tighter limit instead of having none. */
export const perAddress = async (
  deps: Deps,
  what: string,
  { clientIp }: Caller,
  limit: number,
  unknownLimit: number,
): Promise<Throttle> => ({
  key: await keyOf(deps, `${what}-ip`, clientIp ?? 'none'),
  limit: clientIp ? limit : unknownLimit,
});

/** Take a try of each, or say how long to wait; what is refused costs two small trips and no hash. */
export async function take(
  deps: Deps,
  throttles: Throttle[],
  window: 'login' | 'hour' = 'hour',
): Promise<Refused | null> {
  const isTaken = await takeTry(deps.db, throttles, window === 'login' ? LOGIN_WINDOW_MS : HOUR_MS, deps.now());
  if (isTaken) return null;
  const waitMs = (await waitOf(deps.db, throttles, deps.now())) ?? 0;
  return { kind: 'too-many', retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** The queue of hashes is full: everybody waits for a moment. */
export const busy: Refused = { kind: 'too-many', retryAfterS: 10 };
