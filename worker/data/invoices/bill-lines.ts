import type { BillLines } from '#shared/contracts/bill-lines';
import { billLineLimits } from '#shared/limits';
import { decimalFromCents } from '#shared/money';
import type { CrmInvoice, CrmLine } from '#worker/vendors/hubspot/port';

/** What is on a bill, as its row keeps it: the first lines of many, and how many there are. */
type Kept = {
  at: number;
  totalCents: number | null;
  count: number;
  items: Item[];
  /** Of the total, what the CRM had as paid when the lines were read. */
  paidBeforeCents?: number | null;
};
type Item = { name: string; quantity: string | null; cents: number | null };

type Sums = Pick<CrmInvoice, 'billedCents' | 'balanceCents'>;

/** `at`: when they were read (UTC ms). */
export function keptLines(lines: CrmLine[], { billedCents: totalCents, balanceCents }: Sums, at: number): string {
  const items = lines.slice(0, billLineLimits.kept).map(({ name, quantity, totalCents: cents }) => ({
    name: name.replace(/\s+/g, ' ').trim().slice(0, billLineLimits.name),
    quantity,
    cents,
  }));
  return JSON.stringify({
    at,
    totalCents,
    count: lines.length,
    items,
    paidBeforeCents: totalCents === null || balanceCents === null ? null : totalCents - balanceCents,
  } satisfies Kept);
}

/** Only our own code writes them, so only their absence is looked for. */
const kept = (text: string): Kept | null => (text === '' ? null : (JSON.parse(text) as Kept));

/** When they were read; 0: never. */
export const linesReadAt = (text: string): number => kept(text)?.at ?? 0;

/**
 * The lines as they are sent. Null: none are kept, or the bill has none. `askedCents`: what a payer was asked for; the amount
 * that was paid before is told only where the total less it comes to just that.
 */
export function billLinesFrom(text: string, askedCents: number | null = null): BillLines | null {
  const found = kept(text);
  if (!found || found.count === 0) return null;
  const amount = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));
  const { totalCents, paidBeforeCents: before } = found;
  const isTold = totalCents !== null && before != null && before > 0 && totalCents - before === askedCents;
  return {
    count: found.count,
    total: amount(totalCents),
    ...(isTold && { paidBefore: decimalFromCents(before) }),
    items: found.items.map(({ name, quantity, cents }) => ({ name, quantity, total: amount(cents) })),
  };
}
