import { parseCents } from '#shared/money';
import type { BatchFilter, CloseOutcome, GatewayBatch, TerminalRef } from '../gateway-port.ts';
import type { ClearentCall } from './http.ts';
import { batchIdOf, instantOf, minuteOf } from './transaction.ts';
import { batchesOf, isLastPage, type WireBatch } from './wire.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 10;
const STATUSES = { OPEN: 'open', CLOSED: 'closed', PENDING: 'pending', FAILED: 'failed' } as const;
const isStatus = (text: string): text is keyof typeof STATUSES => Object.hasOwn(STATUSES, text);

const parseCount = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null);

function gatewayBatchOf(batch: WireBatch): GatewayBatch {
  const status = batch.status.toUpperCase();
  return {
    id: batchIdOf(batch.id),
    status: isStatus(status) ? STATUSES[status] : 'other',
    terminalId: batch['terminal-id'],
    terminalName: batch['terminal-name'],
    openedAt: instantOf(batch['date-opened']),
    settledAt: instantOf(batch.settled),
    salesCount: parseCount(batch['sales-count']),
    salesCents: parseCents(batch['sales-total']),
    refundCount: parseCount(batch['refund-count']),
    refundCents: parseCents(batch['refund-total']),
    netCents: parseCents(batch['net-amount']),
    confirmationCode: batch['confirmation-code'],
  };
}

export async function listBatches(
  call: ClearentCall,
  terminal: TerminalRef,
  filter: BatchFilter = {},
): Promise<GatewayBatch[] | 'unavailable'> {
  const allBatches: GatewayBatch[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      ...(filter.level ? { level: filter.level } : {}),
      ...(filter.status ? { status: filter.status.toUpperCase() } : {}),
      ...(filter.from === undefined ? {} : { 'start-date': minuteOf(filter.from) }),
      ...(filter.to === undefined ? {} : { 'end-date': minuteOf(filter.to) }),
      page: String(page),
      'page-size': String(PAGE_SIZE),
      descending: 'true',
    });
    const reply = await call(terminal, `/rest/v2/batches?${query}`);
    if (reply.kind !== 'answer') return 'unavailable';
    if (reply.status === 204) return allBatches;
    const batches = reply.status === 200 ? batchesOf(reply.envelope) : null;
    if (!batches) return 'unavailable';
    allBatches.push(...batches.map(gatewayBatchOf));
    if (isLastPage(reply.envelope, batches.length, PAGE_SIZE)) break;
  }
  return allBatches;
}

/** Code for "no open batch"; an empty response means the same. */
const NOTHING_OPEN = '040';
/** Codes sent with status 500 if the processor refused the batch. Closing can then be retried. */
const BATCH_FAILURE = new Set(['002', '003']);

export async function closeBatch(
  call: ClearentCall,
  terminal: TerminalRef,
  channel: 'counter' | 'ecommerce',
): Promise<CloseOutcome> {
  const path = channel === 'counter' ? '/rest/v2/terminal/batches/open' : '/rest/v2/batches/open';
  const reply = await call(terminal, path, { method: 'PUT', body: {} });
  if (reply.kind === 'sealed') return { kind: 'failed', message: 'the key is sealed', providerCode: '' };
  if (reply.kind === 'lost') return { kind: 'unknown', cause: reply.cause };
  const { status, envelope, detail } = reply;
  if (status === 204) return { kind: 'nothing-open' };
  if (status === 200 || status === 201) {
    const { batch } = envelope.payload;
    if (!batch?.id) return { kind: 'unknown', cause: `HTTP ${status} without a batch` };
    const closedBatch = gatewayBatchOf(batch);
    if (closedBatch.status === 'closed') return { kind: 'closed', batch: closedBatch };
    if (closedBatch.status === 'pending') return { kind: 'processing', batch: closedBatch };
    return { kind: 'unknown', cause: `HTTP ${status} with a batch that is ${batch.status}` };
  }
  const { error, batch } = envelope.payload;
  // The status of the batch itself outranks the HTTP status.
  const batchStatus = batch ? gatewayBatchOf(batch).status : 'open';
  if (batchStatus === 'closed' || batchStatus === 'pending')
    return { kind: 'unknown', cause: `HTTP ${status} with a batch that is ${batchStatus}` };
  if (!error) return { kind: 'unknown', cause: `HTTP ${status} without a reason` };
  if (status === 402 && detail.code === NOTHING_OPEN) return { kind: 'nothing-open' };
  const isCertain = [400, 401, 402, 403].includes(status) || (status === 500 && BATCH_FAILURE.has(detail.code));
  if (isCertain) return { kind: 'failed', message: detail.message, providerCode: detail.code };
  return { kind: 'unknown', cause: `HTTP ${status}` };
}
