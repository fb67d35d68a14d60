import { openParts as insertOpened } from '#worker/data/parts/collections';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { askCrm } from '#worker/domain/crm-sync/access';
import { type PayableState, payableState } from '#worker/domain/invoices/invoice-balance';
import { loadMerchantInvoice, readMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import type { Merchant } from '#worker/domain/merchants/session';

/** The most parts that an invoice is paid in. */
export const MOST_PARTS = 12;
const LEAST_CENTS = 1_000;

export type Terms = {
  /** The smallest part in cents; null: the larger of $10 and a tenth of the invoice. */
  minCents: number | null;
  /** What the pay page offers as the first part. */
  deposit: { percent: number } | { cents: number } | null;
};

export type OpenPartsOutcome =
  | { kind: 'opened'; baseCents: number; minCents: number; depositCents: number | null }
  | { kind: 'not-payable'; state: PayableState }
  /** `min`: no two parts of it fit into the invoice; `deposit`: it, or what it leaves, is less than a part. */
  | { kind: 'bad-terms'; field: 'min' | 'deposit'; baseCents: number; minCents: number }
  /** `not-now`: it is being paid, was paid or opened meanwhile, or a payment of today may still show up. */
  | { kind: 'not-found' | 'crm-unavailable' | 'off' | 'not-now' };

/**
 * Let an invoice be paid in parts. What they come to is the CRM's balance in this very request, and never changes after
 * it: later balances are only compared.
 */
export async function openParts(deps: Deps, merchant: Merchant, id: string, terms: Terms): Promise<OpenPartsOutcome> {
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own) return { kind: 'not-found' };
  if (!own.account?.takesParts) return { kind: 'off' };
  const fresh = await askCrm(deps, merchant.accountId, () => readMerchantInvoice(deps, merchant, own));
  if (fresh === 'crm-unavailable') return { kind: fresh };
  const kept = own.invoice ?? (await loadMerchantInvoice(deps, merchant, own.invoiceId))?.invoice;
  if (!fresh || !kept) return { kind: 'not-found' };
  const state = payableState({ ...kept, ...fresh }, deps.settings.MAX_AMOUNT_CENTS);
  if (state !== 'payable') return { kind: 'not-payable', state };
  const baseCents = fresh.balanceCents;
  if (baseCents === null) return { kind: 'not-payable', state: 'amount-unreadable' };

  const minCents = terms.minCents ?? Math.min(baseCents, Math.max(LEAST_CENTS, shareOf(baseCents, 10)));
  const depositCents = depositOf(terms, baseCents);
  const bad = (field: 'min' | 'deposit') => ({ kind: 'bad-terms', field, baseCents, minCents }) as const;
  if (minCents < 1 || 2 * minCents > baseCents) return bad('min');
  if (depositCents !== null && (depositCents < minCents || baseCents - depositCents < minCents)) return bad('deposit');

  const { accountId, userId } = merchant;
  const row = {
    ...{ accountId, invoiceId: own.invoiceId, n: kept.collection, baseCents, minCents, depositCents },
    ...{ maxParts: MOST_PARTS, paidBeforeCents: 0, crmBalanceCents: baseCents, crmBilledCents: fresh.billedCents },
    ...{ openedBy: userId, openedAt: deps.now() },
  };
  const event = auditEvent(deps, {
    accountId,
    action: 'parts.opened',
    subject: ['invoice', own.invoiceId],
    after: { collection: kept.collection, baseCents, minCents, depositCents },
  });
  if (!(await insertOpened(deps.db, row, event))) return { kind: 'not-now' };
  deps.log.info('parts-opened', { accountId, userId, invoiceId: own.invoiceId });
  return { kind: 'opened', baseCents, minCents, depositCents };
}

/** Rounded half up, once: what is left is the base less this, never a second share. */
const shareOf = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);

const depositOf = ({ deposit }: Terms, baseCents: number): number | null =>
  deposit === null ? null : 'cents' in deposit ? deposit.cents : shareOf(baseCents, deposit.percent);
