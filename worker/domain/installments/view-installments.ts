import type { InvoiceParts } from '#shared/contracts/payments/installments';
import { decimalFromCents as money } from '#shared/money';
import { type CollectionState, findCollectionState } from '#worker/data/installments/collections';
import type { Deps } from '#worker/deps';
import { callCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance } from '#worker/domain/invoices/invoice-balance';
import {
  loadMerchantInvoice,
  type MerchantInvoice,
  readMerchantInvoice,
} from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { rangeOf, remainingOf } from '#worker/domain/payments/price';
import { computeOwed, type OwedAmounts } from './decide-installments.ts';

const NO_PARTS = {
  state: 'whole',
  base: null,
  paid: '0.00',
  left: null,
  deposit: null,
  range: null,
  only: null,
} as const;

/** The state of an invoice's parts, for staff. Null if the account has no such invoice. */
export async function viewParts(deps: Deps, merchant: Merchant, id: string): Promise<InvoiceParts | null> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return null;
  const is_on = loaded.account?.takesParts ?? false;
  const collectionState =
    loaded.invoice.partBaseCents === null ? null : await findCollectionState(deps.db, loaded.invoice, deps.now());
  if (!collectionState || collectionState.state === 'closed' || invoiceBalance(loaded.invoice).isSettledHere)
    return { is_on, ...NO_PARTS, decision: null };
  const range = rangeOf(collectionState);
  return {
    is_on,
    state: collectionState.state,
    base: money(collectionState.paidBeforeCents + collectionState.baseCents),
    paid: money(collectionState.paidBeforeCents + collectionState.paidCents),
    left: money(remainingOf(collectionState)),
    deposit:
      collectionState.depositCents === null || collectionState.taken > 0 ? null : money(collectionState.depositCents),
    range: range && { least: money(range.minCents), most: money(range.maxCents) },
    only: collectionState.releasedCents === null ? null : money(collectionState.releasedCents),
    decision:
      collectionState.state === 'frozen' ? presentOwed(await readOwed(deps, merchant, loaded, collectionState)) : null,
  };
}

async function readOwed(
  deps: Deps,
  merchant: Merchant,
  loaded: MerchantInvoice,
  collectionState: CollectionState,
): Promise<OwedAmounts | null> {
  const crmInvoice = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  return crmInvoice === 'crm-unavailable' || !crmInvoice ? null : computeOwed(collectionState, crmInvoice);
}

const presentOwed = (owed: OwedAmounts | null) =>
  owed && {
    crm: money(owed.crmCents),
    ours: money(owed.oursCents),
    contains: money(owed.contains),
    lacks: money(owed.lacks),
  };
