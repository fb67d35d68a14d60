import { billLineLimits } from '#shared/limits';
import { receiptPath } from '#shared/paths';
import { lineTexts } from '#shared/text/bill-lines';
import { billWords } from '#shared/words/bill-words';
import { fill, type WordsOf, wordsIn } from '#shared/words/both';
import { dayIn, moneyIn } from '#shared/words/formats';
import { type Language, writtenIn } from '#shared/words/language';
import { receiptWords } from '#shared/words/receipt-words';
import { billLinesFrom } from '#worker/data/invoices/bill-lines';
import { findReceiptRows, type ReceiptPart, type ReceiptRows } from '#worker/data/mail/receipts';
import { getSignature } from '#worker/data/preview/signatures';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { cardText } from './card-text.ts';

/** A receipt as text: the page, its print and the mail show these same words. Null: the line is left out. */
export type Receipt = {
  language: Language;
  business: string;
  businessAddress: string | null;
  businessPhone: string | null;
  date: string;
  amount: string;
  state: 'paid' | 'submitted' | 'refunded' | 'partlyRefunded' | 'voided' | 'returned';
  status: string;
  number: string;
  /** Whom the invoice named, where somebody else paid; null too where that was not kept. */
  billedTo: string | null;
  /** Who paid. Null once the payer's data has outlived its period. */
  customer: string | null;
  /** What `customer` is: who paid for somebody else, or both in one. */
  paidByLabel: string;
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
  /** Of a part: which one, what is paid so far and what is left. */
  part: string | null;
  refunds: { what: string; date: string; amount: string }[];
  hasSignature: boolean;
  /** What was bought, where the business shows it, or sends this receipt with it. */
  lines: ReturnType<typeof lineTexts> | null;
};

/** States with a receipt; an attempt in any other state has none. */
const WITH_RECEIPT = ['approved', 'pending', 'returned', 'voided', 'refunded'];

export const hasReceipt = ({ state }: { state: string }): boolean => WITH_RECEIPT.includes(state);

type Words = WordsOf<typeof receiptWords>;
/** Where the reader names no language, the account has one. */
export type LanguageOf = (account: Pick<ReceiptRows['account'], 'payerLanguage'>) => Language;

const ownLanguage: LanguageOf = ({ payerLanguage }) => payerLanguage;

/** The receipt of a payment. Null: there is none. */
export async function readReceipt(
  deps: Deps,
  receiptId: string,
  languageOf: LanguageOf = ownLanguage,
): Promise<Receipt | null> {
  const rows = await findReceiptRows(deps.db, receiptId);
  return rows && receiptFrom(rows, deps.settings.APP_URL, languageOf(rows.account));
}

/** The signature that was given with the payment, as PNG. Null: there is none. */
export async function readReceiptSignature(deps: Deps, receiptId: string): Promise<ReadableStream | null> {
  const rows = await findReceiptRows(deps.db, receiptId);
  if (!rows?.attempt.signatureKey || !hasReceipt(rows.attempt)) return null;
  return (await getSignature(deps.media, rows.attempt.signatureKey))?.body ?? null;
}

/**
 * A payment as a receipt. Its sums come from the ledger; before its first entry, from the attempt. `sentLines`: what was
 * on the bill, where staff send it with this receipt.
 */
export function receiptFrom(rows: ReceiptRows, appUrl: string, language: Language, sentLines?: string): Receipt | null {
  if (!hasReceipt(rows.attempt)) return null;
  const words = wordsIn(receiptWords, language);
  const { attempt, account, merchant, entries } = rows;
  const money = (cents: number) => `${moneyIn(language, cents, attempt.currency)} ${attempt.currency}`;
  const day = (at: number) => dayIn(language, at, account.timeZone);
  const paid = entries.filter(({ kind }) => kind === 'payment');
  const given = entries.filter(({ kind }) => kind !== 'payment');
  const paidCents = paid.length > 0 ? sum(paid) : attempt.amountCents;
  const leftCents = paidCents + sum(given);
  const state = stateOf(attempt.state, given, leftCents);
  return {
    language,
    business: businessName(account, merchant),
    businessAddress: account.address || null,
    businessPhone: account.phone || null,
    date: day(paid[0]?.at ?? attempt.createdAt),
    amount: money(paidCents),
    state,
    status: words[state],
    number: attempt.invoiceNumber,
    ...partiesOf(attempt, words),
    method: attempt.method === 'ach' ? words.bankAccount : words.card,
    card: cardText(attempt),
    authCode: attempt.authCode || null,
    transactionId: attempt.providerTxnId ?? '',
    result: attempt.result,
    fee: attempt.feeCents ? money(attempt.feeCents) : null,
    checkAddress: writtenIn(`${appUrl}${receiptPath(attempt.receiptId)}`, language),
    ...wordsFor(state, words),
    left: given.length > 0 ? money(leftCents) : null,
    part: rows.part ? sayPart(rows.part, words, money) : null,
    refunds: given.map(({ kind, at, amountCents }) => ({
      what: words[GIVEN[kind]],
      date: day(at),
      amount: money(amountCents),
    })),
    hasSignature: attempt.signatureKey !== null,
    lines: boughtIn(sentLines ?? (account.showsLines ? attempt.billLines : ''), attempt.currency, language),
  };
}

/** `kept`: the lines of a bill as a row keeps them. */
export function boughtIn(kept: string, currency: string, language: Language): Receipt['lines'] {
  const lines = billLinesFrom(kept);
  const words = wordsIn(billWords, language);
  return lines && lineTexts(lines, { currency, language, words, most: billLineLimits.printed });
}

const sayPart = ({ n, baseCents, paidCents }: ReceiptPart, words: Words, money: (cents: number) => string) =>
  fill(words.partOf, {
    ...{ n: String(n), paid: money(paidCents) },
    ...{ left: money(baseCents - paidCents), base: money(baseCents) },
  });

/** Who was billed and who paid, told apart where they differ. */
function partiesOf({ payerFirstName, payerLastName, billedTo }: ReceiptRows['attempt'], words: Words) {
  const customer = `${payerFirstName} ${payerLastName}`.trim() || null;
  const isSame = billedTo !== '' && billedTo === customer;
  return {
    customer,
    billedTo: isSame ? null : billedTo || null,
    paidByLabel: isSame ? words.billedAndPaidBy : words.paidBy,
  };
}

const sum = (entries: { amountCents: number }[]) => entries.reduce((total, { amountCents }) => total + amountCents, 0);

type State = Receipt['state'];

function stateOf(state: string, given: ReceiptRows['entries'], leftCents: number): State {
  if (state === 'pending') return 'submitted';
  if (state === 'returned' || given.some(({ kind }) => kind === 'return')) return 'returned';
  if (given.some(({ kind }) => kind === 'void')) return 'voided';
  if (given.length === 0) return 'paid';
  return leftCents > 0 ? 'partlyRefunded' : 'refunded';
}

const GIVEN = { payment: 'paid', refund: 'refund', void: 'voided', return: 'returned' } as const;

/** A voided payment was never charged, so its void is no refund. */
function wordsFor(state: State, words: Words): Pick<Receipt, 'givenBack' | 'leftIs'> {
  if (state === 'voided') return { givenBack: words.void, leftIs: words.charged };
  if (state === 'returned') return { givenBack: words.return, leftIs: words.paid };
  return { givenBack: words.refunds, leftIs: words.leftAfter };
}
