import { findTokens } from '../data/crm-tokens.ts';
import { saveInvoice } from '../data/invoices.ts';
import { extendLink, findLiveLink, replaceLink } from '../data/pay-links.ts';
import type { Deps } from '../deps.ts';
import { CrmError } from '../ports.ts';
import { withCrm } from './crm-access.ts';
import { linkEnd } from './pay-link.ts';

export type IssuedLink = { payId: string; endsAt: number };

/**
 * The live link of a hub's invoice, made anew where there is none or the old one has ended; issuing again moves its end.
 * Null: the hub has no such invoice. Throws CrmError.
 */
export async function issuePayLink(deps: Deps, hubId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now, settings } = deps;
  const tokens = await findTokens(db, hubId);
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const invoice = await withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, invoiceId));
  if (!invoice) return null;
  await saveInvoice(db, hubId, invoice, now());
  const endsAt = linkEnd(invoice.dueDate, now(), settings);
  const live = await findLiveLink(db, hubId, invoiceId, now());
  if (live) {
    await extendLink(db, live.payId, Math.max(live.endsAt, endsAt));
    return { payId: live.payId, endsAt: Math.max(live.endsAt, endsAt) };
  }
  const payId = deps.newCapability();
  await replaceLink(db, { payId, hubId, invoiceId, issuedAt: now(), endsAt }, 'ended');
  return { payId, endsAt };
}

/** Put an end to an invoice's link at once; a new one replaces it. Null: the hub has no such invoice. */
export async function revokePayLink(deps: Deps, hubId: number, invoiceId: string): Promise<IssuedLink | null> {
  const { db, now } = deps;
  const live = await findLiveLink(db, hubId, invoiceId, now());
  if (!live) return issuePayLink(deps, hubId, invoiceId);
  const payId = deps.newCapability();
  await replaceLink(db, { payId, hubId, invoiceId, issuedAt: now(), endsAt: live.endsAt }, 'revoked');
  return { payId, endsAt: live.endsAt };
}
