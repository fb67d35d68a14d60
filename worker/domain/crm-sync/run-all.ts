import { listDueSyncs } from '#worker/data/crm-sync/state';
import type { Deps } from '#worker/deps';
import { syncAccount } from './run.ts';

/** For a clinic's clock: sync what is due, one call to the CRM at a time. */
export async function syncAccounts(deps: Deps): Promise<void> {
  for (const accountId of await listDueSyncs(deps.db, deps.now())) await syncAccount(deps, accountId);
}
