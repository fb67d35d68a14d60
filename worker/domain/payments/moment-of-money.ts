import type { Attempt } from '#worker/data/schema/schema';

/** The gateway's clock may be ahead of ours or behind it by so much (ms). */
const CLOCKS_APART_MS = 5 * 60_000;

/**
 * When money moved (UTC ms): as the gateway tells it, however late we learned of it. A time that cannot be, before the
 * attempt or after now, is not believed.
 */
export function momentOfMoney(
  { createdAt = 0 }: Partial<Pick<Attempt, 'createdAt'>>,
  told: number | null | undefined,
  learnedAt: number,
): number {
  const at = told ?? learnedAt;
  return at < createdAt - CLOCKS_APART_MS || at > learnedAt ? learnedAt : at;
}
