import type { Deps } from '#worker/deps';
import { verifyTrails } from './verify-trails.ts';
import { oweWeeklyMails } from './weekly-mails.ts';

/** For the cron: verify what is due, and owe the weekly mails, which tell how far it is verified. */
export async function checkTrails(deps: Deps): Promise<void> {
  await verifyTrails(deps);
  await oweWeeklyMails(deps);
}
