import type { Deps } from '#worker/deps';

/**
 * Whether an account's money stands still because the database was put back to an older state. Payments of the hours
 * that were lost are not in our books until the gateway's transactions up to the restore were read; until then, nothing
 * here would keep such an invoice from being charged again.
 */
export async function isCatchingUp({ db, settings }: Deps, accountId: number): Promise<boolean> {
  const { RESTORED_AT } = settings;
  if (RESTORED_AT === null) return false;
  const { isReadUpTo } = await import('#worker/data/reconciliation/cursors');
  return !(await isReadUpTo(db, accountId, RESTORED_AT));
}
