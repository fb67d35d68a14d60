import { ONLINE_CURRENCY } from '#shared/money';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Attempt } from '#worker/data/schema/schema';

/** The actions that an invoice currently allows its payer. */
export type PayableState =
  | 'payable'
  | 'paid'
  | 'submitted'
  | 'not-payable-online'
  | 'nothing-to-pay'
  /** The CRM's amount is unreadable, so the balance is unknown, not zero. */
  | 'amount-unreadable';

/** The columns of an invoice's row that determine its balance, both ours, which a trigger updates, and the CRM's. */
export type BalanceFacts = Pick<InvoiceRow, 'localStatus' | 'status' | 'currency' | 'balanceCents'> &
  Partial<Pick<InvoiceRow, 'partBaseCents' | 'partPaidCents'>>;

export type InvoiceBalance = {
  /** The displayed status. Our status overrides the CRM's. */
  status: string;
  /** Cents still owed; null if the CRM's amount is unreadable. */
  owedCents: number | null;
  /** For an open invoice in installments: its total and the amount paid (cents); otherwise null. */
  installments: { baseCents: number; paidCents: number } | null;
  /** True if our own books determine the status: paid, pending at a bank, or refunded. The CRM is not queried. */
  isSettledHere: boolean;
  /** True if money was returned and staff may request it again; until then the invoice stays closed to payers. */
  isReopenable: boolean;
};

const REOPENABLE_STATUSES = new Set<InvoiceRow['localStatus']>(['refunded', 'voided', 'returned']);

/** True if an approved payment leaves its invoice open, as every installment but the last one does. */
export const acceptsMorePayments = ({
  localStatus,
  partBaseCents,
}: Pick<InvoiceRow, 'localStatus' | 'partBaseCents'>): boolean => localStatus === 'none' && partBaseCents !== null;

/** Computes the balance of an invoice. Every page, email, list and claim uses this single rule for owed amounts. */
export function invoiceBalance(invoice: BalanceFacts): InvoiceBalance {
  const { localStatus, status, balanceCents } = invoice;
  const isOpen = localStatus === 'none' && status === 'open';
  const baseCents = invoice.partBaseCents ?? null;
  const installments =
    isOpen && baseCents !== null ? { baseCents: baseCents, paidCents: invoice.partPaidCents ?? 0 } : null;
  const remainingCents = installments ? installments.baseCents - installments.paidCents : balanceCents;
  const owedCents = localStatus === 'paid' ? 0 : remainingCents;
  return {
    status: localStatus === 'none' ? status : localStatus,
    owedCents,
    installments,
    isSettledHere: localStatus !== 'none',
    // In installments, a refund after the last one leaves the invoice paid, and staff may request the amount again.
    isReopenable:
      REOPENABLE_STATUSES.has(localStatus) ||
      (localStatus === 'paid' && baseCents !== null && (invoice.partPaidCents ?? 0) < baseCents),
  };
}

/** Returns the payable state of an invoice. `maxCents`: the largest amount that is charged online. */
export function payableState(invoice: BalanceFacts, maxCents: number): PayableState {
  const { localStatus, status, currency } = invoice;
  if (localStatus === 'paid' || localStatus === 'submitted') return localStatus;
  // After a refund, void or return, an invoice stays closed until staff reopen it.
  if (localStatus !== 'none') return 'not-payable-online';
  if (status === 'paid') return 'paid';
  if (status !== 'open' || currency !== ONLINE_CURRENCY) return 'not-payable-online';
  const { owedCents } = invoiceBalance(invoice);
  if (owedCents === null) return 'amount-unreadable';
  if (owedCents > maxCents) return 'not-payable-online';
  return owedCents <= 0 ? 'nothing-to-pay' : 'payable';
}

/** A payment of the invoice, of any collection. `isBooked`: the ledger has, or had, an entry for it. */
export type PaymentFacts = Pick<
  Attempt,
  'collection' | 'state' | 'amountCents' | 'refundedCents' | 'owedAgainCents' | 'needsHumanFrom'
