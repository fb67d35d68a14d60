import { findLiveLink } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { replaceRevoked } from '#worker/domain/pay-links/pay-link';

/** Revokes the live link of an invoice and replaces it, as at the end of the time in which staff can take that back. */
export async function revokeLinkNow(deps: Deps, accountId: number, invoiceId: string) {
  const live = await findLiveLink(deps.db, accountId, invoiceId, deps.now());
  if (!live) throw new Error('there is no live link to revoke');
  return replaceRevoked(deps, live);
}
