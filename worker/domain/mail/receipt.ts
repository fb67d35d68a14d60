import type { Wallet } from '#shared/contracts/payments/wallet-values';
import { billLineLimits } from '#shared/limits';
import { receiptPath } from '#shared/paths';
import { formatBill } from '#shared/text/pay-page-fill';
import { walletName } from '#shared/text/wallet-name';
import { fill, type WordsOf, wordsIn } from '#shared/words/bilingual';
import { billWords, receiptWords, resultIn } from '#shared/words/bill-and-receipt-words';
import { dateIn, dayIn, momentIn, moneyIn } from '#shared/words/formats';
import { type Language, withNonDefaultLanguage } from '#shared/words/language';
import { billLinesOf } from '#worker/data/invoices/invoices';
import { findReceiptRows, type ReceiptRows } from '#worker/data/mail/receipts';
import { getSignature } from '#worker/data/preview/signatures';
import type { Deps } from '#worker/deps';
import { isSubmitted } from '#worker/domain/invoices/invoice-balance';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { UNREADABLE_FEE } from '#worker/vendors/gateway-port';
import { oneLine } from './letter.ts';
import { describeOutcome, type ReceiptState, reversalsOf } from './receipt-sentence.ts';

/** "VISA •••• 1111": the brand and the last four digits, never more of the card number. */
export function cardText({ cardBrand, cardLastFour }: { cardBrand: string; cardLastFour: string }): string {
  return [cardBrand, cardLastFour && `•••• ${cardLastFour}`].filter(Boolean).join(' ');
}

/** "Apple Pay, VISA •••• 1111": the wallet, if any, and the card. Empty if neither is known. */
export const paidWithText = (attempt: Parameters<typeof cardText>[0] & { wallet: Wallet | '' }): string =>
  [walletName(attempt.wallet), cardText(attempt)].filter(Boolean).join(', ');

/** A receipt as text: page, print and email show the same text. Null fields are omitted. */
export type Receipt = {
  language: Language;
  business: string;
  businessAddress: string | null;
  businessPhone: string | null;
  /** Day and time at the business. */
  date: string;
  /** The label of `amount`, which tells whether it was paid. */
  amountLabel: string;
  amount: string;
  state: ReceiptState;
  status: string;
  /** The outcome of the payment: returned amounts, or the amount left after an installment. */
  said: string | null;
  /** Null if the invoice has no number in the CRM. */
  number: string | null;
  /** The billed person, if another person paid; null also if the billed person was not stored. */
  billedTo: string | null;
  /** The payer. Null once the payer's data has passed its retention period. */
  customer: string | null;
  /** The label of `customer`, which tells whether the payer was also the billed person. */
  paidByLabel: string;
  /** The number of the installment. */
  part: string | null;
  /** "Card", "Bank account", or the wallet that held the card. */
  method: string;
  card: string;
  /** The label of `card`: a card or a bank account. */
  cardLabel: string;
  authCode: string | null;
  transactionId: string;
  /** Null for a bank payment that has not arrived: it is not approved yet, regardless of the provider's status. */
  result: string | null;
  /** Exactly one is set: the fee reported by the provider, or a note that there is none or that it cannot be read. */
  fee: string | null;
  feeNote: string | null;
  questions: string | null;
  checkAddress: string;
  /** "Paid Mar 4, 2026, VISA •••• 1111" */
  paidHow: string;
  /** Returned amounts, each with `detail`, which may be empty. */
  refunds: { what: string; detail: string; amount: string }[];
  /** `leftIs`: the label of `left`, the remaining amount. */
  leftIs: string;
  left: string | null;
  hasSignature: boolean;
  /** The line items, if the business shows them or sent them with this receipt. */
  lines: ReturnType<typeof formatBill> | null;
};

/** States with a receipt, besides a submitted bank debit; an attempt in any other state has none. */
const STATES_WITH_RECEIPT = ['approved', 'returned', 'voided', 'refunded'];

