import type { Attempt } from '#worker/data/schema/schema';

/** The largest difference between the gateway's clock and ours (ms). */
const CLOCKS_APART_MS = 5 * 60_000;

/**
 * The time at which money moved (UTC ms), as reported by the gateway. An impossible time, before the attempt or in the
 * future, is ignored in favor of `learnedAt`.
 */
export function momentOfMoney(
  { createdAt = 0 }: Partial<Pick<Attempt, 'createdAt'>>,
  told: number | null | undefined,
  learnedAt: number,
): number {
  const at = told ?? learnedAt;
  return at < createdAt - CLOCKS_APART_MS || at > learnedAt ? learnedAt : at;
}
