import { ONLINE_CURRENCY } from '#shared/money';
import type { Deps } from '#worker/deps';
import { askCrm } from '#worker/domain/crm-sync/access';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { extendedLink, type IssuedLink, issuePayLink, revokePayLink } from './issue.ts';

export type LinkOutcome =
  | { kind: 'link'; link: IssuedLink }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' }
  | { kind: 'not-payable-online'; currency: string };

/** The link of a merchant's own invoice, for copying; its days begin anew. */
export const givePayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, async (own) => {
    const invoice = await readMerchantInvoice(deps, merchant, own);
    if (!invoice) return null;
    const { currency } = invoice;
    if (currency !== ONLINE_CURRENCY) return { kind: 'not-payable-online', currency };
    return extendedLink(deps, merchant.accountId, invoice);
  });

/** Revoke the link of a merchant's own invoice at once and replace it. */
export const replaceMerchantPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, ({ invoiceId }) => revokePayLink(deps, merchant.accountId, invoiceId));

/** The link to the pay page of a merchant's own invoice; a new one only where there is no live one. */
export const findMerchantPayLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, async ({ link, invoiceId }) =>
    link && link.endsAt > deps.now() ? link : issuePayLink(deps, merchant.accountId, invoiceId),
  );

async function linkOf(
  deps: Deps,
  merchant: Merchant,
  id: string,
  make: (own: MerchantInvoice) => Promise<IssuedLink | Exclude<LinkOutcome, { kind: 'link' }> | null>,
): Promise<LinkOutcome> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own) return { kind: 'not-found' };
  const link = await askCrm(deps, merchant.accountId, () => make(own));
  if (link === 'crm-unavailable') return { kind: link };
  if (!link) return { kind: 'not-found' };
  return 'kind' in link ? link : { kind: 'link', link };
}
