import { type InvoiceRow, saveInvoice } from '#worker/data/invoices/invoices';
import type { Deps } from '#worker/deps';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { freezeIfChanged } from './changed-amount.ts';

/**
 * Save what the CRM says of an invoice at `readAt` (ms). One in parts, of which it shows another amount than it did, is
 * frozen, and the answer is whether it is. `kept`: the row as it was loaded, none where the invoice is new here.
 */
export async function noteAmount(
  deps: Deps,
  accountId: number,
  { kept, fresh, readAt }: { kept: InvoiceRow | null | undefined; fresh: CrmInvoice; readAt: number },
): Promise<boolean> {
  await saveInvoice(deps.db, accountId, fresh, readAt);
  if (!kept || kept.partBaseCents === null) return false;
  return freezeIfChanged(deps, kept, fresh);
}
