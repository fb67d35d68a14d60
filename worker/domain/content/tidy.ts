import { dropOldAccounts } from '../../data/content/sessions.ts';
import { dropOldThrottles } from '../../data/content/throttles.ts';
import type { Deps } from '../../deps.ts';

/** Registrations that no owner has approved are forgotten after this. */
const PENDING_MS = 30 * 86_400_000;

/** Forget what is over. */
export async function tidyContent({ db, now }: Deps): Promise<void> {
  await dropOldThrottles(db, now());
  await dropOldAccounts(db, now(), PENDING_MS);
}
