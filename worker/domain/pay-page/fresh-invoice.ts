import { saveInvoice, withFreshCopy } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { readFresh } from '#worker/domain/payments/price';
import { causeOf } from '#worker/log';
import { CrmError } from '#worker/vendors/hubspot/port';

export type Details = { payable: Payable; isStale: boolean } | 'gone';

/** Details for showing: the copy in D1 while it is young, else the CRM's, else the old copy marked as stale. */
export async function readDetails(deps: Deps, payable: Payable): Promise<Details> {
  const { db, now, settings, log } = deps;
  if (now() - payable.invoice.readAt <= settings.SNAPSHOT_MS) return { payable, isStale: false };
  try {
    const fresh = await readFresh(deps, payable);
    if (!fresh) return 'gone';
    const readAt = now();
    await saveInvoice(db, payable.link.accountId, fresh, readAt);
    return { payable: { ...payable, invoice: withFreshCopy(payable.invoice, fresh, readAt) }, isStale: false };
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    log.info('crm-read-failed', { accountId: payable.link.accountId, cause: causeOf(cause) });
    return { payable, isStale: true };
  }
}