export const hasReceipt = (attempt: Pick<ReceiptRows['attempt'], 'state' | 'needsHumanFrom'>): boolean =>
  isSubmitted(attempt) || STATES_WITH_RECEIPT.includes(attempt.state);

type Words = WordsOf<typeof receiptWords>;
/** Chooses the language; defaults to the account's. */
export type LanguageOf = (account: Pick<ReceiptRows['account'], 'payerLanguage'>) => Language;

const accountLanguage: LanguageOf = ({ payerLanguage }) => payerLanguage;

/** The receipt of a payment. Null if there is none. */
export async function readReceipt(
  deps: Deps,
  receiptId: string,
  languageOf: LanguageOf = accountLanguage,
): Promise<Receipt | null> {
  const rows = await findReceiptRows(deps.db, receiptId);
  return rows && receiptFrom(rows, deps.settings.APP_URL, { language: languageOf(rows.account), now: deps.now() });
}

/** The payer's signature for the payment, as PNG. Null if there is none. */
export async function readReceiptSignature(deps: Deps, receiptId: string): Promise<ReadableStream | null> {
  const rows = await findReceiptRows(deps.db, receiptId);
  if (!rows?.attempt.signatureKey || !hasReceipt(rows.attempt)) return null;
  return (await getSignature(deps.media, rows.attempt.signatureKey))?.body ?? null;
}

type ReceiptOptions = {
  language: Language;
  /** UTC ms. */
  now: number;
  /** The line items, if staff sent them with this receipt. */
  sentLines?: string | undefined;
};

/** Builds a receipt. Its amounts come from the ledger, or from the attempt before the first entry. */
export function receiptFrom(
  rows: ReceiptRows,
  appUrl: string,
  { language, now, sentLines }: ReceiptOptions,
): Receipt | null {
  if (!hasReceipt(rows.attempt)) return null;
  const words = wordsIn(receiptWords, language);
  const { attempt, account, merchant, entries } = rows;
  const money = (cents: number) => `${moneyIn(language, cents, attempt.currency)} ${attempt.currency}`;
  // The day stored with the ledger entry counts, because the account may have changed its time zone since then.
  const formatDay = (at: number) => {
    const entry = entries.find((booking) => booking.at === at);
    return entry?.day ? dateIn(language, entry.day) : dayIn(language, at, attempt.timeZone);
  };
  const paymentEntries = entries.filter(({ kind }) => kind === 'payment');
  const reversals = reversalsOf(entries);
  const paidCents = paymentEntries.length > 0 ? sumAmounts(paymentEntries) : attempt.amountCents;
  const leftCents = paidCents + sumAmounts(reversals);
  const state = stateOf(attempt, reversals, leftCents);
  const paidAt = paymentEntries[0]?.at ?? attempt.createdAt;
  const cardLabel = attempt.method === 'ach' ? words.bankAccount : words.card;
  const card = cardText(attempt);
  const paidWith = paidWithText(attempt) || cardLabel;
  const refundedTo = card || (attempt.method === 'ach' ? words.yourAccount : words.yourCard);
  const isUnpaid = state === 'submitted' || (state === 'returned' && paymentEntries.length === 0);
  const reach = [account.phone, account.email].filter(Boolean).join(` ${words.or} `);
  return {
    language,
    business: businessName(account, merchant),
    businessAddress: account.address || null,
    businessPhone: account.phone || null,
    date: momentIn(language, paidAt, attempt.timeZone),
    amountLabel: ['paid', 'partlyRefunded', 'refunded'].includes(state) ? words.youPaid : words.amount,
    amount: money(paidCents),
    state,
    status: words[state],
    said: describeOutcome(
      { state, paidCents, reversals, part: rows.part },
      { language, words, currency: attempt.currency, formatDay },
    ),
    number: oneLine(attempt.invoiceNumber) || null,
    ...presentParties(attempt, words, isUnpaid),
    part: rows.part ? String(rows.part.n) : null,
    method: walletName(attempt.wallet) || cardLabel,
    card,
    cardLabel,
    authCode: attempt.authCode || null,
    transactionId: attempt.providerTxnId ?? '',
    result: isUnpaid ? null : resultIn(language, attempt.result),
    ...describeFee(attempt, words, money),
    questions: reach ? fill(words.questions, { reach }) : null,
    checkAddress: withNonDefaultLanguage(`${appUrl}${receiptPath(attempt.receiptId)}`, language),
    // A bank debit that was returned before it settled was never paid.
    paidHow: fill(isUnpaid ? words.submittedOn : words.paidOn, { d: formatDay(paidAt), card: paidWith }),
    refunds: reversals.map(({ kind, at, amountCents }) => ({
      what:
        kind === 'refund'
          ? fill(words.refundedOn, { d: formatDay(at), card: refundedTo })
          : fill(words[REVERSAL_WORDS[kind]], { d: formatDay(at) }),
      detail: kind === 'refund' && now - at < ON_ITS_WAY_MS ? words.allowDays : '',
      amount: money(amountCents),
    })),
    leftIs: REMAINDER_WORDS[state] ? words[REMAINDER_WORDS[state]] : words.leftAfter,
    left: reversals.length > 0 ? money(leftCents) : null,
    hasSignature: attempt.signatureKey !== null,
    lines: lineItemsIn(sentLines ?? (account.showsLines ? attempt.billLines : ''), {
      currency: attempt.currency,
      language,
      requestedCents: rows.part?.baseCents ?? attempt.amountCents,
    }),
  };
}

