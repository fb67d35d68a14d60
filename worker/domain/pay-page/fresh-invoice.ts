import { linesReadAt } from '#worker/data/invoices/bill-lines';
import { withFreshCopy } from '#worker/data/invoices/invoices';
import type { Payable } from '#worker/data/payments/load-payable';
import type { Deps } from '#worker/deps';
import { askCrm } from '#worker/domain/crm-sync/access';
import { noteAmount } from '#worker/domain/invoices/note-amount';
import { readFresh } from '#worker/domain/payments/price';
import { causeOf } from '#worker/log';

export type Details = { payable: Payable; isStale: boolean } | 'gone';

/** Details for showing: the stored invoice while it is young, else the CRM's, else the stored one marked as stale. */
export async function readDetails(deps: Deps, payable: Payable): Promise<Details> {
  const { log, now, settings } = deps;
  const { invoice, account } = payable;
  // The CRM sync reads no lines.
  const copiedAt = account.showsLines ? linesReadAt(invoice.billLines) : invoice.readAt;
  if (now() - copiedAt <= settings.SNAPSHOT_MS) return { payable, isStale: false };
  const { accountId } = payable.link;
  const fresh = await askCrm(deps, accountId, () => readFresh(deps, payable));
  if (fresh === 'crm-unavailable') return { payable, isStale: true };
  if (!fresh) return 'gone';
  const readAt = now();
  // The page shows what the CRM said, whether or not the copy can be kept.
  await noteAmount(deps, accountId, { kept: invoice, fresh, readAt }).catch((cause: unknown) =>
    log.info('invoice-not-kept', { accountId, cause: causeOf(cause) }),
  );
  return { payable: { ...payable, invoice: withFreshCopy(payable.invoice, fresh, readAt) }, isStale: false };
}
