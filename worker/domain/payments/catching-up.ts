import { isReadUpTo } from '#worker/data/reconciliation/cursors';
import { findRestoredAt } from '#worker/data/reconciliation/restored';
import type { Deps } from '#worker/deps';
import { restoredAtOf } from '#worker/domain/merchants/restored-at';

/**
 * Whether an account's money stands still because its database was put back to an older state. Payments of the hours
 * that were lost are not in our books until the gateway's transactions up to the restore were read; until then, nothing
 * here would keep such an invoice from being charged again. `restoredAt`: when this clinic alone was put back (ms), if
 * the caller has read it already.
 */
export async function isCatchingUp(deps: Deps, accountId: number, restoredAt?: number | null): Promise<boolean> {
  const { db, settings } = deps;
  const own = restoredAt === undefined ? await readRestoredAt(deps, accountId) : restoredAt;
  const upTo = restoredAtOf(settings, own);
  if (upTo === 0) return false;
  return !(await isReadUpTo(db, accountId, upTo));
}

async function readRestoredAt({ db }: Deps, accountId: number): Promise<number | null> {
  return findRestoredAt(db, accountId);
}
