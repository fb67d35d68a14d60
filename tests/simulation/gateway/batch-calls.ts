import type { VendorStep, WireAnswer } from '../vendor.ts';
import { closeBatch, withSums } from './batches.ts';
import type { GatewayCall } from './calls.ts';
import type { Fault } from './faults.ts';
import type { Books } from './gateway-records.ts';
import { pageOf, timeOf } from './search.ts';
import type { Batch, InFlight } from './truth.ts';
import { batchWire, failure, noContent, success } from './wire.ts';

const MINUTE = 60_000;

/** G27: batches of the terminal or of all terminals of the merchant, newest first. */
export function answerBatches(books: Books, call: GatewayCall, fault: Fault | null): WireAnswer {
  const until = visibleUntil(books, fault);
  const status = call.query.get('status');
  const isWide = call.query.get('level') === 'merchant';
  const filters = new Map(call.query);
  const [from, to] = [timeOf(filters.get('start-date')), timeOf(filters.get('end-date'))];
  const matches = books.batches.filter(
    (batch) =>
      batch.merchantId === call.merchant.merchantId &&
      (isWide || batch.terminalId === call.terminal.terminalId) &&
      batch.openedAt <= until &&
      (typeof from !== 'number' || batch.openedAt >= from) &&
      (typeof to !== 'number' || batch.openedAt <= to) &&
      (!status || asVisible(batch, until).status === status),
  );
  const { pageRows, page } = pageOf(filters.get('descending') === 'false' ? matches : matches.reverse(), filters);
  if (pageRows.length === 0) return noContent();
  const batch = pageRows.map((shownBatch) => wireOf(books, shownBatch, until));
  return success(books.nextExchange(), { payloadType: 'batches', batches: { batch } }, { page });
}

export function answerOpenBatch(books: Books, call: GatewayCall, fault: Fault | null): WireAnswer {
  const until = visibleUntil(books, fault);
  const open = books.batches.find(
    (batch) =>
      batch.terminalId === call.terminal.terminalId &&
      batch.openedAt <= until &&
      asVisible(batch, until).status === 'OPEN',
  );
  if (!open) return noContent();
  return success(books.nextExchange(), { payloadType: 'batch', batch: wireOf(books, open, until) });
}

const visibleUntil = (books: Books, fault: Fault | null): number =>
  books.world.now() - (fault === 'stale' ? books.draw([5 * MINUTE, 60 * MINUTE]) : books.knobs.batchLagMs);

/** The batch as a lagging list shows it: without a close after `until`. */
function asVisible(batch: Batch, until: number): Batch {
  const isCloseHidden = batch.closedAt !== null && batch.closedAt > until;
  return isCloseHidden ? { ...batch, status: 'OPEN', closedAt: null, confirmationCode: null } : batch;
}

function wireOf(books: Books, batch: Batch, until: number) {
  return batchWire(withSums(books, asVisible(batch, until), until), books.terminal(batch.terminalId).terminal.name);
}

/** G28, G29: the product closes the open batch of the terminal that its key belongs to. */
export function arriveClose(books: Books, call: GatewayCall, fault: Fault | null): VendorStep {
  const { terminalId } = call.terminal;
  // Another close was faster, between the product's last look-up and its call.
  if (fault === 'closed-by-night') closeBatch(books, terminalId, 'night');
  if (fault === 'nothing-open') closeBatch(books, terminalId, 'person');
  const now = books.world.now();
  const afterMs = books.draw(books.knobs.processMs) + (fault === 'late' ? books.draw([MINUTE, 20 * MINUTE]) : 0);
  const flight: InFlight = {
    call: 'close',
    terminalId,
    orderId: null,
    invoice: null,
    amountCents: null,
    arrivedAt: now,
    commitsAt: now + afterMs,
  };
  books.inFlight.add(flight);
  return {
    afterMs,
    run() {
      books.inFlight.delete(flight);
      return answerClose(books, terminalId, fault);
    },
  };
}

function answerClose(books: Books, terminalId: string, fault: Fault | null): WireAnswer {
  const refuse = (status: number, code: string, message: string) =>
    failure(books.nextExchange(), books.world.now(), { status, code, message });
  // G28: both responses are documented.
  if (fault === 'nothing-open') return refuse(402, '040', 'No open batch');
  const forcedStatus = fault === 'close-pending' ? 'PENDING' : fault === 'close-failed' ? 'FAILED' : undefined;
  const { outcome, batch } = closeBatch(books, terminalId, 'product', forcedStatus);
  if (outcome === 'nothing-open' || !batch) return noContent();
  if (outcome === 'failed') return refuse(500, '002', 'Batch failure');
  return success(books.nextExchange(), { payloadType: 'batch', batch: wireOf(books, batch, books.world.now()) });
}
