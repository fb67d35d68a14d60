import type { InvoiceReminders } from '#shared/contracts/reminders';
import { excludeInvoice, readReminderFacts } from '#worker/data/reminders/invoice';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';

/** What reminders mean for a merchant's own invoice. Null: it is not here. */
export async function viewInvoiceReminders(deps: Deps, you: Merchant, id: string): Promise<InvoiceReminders | null> {
  const own = await loadMerchantInvoice(deps, you, id);
  if (!own?.invoice) return null;
  const { isOn, isExcluded, stoppedAt, lastDay } = await readReminderFacts(deps.db, you.accountId, own.invoiceId);
  return {
    is_on: isOn === 1,
    is_excluded: isExcluded === 1,
    stopped_at: stoppedAt === null ? null : new Date(stoppedAt).toISOString(),
    last_day: lastDay,
  };
}

/** Leave an invoice out of reminders, or take it in again. Null: it is not here. */
export async function setExcluded(
  deps: Deps,
  you: Merchant,
  id: string,
  isExcluded: boolean,
): Promise<InvoiceReminders | null> {
  const own = await loadMerchantInvoice(deps, you, id);
  if (!own?.invoice) return null;
  const { accountId, userId: by } = you;
  const { invoiceId } = own;
  const event = auditEvent(deps, {
    accountId,
    action: 'reminders.excluded',
    subject: ['invoice', invoiceId],
    after: { excluded: isExcluded },
  });
  await excludeInvoice(deps.db, { accountId, invoiceId, isExcluded, by }, deps.now(), event);
  return viewInvoiceReminders(deps, you, id);
}
