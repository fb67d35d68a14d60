import { findLiveLink } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { replaceRevokedLink } from '#worker/domain/pay-links/pay-link';

/** Revokes and replaces the live link of an invoice, as after the time in which staff can undo a revocation. */
export async function revokeLinkNow(deps: Deps, accountId: number, invoiceId: string) {
  const live = await findLiveLink(deps.db, accountId, invoiceId, deps.now());
  if (!live) throw new Error('the invoice has no live link to revoke');
  return replaceRevokedLink(deps, live);
}
