import { saveInvoice, withFreshCopy } from '../data/invoices.ts';
import type { Payable } from '../data/payments/load-payable.ts';
import type { Deps } from '../deps.ts';
import { causeOf } from '../log.ts';
import { CrmError } from '../ports/crm.ts';
import { readFresh } from './payments/price.ts';

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
