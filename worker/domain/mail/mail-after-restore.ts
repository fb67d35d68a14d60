import { findRestoredAt } from '#worker/data/reconciliation/restored';
import type { Deps } from '#worker/deps';
import { restoredAtOf } from '#worker/domain/merchants/restored-at';

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
