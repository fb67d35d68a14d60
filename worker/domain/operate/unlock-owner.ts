import { findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { deleteSecondFactors } from '#worker/data/content/accounts/passkeys';
import type { Deps } from '#worker/deps';
import { factorEvent } from '#worker/domain/content/accounts/second-factor';

/**
 * Take the passkeys and recovery codes of a content account away, for a person who lost them all: they log in by their
 * password and make a new one. Its sessions end. False: there is no such account, or it has no passkey.
 */
export async function unlockContentAccount(deps: Deps, email: string): Promise<boolean> {
  const [account] = await findUsersByEmail(deps.installation, email);
  if (!account || account.status === 'decoy') return false;
  const event = factorEvent(deps, 'second-factor.removed', account.id);
  return deleteSecondFactors(deps.installation, account.id, deps.now(), event);
}