function describeFee(
  { feeCents }: Pick<ReceiptRows['attempt'], 'feeCents'>,
  words: Words,
  money: (cents: number) => string,
) {
  if (feeCents === UNREADABLE_FEE) return { fee: null, feeNote: words.unreadFee };
  return feeCents ? { fee: money(feeCents), feeNote: null } : { fee: null, feeNote: words.noFee };
}

/** A refund may take this long (ms) to appear on a card statement. */
const ON_ITS_WAY_MS = 5 * 86_400_000;

type Bill = {
  currency: string;
  language: Language;
  /** The requested amount (cents); omitted if nothing was requested. */
  requestedCents?: number;
};

/** `storedLines`: the line items of a bill as stored in a row. */
export function lineItemsIn(storedLines: string, { currency, language, requestedCents }: Bill): Receipt['lines'] {
  const lines = billLinesOf(storedLines, requestedCents);
  const words = wordsIn(billWords, language);
  return lines && formatBill(lines, { currency, language, words, maxLines: billLineLimits.printed });
}

/** The billed person and the payer, separately if they differ. */
function presentParties(
  { payerFirstName, payerLastName, billedTo }: ReceiptRows['attempt'],
  words: Words,
  isUnpaid: boolean,
) {
  const customer = `${payerFirstName} ${payerLastName}`.trim() || null;
  const isSame = billedTo !== '' && billedTo === customer;
  const [payerLabel, billedAndPayerLabel] = isUnpaid
    ? [words.submittedBy, words.billedAndSubmittedBy]
    : [words.paidBy, words.billedAndPaidBy];
  return {
    customer,
    billedTo: isSame ? null : billedTo || null,
    paidByLabel: isSame ? billedAndPayerLabel : payerLabel,
  };
}

const sumAmounts = (entries: { amountCents: number }[]) =>
  entries.reduce((total, { amountCents }) => total + amountCents, 0);

function stateOf(attempt: ReceiptRows['attempt'], reversals: ReceiptRows['entries'], leftCents: number): ReceiptState {
  if (isSubmitted(attempt)) return 'submitted';
  if (attempt.state === 'returned' || reversals.some(({ kind }) => kind === 'return')) return 'returned';
  if (reversals.some(({ kind }) => kind === 'void')) return 'voided';
  if (reversals.length === 0) return 'paid';
  return leftCents > 0 ? 'partlyRefunded' : 'refunded';
}

const REVERSAL_WORDS = { void: 'cancelledOn', return: 'returnedOn' } as const;

/** A voided payment was never charged, so its void is not a refund. */
const REMAINDER_WORDS: Partial<Record<ReceiptState, 'charged' | 'paid'>> = { voided: 'charged', returned: 'paid' };
