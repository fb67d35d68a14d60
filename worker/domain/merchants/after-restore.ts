import { findRestoredAt, isReadUpTo } from '#worker/data/reconciliation/cursors';
import type { Deps } from '#worker/deps';

/** When an account's records were put back last (UTC ms), with all clinics or (`own`) with its clinic alone; 0: never. */
export const restoredAtOf = ({ RESTORED_AT }: Pick<Deps['settings'], 'RESTORED_AT'>, own: number | null): number =>
  Math.max(RESTORED_AT ?? 0, own ?? 0);

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

/** For so long (ms) the mail service knows a mail by its key, and sends it once. */
const KEY_KNOWN_MS = 24 * 3_600_000;

/**
 * Whether a mail that was owed from `since` on and is about to leave `at` (UTC ms) may have left before its account's records
 * were put back, which made them forget it. False while the mail service knows the mail by its key: then it does not send it
 * twice.
 */
export async function mayHaveBeenMailed(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  accountId: number | null,
  { since, at }: { since: number; at: number },
): Promise<boolean> {
  if (at - since < KEY_KNOWN_MS) return false;
  const own = accountId === null ? null : await findRestoredAt(db, accountId);
  return since < restoredAtOf(settings, own);
}
