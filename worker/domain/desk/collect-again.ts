import { GIVEN_BACK, openCollection } from '../../data/collections.ts';
import type { Deps } from '../../deps.ts';
import { lookAtOwn } from '../own-invoice.ts';
import { type PayableState, payableState } from '../pay-link.ts';
import type { Merchant } from '../session.ts';

export type CollectAgainOutcome =
  /** `state` is what payers find now: the CRM may still call the invoice paid. */
  { kind: 'open'; collection: number; state: PayableState } | { kind: 'not-given-back' } | { kind: 'not-found' };

/**
 * Open an invoice to payers again whose payment was voided, refunded or returned. The payment that is collected now is the
 * next one: the gateway would take one of the same number for the one that was given back.
 */
export async function collectAgain(deps: Deps, merchant: Merchant, id: string): Promise<CollectAgainOutcome> {
  const own = await lookAtOwn(deps, merchant, id);
  if (!own?.invoice) return { kind: 'not-found' };
  const { overlay } = own.invoice;
  if (!GIVEN_BACK.some((word) => word === overlay)) return { kind: 'not-given-back' };
  const row = await openCollection(deps.db, merchant.hubId, own.invoiceId);
  if (!row) return { kind: 'not-found' };
  const { hubId, userId } = merchant;
  deps.log.info('collect-again', { hubId, userId, invoiceId: row.invoiceId, collection: row.collection });
  return { kind: 'open', collection: row.collection, state: payableState(row, deps.settings.MAX_AMOUNT_CENTS) };
}
