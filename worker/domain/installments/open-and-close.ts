import {
  findCollectionState,
  openParts as insertParts,
  readInstallmentSwitch,
  saveInstallmentSwitch,
} from '#worker/data/installments/collections';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { callCrm } from '#worker/domain/crm-sync/access';
import { invoiceBalance, type PayableState, payableState } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';
import { remainingOf } from '#worker/domain/payments/price';
import { beginNextCollection, collectionAfter } from './collection.ts';

/** The largest number of parts of an invoice. */
export const MAX_PARTS = 12;
const MIN_PART_CENTS = 1_000;

export type Terms = {
  /** The smallest part in cents; null: the larger of $10 and a tenth of the invoice. */
  minCents: number | null;
  /** The first part that the pay page offers. */
  deposit: { percent: number } | { cents: number } | null;
};

export type OpenPartsOutcome =
  | { kind: 'opened'; baseCents: number; minCents: number; depositCents: number | null }
  | { kind: 'not-payable'; state: PayableState }
  /**
   * `min`: the invoice is smaller than two of the smallest parts. `deposit`: the deposit, or the remainder after it, is
   * below the smallest part.
   */
  | { kind: 'bad-terms'; field: 'min' | 'deposit'; baseCents: number; minCents: number }
  /** `not-now`: it is being paid, was paid or opened in the meantime, or an earlier payment may still appear. */
  | { kind: 'not-found' | 'crm-unavailable' | 'off' | 'not-now' };

/**
 * Opens an invoice for payment in parts. Their total is the CRM's balance read in this request and never changes; later
 * balances are only compared with it.
 */
export async function openParts(deps: Deps, merchant: Merchant, id: string, terms: Terms): Promise<OpenPartsOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  if (!loaded.account?.takesParts) return { kind: 'off' };
  const crmInvoice = await callCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, loaded));
  if (crmInvoice === 'crm-unavailable') return { kind: crmInvoice };
  const storedInvoice = loaded.invoice ?? (await loadMerchantInvoice(deps, merchant, loaded.invoiceId))?.invoice;
  if (!crmInvoice || !storedInvoice) return { kind: 'not-found' };
  const state = payableState({ ...storedInvoice, ...crmInvoice }, deps.settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return { kind: 'not-payable', state };
  const baseCents = crmInvoice.balanceCents;
  if (baseCents === null) return { kind: 'not-payable', state: 'amount-unreadable' };

  const minCents = terms.minCents ?? Math.min(baseCents, Math.max(MIN_PART_CENTS, shareOf(baseCents, 10)));
  const depositCents = depositOf(terms, baseCents);
  const badTerms = (field: 'min' | 'deposit') => ({ kind: 'bad-terms', field, baseCents, minCents }) as const;
  if (minCents < 1 || 2 * minCents > baseCents) return badTerms('min');
  if (depositCents !== null && (depositCents < minCents || baseCents - depositCents < minCents))
    return badTerms('deposit');

  const { accountId, userId } = merchant;
  const row = {
    accountId,
    invoiceId: loaded.invoiceId,
    n: storedInvoice.collection,
    baseCents,
    minCents,
    depositCents,
    maxParts: MAX_PARTS,
    paidBeforeCents: 0,
    crmBalanceCents: baseCents,
    crmBilledCents: crmInvoice.billedCents,
    openedBy: userId,
    openedAt: deps.now(),
  };
  const event = auditEvent(deps, {
    accountId,
    action: 'parts.opened',
    subject: ['invoice', loaded.invoiceId],
    after: { collection: storedInvoice.collection, baseCents, minCents, depositCents },
  });
  if (!(await insertParts(deps.db, row, event))) return { kind: 'not-now' };
  deps.log.info('parts-opened', { accountId, userId, invoiceId: loaded.invoiceId });
  return { kind: 'opened', baseCents, minCents, depositCents };
}

/** A share, rounded half up. The remainder is computed as the base minus this share, so that both add up. */
const shareOf = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);

const depositOf = ({ deposit }: Terms, baseCents: number): number | null =>
  deposit === null ? null : 'cents' in deposit ? deposit.cents : shareOf(baseCents, deposit.percent);

/** `leftCents`: the amount that is now due in one payment. */
export type ClosePartsOutcome =
  | { kind: 'closed'; leftCents: number }
  /** `not-now`: a part is being paid, or a recent payment may still appear. */
  | { kind: 'not-found' | 'not-open' | 'not-now' };

/** Ends payment in parts. The remaining amount, or all of it if nothing was paid, is then due in one payment. */
export async function closeParts(deps: Deps, merchant: Merchant, id: string): Promise<ClosePartsOutcome> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded?.invoice) return { kind: 'not-found' };
  const collectionState = await findCollectionState(deps.db, loaded.invoice, deps.now());
  if (collectionState?.state !== 'open' || invoiceBalance(loaded.invoice).isSettledHere) return { kind: 'not-open' };
  const leftCents = remainingOf(collectionState);
  const isUntouched = collectionState.taken === 0 && collectionState.paidBeforeCents === 0;
  const isAsInCrm = collectionState.baseCents === collectionState.crmBalanceCents;
  const singlePayment = { minCents: leftCents, maxParts: 1 };
  const next = isUntouched && isAsInCrm ? null : collectionAfter(collectionState, merchant, deps.now(), singlePayment);
  const isDone = await beginNextCollection(deps, collectionState, next, { action: 'parts.closed' });
  if (!isDone) return { kind: 'not-now' };
  deps.log.info('parts-closed', {
    accountId: merchant.accountId,
    userId: merchant.userId,
    invoiceId: loaded.invoiceId,
  });
  return { kind: 'closed', leftCents };
}

/** Allows or forbids payment in parts for an account's invoices. Off by default. */
export async function switchParts(deps: Deps, { accountId, userId }: Merchant, isOn: boolean): Promise<void> {
  const event = auditEvent(deps, {
    accountId,
    action: 'parts.switched',
    subject: ['account', String(accountId)],
    after: { on: isOn },
  });
  await saveInstallmentSwitch(deps.db, accountId, isOn, event);
  deps.log.info('parts-switched', { accountId, userId, isOn });
}

export const findTakesParts = ({ db }: Deps, { accountId }: Merchant): Promise<boolean> =>
  readInstallmentSwitch(db, accountId);
