import type { Books, Entry } from './gateway-records.ts';
import type { Author, Batch, Close } from './truth.ts';

const DAY = 24 * 3_600_000;

function openBatchOf(books: Books, terminalId: string): Batch | null {
  return books.batches.find((batch) => batch.terminalId === terminalId && batch.status === 'OPEN') ?? null;
}

/** G26: the terminal's open batch; the first approval opens one. */
export function batchFor(books: Books, merchantId: string, terminalId: string): Batch {
  const openBatch = openBatchOf(books, terminalId);
  if (openBatch) return openBatch;
  const batch: Batch = {
    id: String(books.batches.length + 101),
    merchantId,
    terminalId,
    status: 'OPEN',
    openedAt: books.world.now(),
    closedAt: null,
    closedBy: null,
    salesCount: 0,
    salesCents: 0,
    refundCount: 0,
    refundCents: 0,
    confirmationCode: null,
  };
  books.batches.push(batch);
  scheduleNightClose(books, batch);
  return batch;
}

/** G30: schedules the nightly close at the terminal's own time, which also retries a failed batch. */
function scheduleNightClose(books: Books, batch: Batch): void {
  const nightly = books.knobs.nightClose;
  if (!nightly) return;
  const now = books.world.now();
  const today = now - (now % DAY) + nightly[0] * 3_600_000 + nightly[1] * 60_000;
  const next = today > now ? today : today + DAY;
  books.world.later(next - now, `the hour at which the gateway closes batch ${batch.id}, if it is open`, () => {
    if (batch.status === 'OPEN' || batch.status === 'FAILED') closeBatch(books, batch.terminalId, 'night');
  });
}

/** True if an entry counts in a batch: approved and not voided. Sums are always computed from the entries. */
const isCounted = (entry: Entry) =>
  entry.isApproved && !entry.isVoided && entry.type !== 'VOID' && entry.method !== 'ach';

/** G27: a batch with sums over the entries recorded up to `until` (UTC ms). */
export function withSums(books: Books, batch: Batch, until: number): Batch {
  const sums = { ...batch };
  for (const entry of books.entries) {
    if (entry.batchId !== batch.id || !isCounted(entry) || entry.at > until) continue;
    if (entry.type === 'REFUND') {
      sums.refundCount += 1;
      sums.refundCents += entry.amountCents;
    } else {
      sums.salesCount += 1;
      sums.salesCents += entry.amountCents;
    }
  }
  return sums;
}

export type CloseResult = { outcome: Close['outcome']; batch: Batch | null };

/**
 * G28, G29: closes the open batch of a terminal. `forcedStatus` makes it stay PENDING or end FAILED; a later close
 * retries it.
 */
export function closeBatch(
  books: Books,
  terminalId: string,
  by: Author,
  forcedStatus?: 'PENDING' | 'FAILED',
): CloseResult {
  const at = books.world.now();
  const candidates = books.batches.filter((candidate) => candidate.terminalId === terminalId);
  const withStatus = (status: Batch['status']) => candidates.find((candidate) => candidate.status === status);
  const batch = withStatus('OPEN') ?? withStatus('FAILED') ?? null;
  const recordClose = (outcome: Close['outcome']): CloseResult => {
    books.closes.push({ at, terminalId, batchId: batch?.id ?? null, by, outcome });
    return { outcome, batch };
  };
  if (!batch) return recordClose('nothing-open');
  if (forcedStatus === 'FAILED') {
    batch.status = 'FAILED';
    scheduleNightClose(books, batch);
    return recordClose('failed');
  }
  batch.closedBy = by;
  const drawnMs = books.draw(books.knobs.closingMs);
  const closingMs = forcedStatus === 'PENDING' ? Math.max(60_000, drawnMs) : drawnMs;
  if (closingMs === 0) {
    settle(books, batch);
    return recordClose('closed');
  }
  batch.status = 'PENDING';
  books.world.later(closingMs, `the gateway has closed batch ${batch.id}`, () => settle(books, batch));
  return recordClose('pending');
}

/** G31: a closed batch is settled with everything in it. */
function settle(books: Books, batch: Batch): void {
  batch.status = 'CLOSED';
  batch.closedAt = books.world.now();
  batch.confirmationCode = String(700_000 + Number(batch.id));
  for (const entry of books.entries) {
    if (entry.batchId !== batch.id || !isCounted(entry)) continue;
    entry.settledAt = batch.closedAt;
    books.record(entry);
  }
}
