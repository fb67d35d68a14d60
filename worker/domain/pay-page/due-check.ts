import type { Attempt, AttemptState } from '#worker/data/schema/schema';
import { LINE_MS } from '#worker/domain/payments/inquire-status';

/** While a page waits, its payment is looked up again after a tenth of its age, within these bounds (ms). */
const [SOONEST_MS, LATEST_MS] = [5_000, 60_000];
/** A page that waits longer (ms) may be forgotten: from then on the schedule's own pauses count. */
const PATIENCE_MS = 3_600_000;

const OPEN: AttemptState[] = ['sent', 'unknown', 'pending', 'needs_human'];

/**
 * Whether a payer's page may have this payment looked up now. However many pages ask, each look is claimed in the row,
 * and the gateway is not asked again before the pause is over. `nextCheckAt` null: no program looks any more.
 */
export function isDue(attempt: Attempt | undefined, now: number): attempt is Attempt {
  if (!attempt || !OPEN.includes(attempt.state) || attempt.nextCheckAt === null) return false;
  return attempt.nextCheckAt <= now || (isWaitedFor(attempt, now) && now >= nextLook(attempt, now));
}

const isWaitedFor = ({ state, channel, createdAt }: Attempt, now: number): boolean =>
  // A bank takes days, and a sale at the desk is watched by its own screen.
  state !== 'pending' && channel === 'link' && now - createdAt <= PATIENCE_MS;

function nextLook({ state, createdAt, checkedAt }: Attempt, now: number): number {
  if (state === 'sent' && checkedAt === null) return createdAt + LINE_MS;
  const pause = Math.min(Math.max((now - createdAt) / 10, SOONEST_MS), LATEST_MS);
  return (checkedAt ?? createdAt) + pause;
}
