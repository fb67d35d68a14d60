import { UNDO_MS } from '#shared/limits';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { saveInvoice } from '#worker/data/invoices/invoices';
import {
  dropRevocation,
  extendLink,
  findLiveLink,
  holdRevocation,
  listDueRevocations,
  type PayLinkRow,
  replaceLink,
} from '#worker/data/pay-links/pay-links';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';
import { withCrm } from '#worker/domain/crm-sync/access';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';

export type LinkState = 'live' | 'ended' | 'revoked';

/** At the moment that staff were told, however late the clock that writes it down. */
export const isRevoked = ({ state, revokeAt }: Payable['link'], now: number): boolean =>
  state === 'revoked' || (state === 'live' && revokeAt !== null && revokeAt <= now);

export function linkState({ link }: Payable, now: number): LinkState {
  if (isRevoked(link, now)) return 'revoked';
  return link.state === 'live' && link.endsAt > now ? 'live' : 'ended';
}

/** End of a link (ms): PAY_LINK_DAYS after the later of the due date and its last issue or sending. */
export function linkEnd(dueDate: string | null, issuedAt: number, settings: Deps['settings']): number {
  const due = dueDate ? Date.parse(`${dueDate}T23:59:59Z`) : 0;
  return Math.max(due, issuedAt) + settings.PAY_LINK_DAYS * 86_400_000;
}

/** `revokeAt` (UTC ms): it is about to be revoked. */
export type IssuedLink = { payId: string; endsAt: number; revokeAt?: number };

export const issued = ({ payId, endsAt, revokeAt }: PayLinkRow): IssuedLink => ({
  payId,
  endsAt,
  ...(revokeAt === null ? {} : { revokeAt }),
});

/** An event about a link, by its invoice: the pay id is a capability and stays out of the trail. */
export const linkEvent = (
  deps: Acting,
  action: 'link.issued' | 'link.extended' | 'link.ended' | 'link.revoked',
  accountId: number,
  invoiceId: string,
  after?: { endsAt: number },
) => auditEvent(deps, { accountId, action, subject: ['invoice', invoiceId], ...(after && { after }) });

/** The events of a link and of the one that it takes the place of. */
const linkEvents = (
  deps: Acting,
  { accountId, invoiceId, endsAt }: { accountId: number; invoiceId: string; endsAt: number },
  closed: 'link.ended' | 'link.revoked',
) => ({
  closed: linkEvent(deps, closed, accountId, invoiceId),
  issued: linkEvent(deps, 'link.issued', accountId, invoiceId, { endsAt }),
});

/**
 * The live link of an account's invoice, or a new one where there is none or the old one has ended. Issuing again moves
 * its end. Null: the account has no such invoice. Throws CrmError.
 */
export async function issuePayLink(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now } = deps;
  const tokens = await findTokens(db, accountId);
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const invoice = await withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, invoiceId));
  if (!invoice) return null;
  await saveInvoice(db, accountId, invoice, now());
  return extendedLink(deps, accountId, invoice);
}

/** The live link of a synced invoice, its days begun anew. */
export async function extendedLink(
  deps: Deps,
  accountId: number,
  invoice: Pick<CrmInvoice, 'id' | 'dueDate'>,
): Promise<IssuedLink> {
  const link = await liveLink(deps, accountId, invoice);
  const endsAt = linkEnd(invoice.dueDate, deps.now(), deps.settings);
  const event = linkEvent(deps, 'link.extended', accountId, invoice.id, { endsAt });
  const extended = await extendLink(deps.db, link.payId, endsAt, event);
  return extended ? issued(extended) : link;
}

/** The live link of a synced invoice with its end unchanged, or a new one where there is none or it has ended. */
export async function liveLink(
  deps: Deps,
  accountId: number,
  { id: invoiceId, dueDate }: Pick<CrmInvoice, 'id' | 'dueDate'>,
): Promise<IssuedLink> {
  const { db, now, settings } = deps;
  const live = await findLiveLink(db, accountId, invoiceId, now());
  if (live && !isRevoked(live, now())) return issued(live);
  if (live) return replaceRevoked(deps, live);
  const at = now();
  const endsAt = linkEnd(dueDate, at, settings);
  const link = { payId: deps.newCapability(), accountId, invoiceId, issuedAt: at, endsAt };
  return issued(await replaceLink(db, link, { endedAt: at }, linkEvents(deps, link, 'link.ended')));
}

/** Revoke a link now and put another one with its days in its place; of several calls at once one does. */
export async function replaceRevoked(
  deps: Deps,
  { payId, accountId, invoiceId, endsAt }: PayLinkRow,
): Promise<IssuedLink> {
  const link = { payId: deps.newCapability(), accountId, invoiceId, issuedAt: deps.now(), endsAt };
  return issued(await replaceLink(deps.db, link, { revoked: payId }, linkEvents(deps, link, 'link.revoked')));
}

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
