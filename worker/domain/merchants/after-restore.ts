import { findRestoredAt, isReadUpTo } from '#worker/data/reconciliation/cursors';
import type { Deps } from '#worker/deps';

/**
 * The time (UTC ms) at which an account's records were last restored, with all clinics or alone (`clinicRestoredAt`); 0
 * if never.
 */
export const restoredAtOf = (
  { RESTORED_AT }: Pick<Deps['settings'], 'RESTORED_AT'>,
  clinicRestoredAt: number | null,
): number => Math.max(RESTORED_AT ?? 0, clinicRestoredAt ?? 0);

/**
 * True if payments of an account are blocked because its database was restored to an older state. Payments of the lost
 * hours are missing in our records until the gateway's transactions up to the restore are read; until then, an invoice
 * that was paid in those hours could be charged again. `restoredAt`: when this clinic alone was restored (ms), if the
 * caller has already read it.
 */
export async function isCatchingUp(deps: Deps, accountId: number, restoredAt?: number | null): Promise<boolean> {
  const { db, settings } = deps;
  const clinicRestoredAt = restoredAt === undefined ? await readRestoredAt(deps, accountId) : restoredAt;
  const upTo = restoredAtOf(settings, clinicRestoredAt);
  if (upTo === 0) return false;
  return !(await isReadUpTo(db, accountId, upTo));
}

async function readRestoredAt({ db }: Deps, accountId: number): Promise<number | null> {
  return findRestoredAt(db, accountId);
}

/** The mail service recognizes an idempotency key for this long (ms). */
const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * True if an email queued at `since` and about to be sent `at` (UTC ms) may already have been sent before a restore
 * that lost the record of it. False while the mail service recognizes its key, since it then ignores the repeat.
 */
export async function mayHaveBeenMailed(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  accountId: number | null,
  { since, at }: { since: number; at: number },
): Promise<boolean> {
  if (at - since < KEY_LIFETIME_MS) return false;
  const clinicRestoredAt = accountId === null ? null : await findRestoredAt(db, accountId);
  return since < restoredAtOf(settings, clinicRestoredAt);
}
