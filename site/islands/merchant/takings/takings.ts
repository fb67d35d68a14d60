import { Takings } from '#shared/contracts/payments/takings';
import { formatMoney, parseCents } from '#shared/money';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { formatDayWith } from '#site/islands/ui/format-moment.ts';
import { api } from '../api/api.ts';
import { NOT_AVAILABLE } from '../common/amount.ts';

const readTakings = readWith(Takings);

export const fetchTakings = (date: string) => api.call(`/api/takings?date=${encodeURIComponent(date)}`, readTakings);

export const formatCents = (cents: number): string => formatMoney(cents, 'USD');
/** Formats an amount from the API, or returns N/A for null. */
export const formatAmount = (amount: string | null): string => {
  const cents = parseCents(amount);
  return cents === null ? NOT_AVAILABLE : formatCents(cents);
};

/** Returns for example "Tuesday, Nov 24, 2026". */
export const longDay = (day: string): string =>
  formatDayWith(day, { weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' });
/** Returns for example "Tuesday". */
export const weekdayName = (day: string): string => formatDayWith(day, { weekday: 'long' });

/** The content of one sheet of paper. `batches` and `looks` are the ranges of rows in its two tables. */
export type SheetPart = {
  batches: [from: number, to: number] | null;
  cards: boolean;
  looks: [from: number, to: number] | null;
};

/** The numbers of rows of both tables that fit on one sheet with everything else. */
const SHARED_SHEET_ROWS = { batches: 8, looks: 6 };
/** The numbers of rows of a table that is the only one on its sheet, below the day's figures or the sales by card. */
const OWN_SHEET_ROWS = { batches: 28, looks: 12 };

/**
 * Returns the sheets of a day. There is one sheet if everything fits on Letter, which is shorter than A4. Otherwise the
 * batches come first, then the sales by card and the items to review.
 */
export function sheetsOf(batches: number, looks: number): SheetPart[] {
  if (batches <= SHARED_SHEET_ROWS.batches && looks <= SHARED_SHEET_ROWS.looks) {
    return [{ batches: [0, batches], cards: true, looks: [0, looks] }];
  }
  const isShort = batches <= SHARED_SHEET_ROWS.batches;
  const batchSheets = rowRanges(batches, OWN_SHEET_ROWS.batches).map((rows) => ({
    batches: rows,
    cards: false,
    looks: null,
  }));
  const itemSheets = rowRanges(looks, OWN_SHEET_ROWS.looks).map((rows) => ({
    batches: null,
    cards: false,
    looks: rows,
  }));
  const cards = isShort ? batchSheets.at(-1) : itemSheets[0];
  if (cards) cards.cards = true;
  return [...batchSheets, ...itemSheets];
}

function rowRanges(rows: number, max: number): [from: number, to: number][] {
  const count = Math.max(1, Math.ceil(rows / max));
  return Array.from({ length: count }, (_, index) => [index * max, Math.min(rows, (index + 1) * max)]);
}
