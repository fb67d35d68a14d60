import { fullName, type PayView } from '../contracts/payment.ts';
import type { BillLines } from '../contracts/staff/account-settings.ts';
import { parseCents } from '../money.ts';
import { fill, type WordsOf } from '../words/bilingual.ts';
import type { billWords } from '../words/bill-and-receipt-words.ts';
import { dateIn, moneyIn } from '../words/formats.ts';
import type { Language } from '../words/language.ts';

type Words = WordsOf<typeof billWords>;
export type FormattedLine = { name: string; pieces: string; total: string };

/** Formats the number of bill lines: "4 items". */
export const formatItemCount = (count: number, words: Words): string =>
  count === 1 ? words.oneItem : fill(words.items, { n: String(count) });

/** Currency and language of a bill. `maxLines`: number of lines to format; all if omitted. */
type BillFormat = { currency: string; language: Language; words: Words; maxLines?: number };

/** Difference between the total and the sum of the lines (cents). Null if zero or if an amount is unreadable. */
function otherChargesCents({ items, total }: BillLines): number | null {
  const cents = [total, ...items.map((item) => item.total)].map(parseCents);
  const [billed = null, ...lineAmounts] = cents;
  if (billed === null || lineAmounts.length === 0 || lineAmounts.includes(null)) return null;
  return billed - lineAmounts.reduce<number>((sum, lineCents) => sum + (lineCents ?? 0), 0) || null;
}

/** Formats the lines of a bill, and the number of omitted ones. */
export function formatBill(bill: BillLines, { currency, language, words, maxLines = bill.items.length }: BillFormat) {
  const money = (amount: string | null) => {
    const cents = amount === null ? null : parseCents(amount);
    return cents === null ? '' : moneyIn(language, cents, currency);
  };
  const shownItems = bill.items.slice(0, maxLines);
  const omittedCount = bill.count - shownItems.length;
  const otherCents = omittedCount > 0 ? null : otherChargesCents(bill);
  const lines = shownItems.map(
    ({ name, quantity, total }): FormattedLine => ({
      name,
      pieces: quantity === null || Number(quantity) === 1 ? '' : fill(words.pieces, { n: quantity }),
      total: money(total),
    }),
  );
  return {
    lines:
      otherCents === null
        ? lines
        : [...lines, { name: words.otherCharges, pieces: '', total: moneyIn(language, otherCents, currency) }],
    total: money(bill.total) || null,
    paidBefore: money(bill.paidBefore ? `-${bill.paidBefore}` : null) || null,
    more: omittedCount > 0 ? fill(words.more, { n: String(omittedCount) }) : null,
  };
}

/**
 * Returns the texts of the pay page, by `data-fill` name. The Worker writes them into the built page and the island
 * renders the same ones, so hydration matches. Null removes the row (`data-row` of that name).
 */
export function payPageFill(view: PayView, language: Language, words: Words) {
  const cents = parseCents(view.invoice.amountDue);
  const bill = formattedBillOf(view, language, words);
  const customer = fullName(view.customer.firstName, view.customer.lastName);
  return {
    title: fill(words.title, { n: view.invoice.number, b: view.business.name }).replace(/ {2,}/, ' '),
    business: view.business.name,
    amount: cents === null ? null : moneyIn(language, cents, view.invoice.currency),
    due: view.invoice.dueDate ? fill(words.due, { d: dateIn(language, view.invoice.dueDate) }) : null,
    partly: describePartPayments(view, language, words),
    number: view.invoice.number,
    customer: customer || null,
    company: view.company.name || null,
    billedTo: [customer, view.company.name].filter(Boolean).join(', ') || null,
    lines: bill && '',
    lineCount: view.lines ? formatItemCount(view.lines.count, words) : null,
    moreLines: bill?.more ?? null,
    billed: bill?.total ?? null,
    paidBefore: bill?.paidBefore ?? null,
    payAs: view.addressOnFile ? customer : null,
    addressOnFile: view.addressOnFile,
    tick: customer ? fill(words.tick, { name: customer }) : null,
    signer: customer || null,
    pad: customer ? null : '',
    phone: view.business.phone || null,
    email: view.business.email || null,
    provider: view.sdk.provider,
    form: view.state === 'ready' ? '' : null,
    part: view.parts?.range || view.parts?.only ? '' : null,
    cardOnly: view.cardOnly ? '' : null,
    confirming: view.state === 'pending' ? '' : null,
  };
}

const formattedBillOf = ({ lines, invoice }: PayView, language: Language, words: Words) =>
  lines ? formatBill(lines, { currency: invoice.currency, language, words }) : null;

/** Returns the rows of the bill; empty if the business does not show them. */
export const billRows = (view: PayView, language: Language, words: Words): FormattedLine[] =>
  formattedBillOf(view, language, words)?.lines ?? [];

/** "$46.00 of $184.00 is paid, $46.00 on Mar 4, 2026." */
function describePartPayments(
  { parts, invoice }: PayView,
  language: Language,
  words: WordsOf<typeof billWords>,
): string | null {
  if (!parts || !parseCents(parts.paid)) return null;
  const money = (amount: string) => moneyIn(language, parseCents(amount) ?? 0, invoice.currency);
  const partTexts = parts.taken.map(({ amount, on }) =>
    fill(words.partPaidOn, { amount: money(amount), d: dateIn(language, on) }),
  );
  return fill(words.partlyPaid, { paid: money(parts.paid), base: money(parts.base), taken: partTexts.join('') });
}
