import type { BillLines } from '#shared/contracts/bill-lines';
import { billLineLimits } from '#shared/limits';
import { decimalFromCents } from '#shared/money';
import type { CrmLine } from '#worker/vendors/hubspot/port';

/** What is on a bill, as its row keeps it: the first lines of many, and how many there are. */
type Kept = { at: number; totalCents: number | null; count: number; items: Item[] };
type Item = { name: string; quantity: string | null; cents: number | null };

/** `at`: when they were read (UTC ms). */
export function keptLines(lines: CrmLine[], totalCents: number | null, at: number): string {
  const items = lines.slice(0, billLineLimits.kept).map(({ name, quantity, totalCents: cents }) => ({
    name: name.replace(/\s+/g, ' ').trim().slice(0, billLineLimits.name),
    quantity,
    cents,
  }));
  return JSON.stringify({ at, totalCents, count: lines.length, items } satisfies Kept);
}

/** Only our own code writes them, so only their absence is looked for. */
const kept = (text: string): Kept | null => (text === '' ? null : (JSON.parse(text) as Kept));

/** When they were read; 0: never. */
export const linesReadAt = (text: string): number => kept(text)?.at ?? 0;

/** The lines as they are sent. Null: none are kept, or the bill has none. */
export function billLinesFrom(text: string): BillLines | null {
  const found = kept(text);
  if (!found || found.count === 0) return null;
  const amount = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));
  return {
    count: found.count,
    total: amount(found.totalCents),
    items: found.items.map(({ name, quantity, cents }) => ({ name, quantity, total: amount(cents) })),
  };
}
