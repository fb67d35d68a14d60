import { fill, type WordsOf } from '#shared/words/bilingual';
import type { receiptWords } from '#shared/words/bill-and-receipt-words';
import { dateIn, moneyIn } from '#shared/words/formats';
import type { Language } from '#shared/words/language';
import type { ReceiptPart, ReceiptRows } from '#worker/data/mail/receipts';

/** The outcome of a payment that has a receipt. */
export type ReceiptState = 'paid' | 'submitted' | 'refunded' | 'partlyRefunded' | 'voided' | 'returned';

type Outcome = Pick<ReceiptRows, 'part'> & {
  state: ReceiptState;
  paidCents: number;
  /** Refunds, voids and returns, oldest first; amounts are negative. */
  reversals: ReceiptRows['entries'];
};
type Format = {
  language: Language;
  words: WordsOf<typeof receiptWords>;
  currency: string;
  formatDay: (at: number) => string;
};

/** One sentence on the outcome of a payment. If money was returned, only that is described, even for an installment. */
export function describeOutcome({ state, paidCents, reversals, part }: Outcome, format: Format): string | null {
  const { language, words, currency, formatDay } = format;
  const money = (cents: number) => moneyIn(language, cents, currency);
  const date = formatDay(reversals.at(-1)?.at ?? 0);
  const reversedCents = reversals.reduce((total, { amountCents }) => total + amountCents, 0);
  const isOnlyReversal = reversals.length === 1;
  switch (state) {
    case 'partlyRefunded': {
      const keptAmount = money(paidCents + reversedCents);
      return [
        fill(isOnlyReversal ? words.refundedAmountOn : words.refundedAmountLastOn, {
          back: money(-reversedCents),
          d: date,
        }),
        fill(part ? words.paidOfPart : words.paidInTotal, { kept: keptAmount }),
      ].join(' ');
    }
    case 'refunded':
      return fill(isOnlyReversal ? words.allRefundedOn : words.allRefundedLastOn, { d: date });
    case 'voided':
      return words.wasCancelled;
    case 'returned':
      return words.wasReturned;
    case 'paid':
      return part ? describePart(part, paidCents, format) : null;
    case 'submitted':
      return null;
  }
}

function describePart(
  { baseCents, paidCents, dueDate, isOpen }: ReceiptPart,
  amountCents: number,
  { language, words, currency }: Format,
): string {
  const money = (cents: number) => moneyIn(language, cents, currency);
  const [amount, paid, base] = [money(amountCents), money(paidCents), money(baseCents)];
  const isFirstPayment = amountCents === paidCents;
  const paidSentence = isFirstPayment
    ? fill(words.paidPart, { amount, base })
    : fill(words.paidLater, { amount, paid, base });
  if (baseCents <= paidCents || !isOpen) return paidSentence;
  const leftAmount = money(baseCents - paidCents);
  const remainder = dueDate
    ? fill(words.isLeftDue, { left: leftAmount, d: dateIn(language, dueDate) })
    : fill(words.isLeft, { left: leftAmount });
  return `${paidSentence} ${remainder}`;
}

type Entry = ReceiptRows['entries'][number];
export type Reversal = Entry & { kind: 'refund' | 'void' | 'return' };

const isReversal = (entry: Entry): entry is Reversal => entry.kind !== 'payment';

/**
 * The refunds, voids and returns of a payment. A refund that was later corrected, for example voided, has its current
 * amount.
 */
export function reversalsOf(entries: Entry[]): Reversal[] {
  const reversals = entries.filter(isReversal);
  const corrects = (entry: Reversal, refund: Reversal) =>
    entry.kind === 'refund' && refund.kind === 'refund' && entry.providerTxnId.startsWith(`${refund.providerTxnId}-`);
  return reversals
    .filter((entry) => !reversals.some((refund) => corrects(entry, refund)))
    .map((refund) => {
      const corrections = reversals.filter((entry) => corrects(entry, refund));
      return {
        ...refund,
        amountCents: corrections.reduce((sum, { amountCents }) => sum + amountCents, refund.amountCents),
      };
    })
    .filter(({ amountCents }) => amountCents !== 0);
}
