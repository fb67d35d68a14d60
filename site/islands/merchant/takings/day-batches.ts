import type { Batch } from '#shared/contracts/payments/batches';
import type { BatchReconciliation } from '#shared/contracts/payments/reconciliation';
import type { Device } from '#shared/contracts/staff/session';
import { parseCents } from '#shared/money';
import { dayThere } from '#site/islands/ui/format-moment.ts';
import type { Answer } from '../api/api.ts';
import { fetchBatches, fetchDevices } from '../batches/api.ts';
import { type Loaded, useLoad } from '../parts/use-load.tsx';
import { fetchBatchReconciliation } from '../reconciliation/api.ts';

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

/** A batch that a day ended with, and when it was closed after all; null: it is open still. */
export type LeftOpen = { terminal: string; batch: Batch; closedAt: string | null };
export type DayBatches = {
  /** Closed on that day, each held against our books. */
  closed: DayBatch[];
  left: LeftOpen[];
  /** Terminals whose batches could not be read. */
  unread: string[];
};

/** A terminal's batches as the card provider lists them, and of those of the day how they agree with our books. */
export const useDayBatches = (date: string): Loaded<DayBatches> =>
  useLoad(date, 'Failed to fetch batches', async (): Promise<Answer<DayBatches>> => {
    const devices = await fetchDevices();
    if (!devices.ok) return devices;
    const parts = await Promise.all(devices.value.map((device) => readDevice(device, date)));
    return {
      ok: true,
      value: {
        closed: parts.flatMap(({ closed }) => closed),
        left: parts.flatMap(({ left }) => left),
        unread: parts.flatMap(({ unread }) => unread),
      },
    };
  });

async function readDevice(device: Device, date: string): Promise<DayBatches> {
  const { terminal_id: terminalId, terminal_name: terminal } = device;
  const batches = await fetchBatches(terminalId);
  if (!batches.ok) return { closed: [], left: [], unread: [terminal] };
  const ofDay = batches.value.filter((batch) => batch.settled && dayThere(batch.settled) === date);
  const closed = await Promise.all(
    ofDay.map(async (batch) => {
      const match = await fetchBatchReconciliation(terminalId, batch.id);
      return { terminalId, terminal, batch, match: match.ok ? match.value : null };
    }),
  );
  const left = batches.value
    .filter((batch) => wasOpen(batch, date))
    .map((batch) => ({ terminal, batch, closedAt: batch.settled }));
  return { closed: closed.reverse(), left, unread: [] };
}

/** Whether it was opened by the end of that day and not closed by then. */
const wasOpen = ({ 'date-opened': opened, settled, status }: Batch, date: string) =>
  opened !== null && dayThere(opened) <= date && (settled ? dayThere(settled) > date : status !== 'CLOSED');
