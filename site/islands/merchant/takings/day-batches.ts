import type { Batch } from '#shared/contracts/payments/batches';
import type { BatchReconciliation } from '#shared/contracts/payments/reconciliation';
import type { Device } from '#shared/contracts/staff/session';
import { parseCents } from '#shared/money';
import { localDayOf } from '#site/islands/ui/format-moment.ts';
import type { Answer } from '../api/api.ts';
import { fetchBatches, fetchTerminals } from '../batches/api.ts';
import { type LoadState, useLoad } from '../common/use-load.tsx';
import { fetchBatchReconciliation } from '../reconciliation/api.ts';

/** A batch of a day. `match` is its reconciliation with our ledger, or null if that could not be loaded. */
export type DayBatch = { terminalId: string; terminal: string; batch: Batch; match: BatchReconciliation | null };

export type Agreement = 'Yes' | 'No' | 'Cannot be compared yet' | 'Before Tillway';

const DIFFERENCE_VERDICTS = new Set(['only-gateway', 'only-ours', 'amount-differs']);
const centsOf = (text: string | null) => parseCents(text) ?? 0;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Describes the result of a batch's reconciliation. */
export function describeAgreement(match: BatchReconciliation | null): Agreement {
  if (!match || match.sums.length === 0) return 'Cannot be compared yet';
  const { lines, sums } = match;
  if (lines.some(({ verdict }) => DIFFERENCE_VERDICTS.has(verdict)) || sums.some(({ agrees }) => !agrees)) return 'No';
  if (lines.some(({ verdict }) => verdict === 'earlier')) return 'Before Tillway';
  return 'Yes';
}

export type Check = { what: 'Sales' | 'Refunds' | 'Net'; ours: number; theirs: number };

/** True if the batch can be compared with our ledger. */
export const isCompared = (match: BatchReconciliation | null): match is BatchReconciliation =>
  ['Yes', 'No'].includes(describeAgreement(match));

/** Compares our totals with the card provider's, over the comparable batches. In cents; refunds are negative. */
export function compareTotals(batches: DayBatch[]): {
  checks: Check[];
  withoutInvoice: { count: number; cents: number };
} {
  const compared = batches.flatMap(({ match }) => (isCompared(match) ? [match] : []));
  const lines = compared.flatMap((match) => match.lines);
  const ourAmounts = lines.map((line) => centsOf(line.ours));
  const providerTotalOf = (what: string) =>
    sum(compared.flatMap(({ sums }) => sums.filter((total) => total.what === what).map(({ batch }) => centsOf(batch))));
  const unmatched = lines.filter(
    ({ verdict, invoice, amount }) => verdict === 'only-gateway' && !invoice && centsOf(amount) > 0,
  );
  const checks: Check[] = [
    { what: 'Sales', ours: sum(ourAmounts.filter((amount) => amount > 0)), theirs: providerTotalOf('sales') },
    { what: 'Refunds', ours: sum(ourAmounts.filter((amount) => amount < 0)), theirs: -providerTotalOf('refunds') },
    { what: 'Net', ours: sum(ourAmounts), theirs: providerTotalOf('net') },
  ];
  return {
    checks: compared.length === 0 ? [] : checks,
    withoutInvoice: { count: unmatched.length, cents: sum(unmatched.map(({ amount }) => centsOf(amount))) },
  };
}

/** A batch that was open at the end of the day. `closedAt` is null if it is still open. */
export type UnclosedBatch = { terminal: string; batch: Batch; closedAt: string | null };
export type DayBatches = {
  /** The batches that were closed on that day, with their reconciliation. */
  closed: DayBatch[];
  stillOpen: UnclosedBatch[];
  /** The names of the terminals whose batches could not be loaded. */
  unread: string[];
};

/** Loads the day's batches of all terminals from the card provider, and the reconciliation of each closed batch. */
export const useDayBatches = (date: string): LoadState<DayBatches> =>
  useLoad(date, 'Failed to fetch batches', async (): Promise<Answer<DayBatches>> => {
    const devices = await fetchTerminals();
    if (!devices.ok) return devices;
    const parts = await Promise.all(devices.value.map((device) => loadTerminalBatches(device, date)));
    return {
      ok: true,
      value: {
        closed: parts.flatMap(({ closed }) => closed),
        stillOpen: parts.flatMap(({ stillOpen: left }) => left),
        unread: parts.flatMap(({ unread }) => unread),
      },
    };
  });

async function loadTerminalBatches(device: Device, date: string): Promise<DayBatches> {
  const { terminal_id: terminalId, terminal_name: terminal } = device;
  const batches = await fetchBatches(terminalId);
  if (!batches.ok) return { closed: [], stillOpen: [], unread: [terminal] };
  const closedThatDay = batches.value.filter((batch) => batch.settled && localDayOf(batch.settled) === date);
  const closed = await Promise.all(
    closedThatDay.map(async (batch) => {
      const match = await fetchBatchReconciliation(terminalId, batch.id);
      return { terminalId, terminal, batch, match: match.ok ? match.value : null };
    }),
  );
  const stillOpen = batches.value
    .filter((batch) => wasOpenAtEndOf(batch, date))
    .map((batch) => ({ terminal, batch, closedAt: batch.settled }));
  return { closed: closed.reverse(), stillOpen, unread: [] };
}

/** True if the batch was open at the end of that day. */
const wasOpenAtEndOf = ({ 'date-opened': opened, settled, status }: Batch, date: string) =>
  opened !== null && localDayOf(opened) <= date && (settled ? localDayOf(settled) > date : status !== 'CLOSED');
