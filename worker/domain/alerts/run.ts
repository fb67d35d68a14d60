import type { Deps } from '#worker/deps';
import { alertInstallation } from './measure.ts';
import { tellAlerts } from './tell.ts';

/** Each minute, in the installation's clock: look for its own troubles, then tell of what is new and close what is over. */
export async function runAlerts(deps: Deps): Promise<void> {
  await alertInstallation(deps);
  await tellAlerts(deps);
}