> & {
  isBooked: boolean;
};
/** The current collection, if it is in installments; amounts in cents, as in the table. */
export type CollectionFacts = { baseCents: number; paidBeforeCents: number; takenBeforeCents: number };

/** The columns derived from an invoice's payments. */
export type BalanceColumns = Pick<InvoiceRow, 'localStatus' | 'givenBackCents' | 'partBaseCents' | 'partPaidCents'>;

const sumOf = (payments: PaymentFacts[], cents: (payment: PaymentFacts) => number): number =>
  payments.reduce((sum, payment) => sum + cents(payment), 0);

/**
 * Derives an invoice's columns from its payments, oldest first. The view `invoice_labels` is the same rule in SQL, and
 * a trigger writes it on each change of a payment. Tests and the nightly comparison keep the two in sync.
 */
export function balanceColumns(
  collection: number,
  collectionFacts: CollectionFacts | null,
  payments: PaymentFacts[],
): BalanceColumns {
  const currentPayments = payments.filter((payment) => payment.collection === collection);
  const keptCents = sumOf(
    payments.filter(({ state }) => state === 'approved'),
    ({ amountCents, refundedCents }) => amountCents - refundedCents,
  );
  const givenBackCents = sumOf(currentPayments, ({ refundedCents }) => refundedCents);
  if (!collectionFacts) {
    const localStatus = fullPaymentStatus(currentPayments, payments, keptCents);
    return { localStatus, givenBackCents, partBaseCents: null, partPaidCents: 0 };
  }
  const { baseCents, paidBeforeCents, takenBeforeCents } = collectionFacts;
  const partBaseCents = paidBeforeCents + baseCents;
  return {
    localStatus: installmentsStatus(
      currentPayments,
      payments,
      keptCents >= partBaseCents,
      takenBeforeCents + baseCents,
    ),
    givenBackCents,
    partBaseCents,
    partPaidCents: keptCents,
  };
}

/** `isCovered`: the net payments reach the base. `expectedTotalCents`: the sum of all payments with the last one. */
function installmentsStatus(
  currentPayments: PaymentFacts[],
  payments: PaymentFacts[],
  isCovered: boolean,
  expectedTotalCents: number,
): BalanceColumns['localStatus'] {
  if (isCovered) return 'paid';
  // A void counts as if the payment had never been made, and so does the amount of a refund before the last
  // installment. Any other refund returns money that was taken.
  const takenPayments = payments.filter(({ state }) => state === 'approved' || state === 'refunded');
  if (sumOf(takenPayments, ({ amountCents, owedAgainCents }) => amountCents - owedAgainCents) < expectedTotalCents)
    return 'none';
  // Refunds of an earlier collection do not affect this one.
  if (currentPayments.some((payment) => payment.state === 'approved' && payment.amountCents > payment.refundedCents))
    return 'paid';
  return currentPayments.some(({ state }) => state === 'refunded') ? 'refunded' : 'none';
}

/** True for an accepted bank debit, even if it needs a manual decision. */
export const isSubmitted = ({ state, needsHumanFrom }: { state: string; needsHumanFrom: string }): boolean =>
  state === 'pending' || (state === 'needs_human' && needsHumanFrom === 'pending');

function fullPaymentStatus(
  current: PaymentFacts[],
  payments: PaymentFacts[],
  keptCents: number,
): BalanceColumns['localStatus'] {
  if (keptCents > 0) return 'paid';
  if (payments.some(isSubmitted)) return 'submitted';
  const reversedPayment = current.findLast(
    ({ state, isBooked }) => isBooked && REOPENABLE_STATUSES.has(state as never),
  );
  return (reversedPayment?.state as 'voided' | 'refunded' | 'returned' | undefined) ?? 'none';
}
