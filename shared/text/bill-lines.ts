import type { BillLines } from '../contracts/bill-lines.ts';
import { formatMoney, parseCents } from '../money.ts';
import { billWords } from '../words/bill-words.ts';
import { fill, wordsIn } from '../words/both.ts';

const words = wordsIn(billWords, 'en');

export type LineText = { name: string; pieces: string; total: string };

/** How many are on the bill: "4 items". */
export const countText = (count: number): string =>
  count === 1 ? words.oneItem : fill(words.items, { n: String(count) });

/** The lines of a bill as texts, at most so many, and how many the reader misses. */
export function lineTexts({ items, count, total }: BillLines, currency: string, most = items.length) {
  const money = (amount: string | null) => {
    const cents = amount === null ? null : parseCents(amount);
    return cents === null ? '' : formatMoney(cents, currency);
  };
  const shown = items.slice(0, most);
  const left = count - shown.length;
  return {
    lines: shown.map(
      ({ name, quantity, total }): LineText => ({
        name,
        pieces: quantity === null || Number(quantity) === 1 ? '' : fill(words.pieces, { n: quantity }),
        total: money(total),
      }),
    ),
    total: money(total) || null,
    more: left > 0 ? fill(words.more, { n: String(left) }) : null,
  };
}
