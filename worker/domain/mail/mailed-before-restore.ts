import { findRestoredAt } from '#worker/data/reconciliation/restored';
import type { Deps } from '#worker/deps';

/** For so long (ms) the mail service knows a mail by its key, and sends it once. */
const KEY_KNOWN_MS = 24 * 3_600_000;

/**
 * Whether the receipt of money that moved at `movedAt` (UTC ms) and is learned of only now may have been mailed before: the
 * account's records were put back since, and with them what was mailed is forgotten. While the mail service knows the mail
 * by its key, it may be sent all the same.
 */
export async function wasPerhapsMailed(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  accountId: number,
  { movedAt, learnedAt }: { movedAt: number; learnedAt: number },
): Promise<boolean> {
  if (learnedAt - movedAt < KEY_KNOWN_MS) return false;
  const restoredAt = Math.max(settings.RESTORED_AT ?? 0, (await findRestoredAt(db, accountId)) ?? 0);
  return movedAt < restoredAt;
}
