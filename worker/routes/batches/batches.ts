import * as z from 'zod/mini';
import { BatchesReply, BatchTransaction, CloseBatchReply, ClosingReply } from '#shared/contracts/payments/batches';
import type { Deps } from '#worker/deps';
import { type CloseBatchOutcome, closeBatch } from '#worker/domain/batches/close';
import { exportBatch, presentBatch, viewBatch, viewBatches, viewClosing } from '#worker/domain/batches/view-batches';
import { apiError } from '#worker/http/reply/errors';
import { type C, csv, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the batches of a merchant's terminals. */
export const batchRoutes: Routes = {
  'GET /api/terminals/:terminalId/batches': route({
    access: 'staff',
    summary: 'List the batches of a terminal',
    answers: { 200: BatchesReply },
    errors: [503],
    handle: getBatches,
  }),
  'GET /api/terminals/:terminalId/closing': route({
    access: 'staff',
    summary: 'Preview the closing of the open batch of a terminal',
    answers: { 200: ClosingReply },
    errors: [503],
    handle: getClosing,
  }),
  'PUT /api/terminals/:terminalId/batches/close': route({
    access: 'staff: close-batches',
    summary: 'Close the open batch of a terminal',
    query: z.object({ batch: z.optional(z.string()) }),
    answers: { 200: CloseBatchReply, 202: CloseBatchReply },
    errors: [409, 502, 503],
    handle: putClose,
  }),
  'GET /api/terminals/:terminalId/batches/:batchId': route({
    access: 'staff',
    summary: 'List the transactions of a batch',
    query: z.object({ format: z.optional(z.string()) }),
    answers: { 200: [z.array(BatchTransaction), csv] },
    errors: [503],
    handle: getBatch,
  }),
};

const terminalOf = (c: C) => c.req.param('terminalId') ?? '';
const terminalNotFound = (c: C) => apiError(c, 404, 'not-found', 'Terminal not found.');
const batchNotFound = (c: C) => apiError(c, 404, 'not-found', 'Batch not found.');

/** Sends the message of the specification, followed by the reason. */
function failureReply(c: C, deps: Deps, message: string, event: string): Response {
  deps.log.info(event, { terminalId: terminalOf(c).slice(0, 40) });
  c.header('retry-after', '30');
  return apiError(c, 503, 'gateway-unavailable', `${message}: ${deps.gateway.displayName} is not answering.`);
}

async function getBatches({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const view = await viewBatches(deps, merchant, terminalOf(c));
  if (view.kind === 'no-terminal') return terminalNotFound(c);
  if (view.kind === 'unavailable') return failureReply(c, deps, 'Failed to fetch batches', 'batches-failed');
  return c.json({ batch: view.batches } satisfies BatchesReply);
}

async function getClosing({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const view = await viewClosing(deps, merchant, terminalOf(c));
  if (view.kind === 'no-terminal') return terminalNotFound(c);
  if (view.kind === 'unavailable') return failureReply(c, deps, 'Failed to fetch batches', 'batches-failed');
  return c.json(view.closing);
}

async function getBatch({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const view = await viewBatch(deps, merchant, terminalOf(c), c.req.param('batchId') ?? '');
  if (view.kind === 'no-terminal') return terminalNotFound(c);
  if (view.kind === 'no-batch') return batchNotFound(c);
  if (view.kind === 'unavailable') return failureReply(c, deps, 'Failed to fetch transactions', 'transactions-failed');
  if (c.req.query('format') !== 'csv') return c.json(view.transactions);
  return c.body(await exportBatch(deps, merchant, view), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="batch-${view.batch.id}.csv"`,
  });
}

/**
 * `arrivedAt` is the time (UTC ms) at which the request arrived, before the session was looked up. A close that was
 * still in progress then is the one that the user meant.
 */
async function putClose({ c, deps, merchant, requestedAt: arrivedAt }: StaffRequest): Promise<Response> {
  const batchId = c.req.query('batch') ?? null;
  const outcome = await closeBatch(deps, merchant, terminalOf(c), batchId, arrivedAt);
  return closeReply(c, deps, outcome);
}

function closeReply(c: C, deps: Deps, outcome: CloseBatchOutcome): Response {
  const { displayName } = deps.gateway;
  const reply = (status: CloseBatchReply['status'], message: string) => {
    const batch = 'batch' in outcome && outcome.batch ? presentBatch(outcome.batch, terminalInfoOf(c)) : null;
    return c.json({ status, message, batch } satisfies CloseBatchReply, status === 'closed' ? 200 : 202);
  };
  switch (outcome.kind) {
    case 'closed': {
      const code = outcome.batch?.confirmationCode;
      return reply('closed', `Batch ${outcome.batchId} is closed.${code ? ` Confirmation ${code}.` : ''}`);
    }
    case 'processing':
      return reply('processing', `${displayName} is closing batch ${outcome.batchId}.`);
    case 'unknown':
      return reply(
        'unknown',
        `We do not know yet whether batch ${outcome.batchId} was closed. Do not close it again. We are asking ${displayName}.`,
      );
    case 'failed': {
      const reason = outcome.message ? ` ${displayName} says: ${outcome.message}` : '';
      return apiError(c, 502, 'gateway-refused', `Failed to close batch ${outcome.batchId}.${reason}`);
    }
    case 'nothing-open':
      return apiError(c, 409, 'conflict', 'There is no open batch to close.');
    case 'no-batch':
      return batchNotFound(c);
    case 'no-terminal':
      return terminalNotFound(c);
    case 'unavailable':
      return failureReply(c, deps, 'Failed to close batch', 'close-failed');
  }
}

const terminalInfoOf = (c: C) => ({ ref: { terminalId: terminalOf(c) }, name: '' });
