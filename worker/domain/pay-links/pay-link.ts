import { UNDO_MS } from '#shared/limits';
import { addDays, startOfDay } from '#shared/text/local-day';
import { findTokens } from '#worker/data/crm-sync/tokens';
import { saveInvoice } from '#worker/data/invoices/invoices';
import {
  cancelRevocation,
  extendLink,
  findLiveLink,
  listDueRevocations,
  type PayLinkRow,
  replaceLink,
  scheduleRevocation,
} from '#worker/data/pay-links/pay-links';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { withCrm } from '#worker/domain/crm-sync/access';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';

export type LinkState = 'live' | 'ended' | 'revoked';

/** True from the time shown to staff, even if the schedule records the revocation later. */
export const isRevoked = ({ state, revokeAt }: Payable['link'], now: number): boolean =>
  state === 'revoked' || (state === 'live' && revokeAt !== null && revokeAt <= now);

export function linkState({ link }: Payable, now: number): LinkState {
  if (isRevoked(link, now)) return 'revoked';
  return link.state === 'live' && link.endsAt > now ? 'live' : 'ended';
}

/**
 * The end of a link (UTC ms): PAY_LINK_DAYS days after it was last issued or sent, or the end of the day that is
 * PAY_LINK_DAYS days after the due date in the account's time zone, whichever is later.
 */
export function linkEnd(
  dueDate: string | null,
  issuedAt: number,
  { PAY_LINK_DAYS }: Deps['settings'],
  timeZone: string,
): number {
  const due = dueDate ? startOfDay(addDays(dueDate, PAY_LINK_DAYS + 1), timeZone) - 1000 : 0;
  return Math.max(due, issuedAt + PAY_LINK_DAYS * 86_400_000);
}

/** `revokeAt` (UTC ms): when the link will be revoked. */
export type IssuedLink = { payId: string; endsAt: number; revokeAt?: number };

export const issuedLinkOf = ({ payId, endsAt, revokeAt }: PayLinkRow): IssuedLink => ({
  payId,
  endsAt,
  ...(revokeAt === null ? {} : { revokeAt }),
});

/** An event about a link. It names the invoice, because the pay id is a capability and must not be in the trail. */
export const linkEvent = (
  deps: AuditDeps,
  action: 'link.issued' | 'link.extended' | 'link.ended' | 'link.revoked',
  accountId: number,
  invoiceId: string,
  after?: { endsAt: number },
) => auditEvent(deps, { accountId, action, subject: ['invoice', invoiceId], ...(after && { after }) });

/** The events of a new link and of the one that it replaces. */
const linkEvents = (
  deps: AuditDeps,
  { accountId, invoiceId, endsAt }: { accountId: number; invoiceId: string; endsAt: number },
  endAction: 'link.ended' | 'link.revoked',
) => ({
  closed: linkEvent(deps, endAction, accountId, invoiceId),
  issued: linkEvent(deps, 'link.issued', accountId, invoiceId, { endsAt }),
});

/**
 * The live link of an account's invoice, with a new end; issues a new link if there is none or it has ended. Null if
 * the account has no such invoice. Throws CrmError.
 */
export async function issuePayLink(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now } = deps;
  const tokens = await findTokens(db, accountId);
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const invoice = await withCrm(deps, tokens, (token, timeZone) => deps.crm.getInvoice(token, invoiceId, { timeZone }));
  if (!invoice) return null;
  await saveInvoice(db, accountId, invoice, now());
  return issueExtendedLink(deps, { accountId, timeZone: tokens.timeZone }, invoice);
}

/** An account and its IANA zone. */
type ZonedAccount = { accountId: number; timeZone: string };

