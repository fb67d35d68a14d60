import type { BillLines } from '../contracts/bill-lines.ts';
import { parseCents } from '../money.ts';
import type { billWords } from '../words/bill-words.ts';
import { fill, type WordsOf } from '../words/both.ts';
import { moneyIn } from '../words/formats.ts';
import type { Language } from '../words/language.ts';

type Words = WordsOf<typeof billWords>;
export type LineText = { name: string; pieces: string; total: string };

/** How many are on the bill: "4 items". */
export const countText = (count: number, words: Words): string =>
  count === 1 ? words.oneItem : fill(words.items, { n: String(count) });

/** In what a bill is written, and how many of its lines there is room for. */
type Form = { currency: string; language: Language; words: Words; most?: number };

/** What the bill comes to besides its lines (cents). Null: nothing, or one of them cannot be read. */
function besidesCents({ items, total }: BillLines): number | null {
  const cents = [total, ...items.map((item) => item.total)].map(parseCents);
  const [billed = null, ...each] = cents;
  if (billed === null || each.length === 0 || each.includes(null)) return null;
  return billed - each.reduce<number>((sum, one) => sum + (one ?? 0), 0) || null;
}

/** The lines of a bill as texts, and how many the reader misses. */
export function lineTexts(bill: BillLines, { currency, language, words, most = bill.items.length }: Form) {
  const money = (amount: string | null) => {
    const cents = amount === null ? null : parseCents(amount);
    return cents === null ? '' : moneyIn(language, cents, currency);
  };
  const shown = bill.items.slice(0, most);
  const left = bill.count - shown.length;
  const besides = left > 0 ? null : besidesCents(bill);
  const lines = shown.map(
    ({ name, quantity, total }): LineText => ({
      name,
      pieces: quantity === null || Number(quantity) === 1 ? '' : fill(words.pieces, { n: quantity }),
      total: money(total),
    }),
  );
  return {
    lines:
      besides === null
        ? lines
        : [...lines, { name: words.besides, pieces: '', total: moneyIn(language, besides, currency) }],
    total: money(bill.total) || null,
    paidBefore: money(bill.paidBefore ? `-${bill.paidBefore}` : null) || null,
    more: left > 0 ? fill(words.more, { n: String(left) }) : null,
  };
}
