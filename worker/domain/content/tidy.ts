import { dropOldBuilds } from '../../data/content/builds.ts';
import { dropOldAccounts } from '../../data/content/sessions.ts';
import { dropOldThrottles } from '../../data/content/throttles.ts';
import type { Deps } from '../../deps.ts';
import { askForBuild } from './ask-for-build.ts';

/** Registrations that no owner has approved are forgotten after this. */
const PENDING_MS = 30 * 86_400_000;

/** Ask for the build that is due, and forget what is over. */
export async function tidyContent(deps: Deps): Promise<void> {
  const { db, now } = deps;
  await askForBuild(deps, 'if-due');
  await dropOldBuilds(db);
  await dropOldThrottles(db, now());
  await dropOldAccounts(db, now(), PENDING_MS);
}
