import type { Batch } from '#shared/contracts/batches';
import type { BatchReconciliation } from '#shared/contracts/reconciliation';
import { parseCents } from '#shared/money';

/** A batch of a day, and how it was held against our books; null: that could not be read. */
export type DayBatch = { terminalId: string; terminal: string; batch: Batch; match: BatchReconciliation | null };

export type Agrees = 'Yes' | 'No' | 'Not comparable yet' | 'Before Tillway';

const DIFFERS = new Set(['only-gateway', 'only-ours', 'amount-differs']);
const cents = (text: string | null) => parseCents(text) ?? 0;
const sum = (some: number[]) => some.reduce((total, each) => total + each, 0);

/** Whether a batch is in our books as the card provider counts it. */
export function agreesOf(match: BatchReconciliation | null): Agrees {
  if (!match || match.sums.length === 0) return 'Not comparable yet';
  const { lines, sums } = match;
  if (lines.some(({ verdict }) => DIFFERS.has(verdict)) || sums.some(({ agrees }) => !agrees)) return 'No';
  if (lines.some(({ verdict }) => verdict === 'earlier')) return 'Before Tillway';
  return 'Yes';
}

export type Check = { what: 'Sales' | 'Refunds' | 'Net'; ours: number; theirs: number };

/** Whether a batch is one of those that our books can be held against. */
export const isCompared = (match: BatchReconciliation | null): match is BatchReconciliation =>
  ['Yes', 'No'].includes(agreesOf(match));

/** What our books and the card provider count in the batches that can be compared; cents, refunds below zero. */
export function checksOf(batches: DayBatch[]): { checks: Check[]; withoutInvoice: { count: number; cents: number } } {
  const compared = batches.flatMap(({ match }) => (isCompared(match) ? [match] : []));
  const lines = compared.flatMap((match) => match.lines);
  const ours = lines.map((line) => cents(line.ours));
  const theirs = (what: string) =>
    sum(compared.flatMap(({ sums }) => sums.filter((one) => one.what === what).map(({ batch }) => cents(batch))));
  const strangers = lines.filter(
    ({ verdict, invoice, amount }) => verdict === 'only-gateway' && !invoice && cents(amount) > 0,
  );
  const checks: Check[] = [
    { what: 'Sales', ours: sum(ours.filter((each) => each > 0)), theirs: theirs('sales') },
    { what: 'Refunds', ours: sum(ours.filter((each) => each < 0)), theirs: -theirs('refunds') },
    { what: 'Net', ours: sum(ours), theirs: theirs('net') },
  ];
  return {
    checks: compared.length === 0 ? [] : checks,
    withoutInvoice: { count: strangers.length, cents: sum(strangers.map(({ amount }) => cents(amount))) },
  };
}
