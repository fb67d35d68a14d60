import { markInvoiceReopened, REOPENABLE } from '#worker/data/refunds/reopened-invoices';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { type PayableState, payableState } from '#worker/domain/pay-links/link-state';

export type ReopenInvoiceOutcome =
  /** `state` is the invoice's state for payers now: the CRM may still call it paid. */
  { kind: 'open'; collection: number; state: PayableState } | { kind: 'not-given-back' } | { kind: 'not-found' };

/**
 * Reopen an invoice whose payment was voided, refunded or returned. Its payment is then the next collection: with the
 * same dedupe key, the gateway would take it for the one that was given back.
 */
export async function reopenInvoice(deps: Deps, merchant: Merchant, id: string): Promise<ReopenInvoiceOutcome> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own?.invoice) return { kind: 'not-found' };
  const { localStatus } = own.invoice;
  if (!REOPENABLE.some((word) => word === localStatus)) return { kind: 'not-given-back' };
  const { collection } = own.invoice;
  const event = auditEvent(deps, {
    accountId: merchant.accountId,
    action: 'invoice.reopened',
    subject: ['invoice', own.invoiceId],
    before: { collection, status: localStatus },
    after: { collection: collection + 1, status: 'none' },
  });
  const row = await markInvoiceReopened(deps.db, merchant.accountId, own.invoiceId, event);
  if (!row) return { kind: 'not-found' };
  const { accountId, userId } = merchant;
  deps.log.info('collect-again', { accountId, userId, invoiceId: row.invoiceId, collection: row.collection });
  return { kind: 'open', collection: row.collection, state: payableState(row, deps.settings.MAX_AMOUNT_CENTS) };
}
