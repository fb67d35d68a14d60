import { findCollectionState } from '#worker/data/installments/collections';
import { findInvoice, type InvoiceRow } from '#worker/data/invoices/invoices';
import { markInvoiceReopened } from '#worker/data/refunds/reopened-invoices';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { beginNextCollection, collectionAfter } from '#worker/domain/installments/collection';
import { invoiceBalance, type PayableState, payableState } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';

export type ReopenInvoiceOutcome =
  /** `state`: the invoice's state for payers now; the CRM may still show it as paid. */
  | { kind: 'open'; collection: number; state: PayableState }
  | { kind: 'not-given-back' }
  | { kind: 'not-found' }
  | { kind: 'not-now' };

/**
 * Reopens an invoice whose payment was voided, refunded or returned. Its next payment belongs to the next collection,
 * because with the same dedupe key, the gateway would mistake it for the reversed one.
 */
export async function reopenInvoice(deps: Deps, merchant: Merchant, id: string): Promise<ReopenInvoiceOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return { kind: 'not-found' };
  if (!invoiceBalance(loaded.invoice).isReopenable) return { kind: 'not-given-back' };
  const row = await beginNextRound(deps, merchant, loaded.invoice);
  if (row === 'not-now') return { kind: row };
  if (!row) return { kind: 'not-found' };
  const { accountId, userId } = merchant;
  deps.log.info('collect-again', { accountId, userId, invoiceId: row.invoiceId, collection: row.collection });
  return { kind: 'open', collection: row.collection, state: payableState(row, deps.settings.MAX_AMOUNT_CENTS) };
}

/**
 * Moves the invoice to its next collection. `not-now`: one of its payments is pending, needs a person, or may still
 * appear.
 */
async function beginNextRound(
  deps: Deps,
  merchant: Merchant,
  { accountId, invoiceId, collection, localStatus, partBaseCents }: InvoiceRow,
): Promise<InvoiceRow | undefined | 'not-now'> {
  const eventPart = { action: 'invoice.reopened', after: { status: 'none' } } as const;
  if (partBaseCents !== null) {
    const previousState = await findCollectionState(deps.db, { accountId, invoiceId, collection }, deps.now());
    // The other parts stay paid, so only the remaining amount may be charged again.
    const next =
      previousState && collectionAfter(previousState, merchant, deps.now(), { maxParts: previousState.maxParts });
    if (!previousState || !(await beginNextCollection(deps, previousState, next, eventPart))) return 'not-now';
    return findInvoice(deps.db, accountId, invoiceId);
  }
  const event = auditEvent(deps, {
    accountId,
    action: eventPart.action,
    subject: ['invoice', invoiceId],
    before: { collection, status: localStatus },
    after: eventPart.after,
  });
  return (await markInvoiceReopened(deps.db, { accountId, invoiceId, collection }, deps.now(), event)) ?? 'not-now';
}
