import { dropOldRateLimits } from '#worker/data/content/accounts/rate-limits';
import { dropOldAccounts } from '#worker/data/content/accounts/sessions';
import { dropOldBuilds } from '#worker/data/content/publishing/builds';
import type { Deps } from '../deps.ts';
import { requestBuild } from './content/publishing/request-build.ts';

/** Registrations that no owner has approved are deleted after this (ms). */
const PENDING_MS = 30 * 86_400_000;

/** Request the build that is due, and delete what has ended. */
export async function purgeExpiredContent(deps: Deps): Promise<void> {
  const { db, now } = deps;
  await requestBuild(deps, 'schedule');
  await dropOldBuilds(db);
  await dropOldRateLimits(db, now());
  await dropOldAccounts(db, now(), PENDING_MS);
}