/** The live link of a synced invoice, with its validity period restarted. */
export async function issueExtendedLink(
  deps: Deps,
  account: ZonedAccount,
  invoice: Pick<CrmInvoice, 'id' | 'dueDate'>,
): Promise<IssuedLink> {
  const { accountId, timeZone } = account;
  const link = await findOrIssueLink(deps, account, invoice);
  const endsAt = linkEnd(invoice.dueDate, deps.now(), deps.settings, timeZone);
  const event = linkEvent(deps, 'link.extended', accountId, invoice.id, { endsAt });
  const extendedRow = await extendLink(deps.db, link.payId, endsAt, event);
  return extendedRow ? issuedLinkOf(extendedRow) : link;
}

/** The live link of a synced invoice, with its end unchanged; issues a new one if there is none or it has ended. */
export async function findOrIssueLink(
  deps: Deps,
  { accountId, timeZone }: ZonedAccount,
  { id: invoiceId, dueDate }: Pick<CrmInvoice, 'id' | 'dueDate'>,
): Promise<IssuedLink> {
  const { db, now, settings } = deps;
  const existingLink = await findLiveLink(db, accountId, invoiceId, now());
  if (existingLink && !isRevoked(existingLink, now())) return issuedLinkOf(existingLink);
  if (existingLink) return replaceRevokedLink(deps, existingLink);
  const at = now();
  const endsAt = linkEnd(dueDate, at, settings, timeZone);
  const link = { payId: deps.newCapability(), accountId, invoiceId, issuedAt: at, endsAt };
  return issuedLinkOf(await replaceLink(db, link, { endedAt: at }, linkEvents(deps, link, 'link.ended')));
}

/**
 * Revokes a link now and replaces it with a new one that has the same end. Of several concurrent calls, only one takes
 * effect.
 */
export async function replaceRevokedLink(
  deps: Deps,
  { payId, accountId, invoiceId, endsAt }: PayLinkRow,
): Promise<IssuedLink> {
  const link = { payId: deps.newCapability(), accountId, invoiceId, issuedAt: deps.now(), endsAt };
  return issuedLinkOf(await replaceLink(deps.db, link, { revoked: payId }, linkEvents(deps, link, 'link.revoked')));
}

/** The maximum number of links per run of the schedule; the next run handles the rest. */
const MAX_PER_RUN = 50;

const revocationEvent = (
  deps: Deps,
  action: 'link.revocation-asked' | 'link.revocation-undone',
  accountId: number,
  invoiceId: string,
) => auditEvent(deps, { accountId, action, subject: ['invoice', invoiceId] });

/**
 * Requests the revocation of an invoice's link. It works for another UNDO_MS and is then replaced by the clinic's
 * schedule, even if the requesting screen is closed. A repeated request does not restart that time. Null if the account
 * has no such invoice. Throws CrmError.
 */
export async function requestRevocation(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now } = deps;
  const liveLinkRow = await findLiveLink(db, accountId, invoiceId, now());
  if (!liveLinkRow) return issuePayLink(deps, accountId, invoiceId);
  const event = revocationEvent(deps, 'link.revocation-asked', accountId, invoiceId);
  const pendingLink = await scheduleRevocation(db, liveLinkRow.payId, now() + UNDO_MS, event);
  return pendingLink ? issuedLinkOf(pendingLink) : issuePayLink(deps, accountId, invoiceId);
}

/** Undoes a requested revocation. Null if it is too late, or there was no request. */
export async function undoRevocation(deps: Deps, accountId: number, invoiceId: string): Promise<IssuedLink | null> {
  const event = revocationEvent(deps, 'link.revocation-undone', accountId, invoiceId);
  const restoredLink = await cancelRevocation(deps.db, accountId, invoiceId, deps.now(), event);
  return restoredLink ? issuedLinkOf(restoredLink) : null;
}

/** Replaces the links whose time for undoing is over. */
export async function applyDueRevocations(deps: Deps): Promise<void> {
  for (const link of await listDueRevocations(deps.db, deps.now(), MAX_PER_RUN)) await replaceRevokedLink(deps, link);
}
