import { ONLINE_CURRENCY } from '#shared/money';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { CrmError } from '../ports/crm.ts';
import { extendedLink, type IssuedLink, issuePayLink, revokePayLink } from './issue-pay-link.ts';
import { lookAtOwn, type OwnInvoice, readOwn } from './own-invoice.ts';
import type { Merchant } from './session.ts';

export type LinkOutcome =
  | { kind: 'link'; link: IssuedLink }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' }
  | { kind: 'not-payable-online'; currency: string };

/** The link of a merchant's own invoice, to copy it; its days begin anew. */
export const giveLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, async (own) => {
    const invoice = await readOwn(deps, merchant, own);
    if (!invoice) return null;
    const { currency } = invoice;
    if (currency !== ONLINE_CURRENCY) return { kind: 'not-payable-online', currency };
    return extendedLink(deps, merchant.hubId, invoice);
  });

/** End the link of a merchant's own invoice at once and put another in its place. */
export const replaceOwnLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, ({ invoiceId }) => revokePayLink(deps, merchant.hubId, invoiceId));

/** The pay page of a merchant's own invoice; only where it has no live link is one made. */
export const findOwnLink = (deps: Deps, merchant: Merchant, id: string): Promise<LinkOutcome> =>
  linkOf(deps, merchant, id, async ({ link, invoiceId }) =>
    link && link.endsAt > deps.now() ? link : issuePayLink(deps, merchant.hubId, invoiceId),
  );

async function linkOf(
  deps: Deps,
  merchant: Merchant,
  id: string,
  make: (own: OwnInvoice) => Promise<IssuedLink | Exclude<LinkOutcome, { kind: 'link' }> | null>,
): Promise<LinkOutcome> {
  const own = await lookAtOwn(deps, merchant, id);
  if (!own) return { kind: 'not-found' };
  try {
    const link = await make(own);
    if (!link) return { kind: 'not-found' };
    return 'kind' in link ? link : { kind: 'link', link };
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    deps.log.info('crm-read-failed', { hubId: merchant.hubId, cause: causeOf(cause) });
    return { kind: 'crm-unavailable' };
  }
}
