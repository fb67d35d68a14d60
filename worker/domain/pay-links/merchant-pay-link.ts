import { ONLINE_CURRENCY } from '#shared/money';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import {
  type IssuedLink,
  isRevoked,
  issuedLinkOf,
  issueExtendedLink,
  issuePayLink,
  requestRevocation,
  undoRevocation,
} from './pay-link.ts';

export type LinkOutcome =
  | { kind: 'link'; link: IssuedLink }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' }
  | { kind: 'not-payable-online'; currency: string };

/** `too-late`: the link is already revoked, or no revocation was requested. */
export type UndoOutcome = LinkOutcome | { kind: 'too-late' };

/** Returns the link of a merchant's own invoice for copying and restarts its validity period. */
export const extendMerchantPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  withMerchantInvoice(deps, merchant, id, async (loaded) => {
    const invoice = await readMerchantInvoice(deps, merchant, loaded);
    if (!invoice) return null;
    const { currency } = invoice;
    if (currency !== ONLINE_CURRENCY) return { kind: 'not-payable-online', currency };
    const timeZone = loaded.account?.timeZone ?? 'UTC';
    return issueExtendedLink(deps, { accountId: merchant.accountId, timeZone }, invoice);
  });

/** Requests that the link of a merchant's own invoice be revoked and replaced; this can be undone for a short time. */
export const revokeMerchantPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  withMerchantInvoice(deps, merchant, id, ({ invoiceId }) => requestRevocation(deps, merchant.accountId, invoiceId));

/** Undoes the requested revocation. */
export async function undoMerchantRevocation(deps: Deps, merchant: Merchant, id: string): Promise<UndoOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  const link = await undoRevocation(deps, merchant.accountId, loaded.invoiceId);
  return link ? { kind: 'link', link } : { kind: 'too-late' };
}

/** The link to the pay page of a merchant's own invoice. Issues a new one only if there is no live one. */
export const findMerchantPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  withMerchantInvoice(deps, merchant, id, async ({ link, invoiceId }) =>
    link && link.endsAt > deps.now() && !isRevoked(link, deps.now())
      ? issuedLinkOf(link)
      : issuePayLink(deps, merchant.accountId, invoiceId),
  );

async function withMerchantInvoice(
  deps: Deps,
  merchant: Merchant,
  id: string,
  findOrIssue: (loaded: MerchantInvoice) => Promise<IssuedLink | Exclude<LinkOutcome, { kind: 'link' }> | null>,
): Promise<LinkOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  const link = await callCrm(deps, merchant.accountId, () => findOrIssue(loaded));
  if (link === 'crm-unavailable') return { kind: link };
  if (!link) return { kind: 'not-found' };
  return 'kind' in link ? link : { kind: 'link', link };
}
