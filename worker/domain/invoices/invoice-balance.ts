import { ONLINE_CURRENCY } from '#shared/money';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Attempt } from '#worker/data/schema/schema';

/** What a payer may do with an invoice now. */
export type PayableState =
  | 'payable'
  | 'paid'
  | 'submitted'
  | 'not-payable-online'
  | 'nothing-to-pay'
  /** The CRM names no amount that can be read: what is owed is unknown, and not zero. */
  | 'amount-unreadable';

/** The columns of an invoice's row that say how its money stands: ours, which a trigger keeps, and the CRM's. */
export type BalanceFacts = Pick<InvoiceRow, 'localStatus' | 'status' | 'currency' | 'balanceCents'> &
  Partial<Pick<InvoiceRow, 'partBaseCents' | 'partPaidCents'>>;

export type InvoiceBalance = {
  /** The status that people read: ours goes before the CRM's. */
  status: string;
  /** Cents that are still owed; null: the CRM names no amount that can be read. */
  owedCents: number | null;
  /** Of an invoice in installments that is open: what it comes to and what of that is paid (cents); null: none of these. */
  installments: { baseCents: number; paidCents: number } | null;
  /** Our own books say how it stands: paid, being paid by a bank, or given back. The CRM is not asked. */
  isSettledHere: boolean;
  /** Money went back, and staff may ask for it again; until then the invoice stays closed to payers. */
  isReopenable: boolean;
};

const REOPENABLE = new Set<InvoiceRow['localStatus']>(['refunded', 'voided', 'returned']);

/** Whether an approved payment leaves its invoice open: one in installments, until the last of them. */
export const takesMore = ({ localStatus, partBaseCents }: Pick<InvoiceRow, 'localStatus' | 'partBaseCents'>): boolean =>
  localStatus === 'none' && partBaseCents !== null;

/** How an invoice stands: the one rule of what is owed and what is paid, for every page, mail, list and claim. */
export function invoiceBalance(invoice: BalanceFacts): InvoiceBalance {
  const { localStatus, status, balanceCents } = invoice;
  const isOpen = localStatus === 'none' && status === 'open';
  const base = invoice.partBaseCents ?? null;
  const installments = isOpen && base !== null ? { baseCents: base, paidCents: invoice.partPaidCents ?? 0 } : null;
  const left = installments ? installments.baseCents - installments.paidCents : balanceCents;
  const owedCents = localStatus === 'paid' ? 0 : left;
  return {
    status: localStatus === 'none' ? status : localStatus,
    owedCents,
    installments,
    isSettledHere: localStatus !== 'none',
    // In installments, money that went back after the last one leaves it paid: staff may ask for it again.
    isReopenable:
      REOPENABLE.has(localStatus) || (localStatus === 'paid' && base !== null && (invoice.partPaidCents ?? 0) < base),
  };
}

/** What a payer may do with an invoice now. `maxCents`: the largest amount that is charged online. */
export function payableState(invoice: BalanceFacts, maxCents: number): PayableState {
  const { localStatus, status, currency } = invoice;
  if (localStatus === 'paid' || localStatus === 'submitted') return localStatus;
  // After its money went back, an invoice stays closed until staff reopen it.
  if (localStatus !== 'none') return 'not-payable-online';
  if (status === 'paid') return 'paid';
  if (status !== 'open' || currency !== ONLINE_CURRENCY) return 'not-payable-online';
  const { owedCents } = invoiceBalance(invoice);
  if (owedCents === null) return 'amount-unreadable';
  if (owedCents > maxCents) return 'not-payable-online';
  return owedCents <= 0 ? 'nothing-to-pay' : 'payable';
}

/** A payment of the invoice, of any collection. `isBooked`: the ledger has, or had, its money. */
export type PaymentFacts = Pick<
  Attempt,
  'collection' | 'state' | 'amountCents' | 'refundedCents' | 'owedAgainCents' | 'needsHumanFrom'
> & {
  isBooked: boolean;
};
/** The present collection, where it is in installments; cents, as in the table. */
export type CollectionFacts = { baseCents: number; paidBeforeCents: number; takenBeforeCents: number };

/** The columns that follow from an invoice's payments. */
export type BalanceColumns = Pick<InvoiceRow, 'localStatus' | 'givenBackCents' | 'partBaseCents' | 'partPaidCents'>;

const sumOf = (payments: PaymentFacts[], cents: (payment: PaymentFacts) => number): number =>
  payments.reduce((sum, payment) => sum + cents(payment), 0);

/**
 * The columns of an invoice that follow from its payments, oldest first. The view `invoice_labels` is the same rule in SQL,
 * and a trigger writes it with each move of a payment; tests and the nightly comparison hold the two together.
 */
export function balanceColumns(
  collection: number,
  inInstallments: CollectionFacts | null,
  payments: PaymentFacts[],
): BalanceColumns {
  const present = payments.filter((payment) => payment.collection === collection);
  const keptCents = sumOf(
    payments.filter(({ state }) => state === 'approved'),
    ({ amountCents, refundedCents }) => amountCents - refundedCents,
  );
  const givenBackCents = sumOf(present, ({ refundedCents }) => refundedCents);
  if (!inInstallments) {
    const localStatus = wholeStatus(present, payments, keptCents);
    return { localStatus, givenBackCents, partBaseCents: null, partPaidCents: 0 };
  }
  const { baseCents, paidBeforeCents, takenBeforeCents } = inInstallments;
  const partBaseCents = paidBeforeCents + baseCents;
  return {
    localStatus: installmentsStatus(present, payments, keptCents >= partBaseCents, takenBeforeCents + baseCents),
    ...{ givenBackCents, partBaseCents, partPaidCents: keptCents },
  };
}

/** `isCovered`: what is kept comes to the base. `toTakeCents`: what all payments come to once the last one is made. */
function installmentsStatus(
  present: PaymentFacts[],
  payments: PaymentFacts[],
  isCovered: boolean,
  toTakeCents: number,
): BalanceColumns['localStatus'] {
  if (isCovered) return 'paid';
  // A void takes a payment back as if it had never been made, and a refund before the last one what it gives back. Any other
  // refund gives back money that was taken.
  const taken = payments.filter(({ state }) => state === 'approved' || state === 'refunded');
  if (sumOf(taken, ({ amountCents, owedAgainCents }) => amountCents - owedAgainCents) < toTakeCents) return 'none';
  // What went back of an earlier collection says nothing of this one.
  if (present.some((one) => one.state === 'approved' && one.amountCents > one.refundedCents)) return 'paid';
  return present.some(({ state }) => state === 'refunded') ? 'refunded' : 'none';
}

/** A bank debit that was accepted, also while a person looks for it. */
export const isSubmitted = ({ state, needsHumanFrom }: { state: string; needsHumanFrom: string }): boolean =>
  state === 'pending' || (state === 'needs_human' && needsHumanFrom === 'pending');

function wholeStatus(
  present: PaymentFacts[],
  payments: PaymentFacts[],
  keptCents: number,
): BalanceColumns['localStatus'] {
  if (keptCents > 0) return 'paid';
  if (payments.some(isSubmitted)) return 'submitted';
  const ended = present.findLast(({ state, isBooked }) => isBooked && REOPENABLE.has(state as never));
  return (ended?.state as 'voided' | 'refunded' | 'returned' | undefined) ?? 'none';
}
