import { findRestoredAt } from '#worker/data/reconciliation/restored';
import type { Deps } from '#worker/deps';
import { restoredAtOf } from '#worker/domain/merchants/restored-at';

/** For so long (ms) the mail service knows a mail by its key, and sends it once. */
const KEY_KNOWN_MS = 24 * 3_600_000;

/**
 * Whether the receipt of money that moved at `movedAt`, and of which our books learn at `learnedAt` (UTC ms), may have been
 * mailed before the account's records were put back, which made them forget it. False while the mail service knows the mail
 * by its key: then it does not send it twice.
 */
export async function mayHaveBeenMailed(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  accountId: number,
  { movedAt, learnedAt }: { movedAt: number; learnedAt: number },
): Promise<boolean> {
  if (learnedAt - movedAt < KEY_KNOWN_MS) return false;
  return movedAt < restoredAtOf(settings, await findRestoredAt(db, accountId));
}
