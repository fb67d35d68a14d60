import type { Attempt } from '#worker/data/schema/schema';

/** The largest difference between the gateway's clock and ours (ms). */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/**
 * The time at which money moved (UTC ms), as reported by the gateway. An impossible time, before the attempt or in the
 * future, is ignored in favor of `learnedAt`.
 */
export function momentOfMoney(
  { createdAt = 0 }: Partial<Pick<Attempt, 'createdAt'>>,
  reportedAt: number | null | undefined,
  learnedAt: number,
): number {
  const at = reportedAt ?? learnedAt;
  return at < createdAt - MAX_CLOCK_SKEW_MS || at > learnedAt ? learnedAt : at;
}
