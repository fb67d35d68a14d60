import type { Batch } from '#shared/contracts/batches';
import type { Device } from '#shared/contracts/session';
import { dayThere } from '#site/islands/ui/format-moment.ts';
import type { Answer } from '../api/api.ts';
import { fetchBatches, fetchDevices } from '../batches/api.ts';
import { type Loaded, useLoad } from '../parts/use-load.ts';
import { fetchBatchReconciliation } from '../reconciliation/api.ts';
import type { DayBatch } from './agreement.ts';

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
