import { formatMoney } from '#shared/money';
import { receiptPath } from '#shared/paths';
import { findReceiptRows, type ReceiptRows } from '#worker/data/mail/receipts';
import { getSignature } from '#worker/data/preview/signatures';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';

/** A receipt as text: the page, its print and the mail show these same words. Null: the line is left out. */
export type Receipt = {
  business: string;
  businessAddress: string | null;
  businessPhone: string | null;
  date: string;
  amount: string;
  status: 'Paid' | 'Payment submitted' | 'Refunded' | 'Partly refunded' | 'Voided' | 'Returned';
  number: string;
  /** Whom the invoice named, where somebody else paid; null too where that was not kept. */
  billedTo: string | null;
  /** Who paid. Null once the payer's data has outlived its period. */
  customer: string | null;
  /** What `customer` is: who paid for somebody else, or both in one. */
  paidByLabel: 'Paid by' | 'Billed to and paid by';
  method: string;
  card: string;
  authCode: string | null;
  transactionId: string;
  result: string;
  fee: string | null;
  checkAddress: string;
  /** `givenBack` is the heading over the money that went back, `leftIs` the label of the rest. */
  givenBack: string;
  leftIs: string;
  left: string | null;
  refunds: { what: string; date: string; amount: string }[];
  hasSignature: boolean;
};

/** States with a receipt; an attempt in any other state has none. */
const WITH_RECEIPT = ['approved', 'pending', 'returned', 'voided', 'refunded'];

export const hasReceipt = ({ state }: { state: string }): boolean => WITH_RECEIPT.includes(state);

/** The receipt of a payment. Null: there is none. */
export async function readReceipt(deps: Deps, receiptId: string): Promise<Receipt | null> {
  return receiptFrom(await findReceiptRows(deps.db, receiptId), deps.settings.APP_URL);
}

/** The signature that was given with the payment, as PNG. Null: there is none. */
export async function readReceiptSignature(deps: Deps, receiptId: string): Promise<ReadableStream | null> {
  const rows = await findReceiptRows(deps.db, receiptId);
  if (!rows?.attempt.signatureKey || !hasReceipt(rows.attempt)) return null;
  return (await getSignature(deps.media, rows.attempt.signatureKey))?.body ?? null;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each time zone: that takes longer than all else that a receipt is made of. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone });
    formats.set(timeZone, format);
  }
  return format;
}

/** A payment as a receipt. Its sums come from the ledger; before its first entry, from the attempt. */
export function receiptFrom(rows: ReceiptRows | null, appUrl: string): Receipt | null {
  if (!rows || !hasReceipt(rows.attempt)) return null;
  const { attempt, account, merchant, entries } = rows;
  const money = (cents: number) => `${formatMoney(cents, attempt.currency)} ${attempt.currency}`;
  const day = (at: number) => dayFormat(account.timeZone).format(at);
  const paid = entries.filter(({ kind }) => kind === 'payment');
  const given = entries.filter(({ kind }) => kind !== 'payment');
  const paidCents = paid.length > 0 ? sum(paid) : attempt.amountCents;
  const leftCents = paidCents + sum(given);
  const status = statusOf(attempt.state, given, leftCents);
  return {
    business: businessName(account, merchant),
    businessAddress: account.address || null,
    businessPhone: account.phone || null,
    date: day(paid[0]?.at ?? attempt.createdAt),
    amount: money(paidCents),
    status,
    number: attempt.invoiceNumber,
    ...partiesOf(attempt),
    method: attempt.method === 'ach' ? 'Bank account' : 'Card',
    card: cardText(attempt),
    authCode: attempt.authCode || null,
    transactionId: attempt.providerTxnId ?? '',
    result: attempt.result,
    fee: attempt.feeCents ? money(attempt.feeCents) : null,
    checkAddress: `${appUrl}${receiptPath(attempt.receiptId)}`,
    ...wordsFor(status),
    left: given.length > 0 ? money(leftCents) : null,
    refunds: given.map(({ kind, at, amountCents }) => ({
      what: GIVEN[kind],
      date: day(at),
      amount: money(amountCents),
    })),
    hasSignature: attempt.signatureKey !== null,
  };
}

/** Who was billed and who paid, told apart where they differ. */
function partiesOf({ payerFirstName, payerLastName, billedTo }: ReceiptRows['attempt']) {
  const customer = `${payerFirstName} ${payerLastName}`.trim() || null;
  const isSame = billedTo !== '' && billedTo === customer;
  return {
    customer,
    billedTo: isSame ? null : billedTo || null,
    paidByLabel: isSame ? ('Billed to and paid by' as const) : ('Paid by' as const),
  };
}

const sum = (entries: { amountCents: number }[]) => entries.reduce((total, { amountCents }) => total + amountCents, 0);

function statusOf(state: string, given: ReceiptRows['entries'], leftCents: number): Receipt['status'] {
  if (state === 'pending') return 'Payment submitted';
  if (state === 'returned' || given.some(({ kind }) => kind === 'return')) return 'Returned';
  if (given.some(({ kind }) => kind === 'void')) return 'Voided';
  if (given.length === 0) return 'Paid';
  return leftCents > 0 ? 'Partly refunded' : 'Refunded';
}

const GIVEN = { payment: '', refund: 'Refund', void: 'Voided', return: 'Returned' } as const;

/** A voided payment was never charged, so its void is no refund. */
function wordsFor(status: Receipt['status']): Pick<Receipt, 'givenBack' | 'leftIs'> {
  if (status === 'Voided') return { givenBack: 'Void', leftIs: 'Charged' };
  if (status === 'Returned') return { givenBack: 'Return', leftIs: 'Paid' };
  return { givenBack: 'Refunds', leftIs: 'Paid after refunds' };
}

/** "VISA •••• 1111": brand and last four, never more of the number. */
export function cardText({ cardBrand, cardLastFour }: { cardBrand: string; cardLastFour: string }): string {
  return [cardBrand, cardLastFour && `•••• ${cardLastFour}`].filter(Boolean).join(' ');
}
