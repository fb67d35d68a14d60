import type { Batch } from '#shared/contracts/batches';

/** Parts a terminal's batches, newest first, into what stands open or ended last, and what came before. */
export function partBatches(batches: Batch[]): { now: Batch[]; earlier: Batch[] } {
  const newestSettled = batches.find(({ status }) => status === 'CLOSED');
  const isNow = (batch: Batch) => batch.status !== 'CLOSED' || batch === newestSettled;
  return { now: batches.filter(isNow), earlier: batches.filter((batch) => !isNow(batch)) };
}
