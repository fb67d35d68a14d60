import type { Deps } from '#worker/deps';
import { verifyTrails } from './verify-trails.ts';
import { oweWeeklyMails } from './weekly-mails.ts';

/** For the schedule: verify what is due, and owe a clinic's weekly mails, which tell how far it is verified. */
export async function checkTrails(deps: Deps): Promise<void> {
  await verifyTrails(deps);
  if (deps.clinic !== 0) await oweWeeklyMails(deps);
}
