import { saveInvoice, withFreshCopy } from '../data/invoices.ts';
import type { Payable } from '../data/look-at-link.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { CrmError, type CrmInvoice } from '../ports/crm.ts';
import { withCrm } from './crm-access.ts';

/** Read an invoice from the CRM now. Null: the CRM has it no longer. Throws CrmError. */
export function readFresh(deps: Deps, payable: Payable): Promise<CrmInvoice | null> {
  const { tokens, link } = payable;
  if (!tokens) throw new CrmError('revoked', 'no connection to the CRM');
  return withCrm(deps, tokens, (token) => deps.crm.getInvoice(token, link.invoiceId));
}

export type Details = { payable: Payable; isStale: boolean } | 'gone';

/** Details for showing: the copy in D1 while it is young, else the CRM's, else the old copy marked as stale. */
export async function readDetails(deps: Deps, payable: Payable): Promise<Details> {
  const { db, now, settings, log } = deps;
  if (now() - payable.invoice.readAt <= settings.SNAPSHOT_MS) return { payable, isStale: false };
  try {
    const fresh = await readFresh(deps, payable);
    if (!fresh) return 'gone';
    const readAt = now();
    await saveInvoice(db, payable.link.hubId, fresh, readAt);
    return { payable: { ...payable, invoice: withFreshCopy(payable.invoice, fresh, readAt) }, isStale: false };
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    log.info('crm-read-failed', { hubId: payable.link.hubId, cause: causeOf(cause) });
    return { payable, isStale: true };
  }
}
