import { findTokens } from '#worker/data/crm-sync/tokens';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { extendLink, findLiveLink, type PayLinkRow, replaceLink } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';
import { withCrm } from '#worker/domain/crm-sync/access';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { isRevoked, linkEnd } from './link-state.ts';

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
