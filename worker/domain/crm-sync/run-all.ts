import { listDueSyncs } from '#worker/data/crm-sync/state';
import type { Deps } from '#worker/deps';
import { RUN_CALLS, syncAccount } from './run.ts';

const RUN_MS = 20_000;
const AT_ONCE = 4;
const HUBS = 40;

/** Each minute: sync the accounts that are due, the most overdue first. The next minute goes on with the rest. */
export async function syncAccounts(deps: Deps): Promise<void> {
  const endsAt = deps.now() + RUN_MS;
  // Shared: the platform counts calls over all accounts.
  const calls = { left: RUN_CALLS };
  const due = await listDueSyncs(deps.db, deps.now(), HUBS);
  const next = async () => {
    for (
      let accountId = due.shift();
      accountId !== undefined && deps.now() < endsAt && calls.left > 0;
      accountId = due.shift()
    ) {
      await syncAccount(deps, accountId, { endsAt, calls });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
