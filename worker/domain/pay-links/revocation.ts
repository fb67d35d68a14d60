import { UNDO_MS } from '#shared/undo';
import { dropRevocation, findLiveLink, holdRevocation, listDueRevocations } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type IssuedLink, issued, issuePayLink, replaceRevoked } from './issue.ts';

/** Links of one turn of the clock; what is left is done by the next. */
const AT_ONCE = 50;

const eventOf = (
  deps: Deps,
  action: 'link.revocation-asked' | 'link.revocation-undone',
  accountId: number,
  invoiceId: string,
) => auditEvent(deps, { accountId, action, subject: ['invoice', invoiceId] });

/**
 * Ask for the end of an invoice's link: it works for UNDO_MS more, and is then replaced by the clinic's clock, whether or
 * not the screen that asked is still there. Asking again does not begin anew. Null: the account has no such invoice.
 * Throws CrmError.
 */
export async function askRevocation(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now } = deps;
  const live = await findLiveLink(db, accountId, invoiceId, now());
  if (!live) return issuePayLink(deps, accountId, invoiceId);
  const event = eventOf(deps, 'link.revocation-asked', accountId, invoiceId);
  const held = await holdRevocation(db, live.payId, now() + UNDO_MS, event);
  return held ? issued(held) : issuePayLink(deps, accountId, invoiceId);
}

/** Take that back. Null: it is too late, or nobody asked for it. */
export async function undoRevocation(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const event = eventOf(deps, 'link.revocation-undone', accountId, invoiceId);
  const kept = await dropRevocation(deps.db, accountId, invoiceId, deps.now(), event);
  return kept ? issued(kept) : null;
}

/** Replace the links whose time to be taken back is over. */
export async function carryOutRevocations(deps: Deps): Promise<void> {
  for (const link of await listDueRevocations(deps.db, deps.now(), AT_ONCE)) await replaceRevoked(deps, link);
}
