import type { InvoiceParts } from '#shared/contracts/payments/parts';
import { decimalFromCents as money } from '#shared/money';
import { type CollectionState, findCollectionState } from '#worker/data/parts/collections';
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
import { type Owed, owedBy } from './decide-parts.ts';

const WHOLE = { state: 'whole', base: null, paid: '0.00', left: null, deposit: null, range: null, only: null } as const;

/** The state of an invoice's parts, for staff. Null if the account has no such invoice. */
export async function viewParts(deps: Deps, merchant: Merchant, id: string): Promise<InvoiceParts | null> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return null;
  const is_on = loaded.account?.takesParts ?? false;
  const standing =
    loaded.invoice.partBaseCents === null ? null : await findCollectionState(deps.db, loaded.invoice, deps.now());
  if (!standing || standing.state === 'closed' || invoiceBalance(loaded.invoice).isSettledHere)
    return { is_on, ...WHOLE, decision: null };
  const range = rangeOf(standing);
  return {
    is_on,
    state: standing.state,
    base: money(standing.paidBeforeCents + standing.baseCents),
    paid: money(standing.paidBeforeCents + standing.paidCents),
    left: money(remainingOf(standing)),
    deposit: standing.depositCents === null || standing.taken > 0 ? null : money(standing.depositCents),
    range: range && { least: money(range.minCents), most: money(range.maxCents) },
    only: standing.releasedCents === null ? null : money(standing.releasedCents),
    decision: standing.state === 'frozen' ? presentOwed(await readOwed(deps, merchant, loaded, standing)) : null,
  };
}

async function readOwed(
  deps: Deps,
  merchant: Merchant,
  loaded: MerchantInvoice,
  standing: CollectionState,
): Promise<Owed | null> {
  const fresh = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  return fresh === 'crm-unavailable' || !fresh ? null : owedBy(standing, fresh);
}

const presentOwed = (owed: Owed | null) =>
  owed && {
    crm: money(owed.crmCents),
    ours: money(owed.oursCents),
    contains: money(owed.contains),
    lacks: money(owed.lacks),
  };
