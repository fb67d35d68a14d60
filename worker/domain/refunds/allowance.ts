import { may } from '#shared/contracts/team-values';
import { findAllowance, type ReversalLimit } from '#worker/data/refunds/allowance';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';

const DAY_MS = 86_400_000;

/** What holds a manager to the account's amount for 24 hours, also in the claim: they may press twice at once. */
export const limitOf = (deps: Deps, { role, accountId, userId }: Merchant): ReversalLimit | null =>
  may(role, 'refund-any-amount') ? null : { accountId, userId, since: deps.now() - DAY_MS };

/**
 * Cents that a person may give back now: an administrator any sum, a manager what is left of the account's amount, others
 * nothing. What the card provider refused does not count.
 */
export async function allowanceOf(deps: Deps, merchant: Merchant): Promise<number> {
  const limit = limitOf(deps, merchant);
  if (limit === null) return Number.POSITIVE_INFINITY;
  return may(merchant.role, 'refund') ? findAllowance(deps.db, limit) : 0;
}
