import { claimClose, findClose, listCloses, settleClose } from '#worker/data/batches/batches';
import type { BatchClose } from '#worker/data/schema/payments';
import { findNamedTerminal, type NamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import type { StateRule } from '#worker/domain/state-rule';
import { closeEvent, readBatches } from '#worker/domain/terminals/batches';
import { causeOf } from '#worker/log';
import type { CloseOutcome, GatewayBatch } from '#worker/vendors/gateway-port';

export type CloseBatchOutcome =
  /** `batch` is null only if the gateway does not list it. */
  | { kind: 'closed'; batchId: string; batch: GatewayBatch | null }
  /** The gateway is still closing the batch. */
  | { kind: 'processing'; batchId: string; batch: GatewayBatch | null }
  /** The batch may have been closed; the batch list will show it. */
  | { kind: 'unknown'; batchId: string }
  | { kind: 'failed'; batchId: string; message: string }
  | { kind: 'nothing-open' | 'no-batch' | 'no-terminal' | 'unavailable' };

/** A request without a batch within this time (ms) after a close refers to the closed batch, still on the screen. */
const SAME_REQUEST_MS = 500;
const POLL_MS = 250;
const MAX_POLLS = 48;

/**
 * Closes a terminal's open batch once. The gateway closes the batch that is open when the call arrives, so a second
 * request must never reach it. The batch is therefore claimed first, and every other request returns the outcome of
 * that close. `confirmedId`: the batch that the merchant confirmed; no other batch is closed.
 */
export async function closeBatch(
  deps: Deps,
  merchant: Merchant,
  terminalId: string,
  confirmedId: string | null,
  submittedAt = deps.now(),
): Promise<CloseBatchOutcome> {
  const terminal = await findNamedTerminal(deps.db, merchant.accountId, terminalId);
  if (!terminal) return { kind: 'no-terminal' };
  const batches = await readBatches(deps, terminal);
  if (batches === 'unavailable') return { kind: 'unavailable' };
  const target = findClosableBatch(batches);
  if (!target || (confirmedId !== null && confirmedId !== target.id))
    return answerLaterRequest(deps, terminal, confirmedId, submittedAt, batches);

  const key = { accountId: merchant.accountId, terminalId, batchId: target.id };
  const claim = { ...key, requestedBy: merchant.userId, requestedAt: deps.now() };
  const endedSince = { at: submittedAt - (confirmedId === null ? SAME_REQUEST_MS : 0), anyBatch: confirmedId === null };
  if (!(await claimClose(deps.db, claim, endedSince, closeEvent(deps, key, null, 'sent'))))
    return answerLaterRequest(deps, terminal, confirmedId, submittedAt, batches);
  return sendClose(deps, terminal, key);
}

/** The batch that a close would affect, which is the open one or one that the processor refused before. */
export const findClosableBatch = (batches: GatewayBatch[]): GatewayBatch | undefined =>
  batches.find(({ status }) => status === 'open') ?? batches.find(({ status }) => status === 'failed');

type CloseKey = Pick<BatchClose, 'accountId' | 'terminalId' | 'batchId'>;

async function sendClose(deps: Deps, terminal: NamedTerminal, key: CloseKey): Promise<CloseBatchOutcome> {
  const { db, gateway, log, now } = deps;
  const { terminalId, batchId } = key;
  const outcome = await gateway.closeBatch(terminal.ref, terminal.channel);
  const result = resultOf(outcome, batchId);
  if ('batch' in outcome && outcome.batch.id !== batchId)
    log.alert('another-batch-closed', {
      accountId: key.accountId,
      terminalId,
      claimed: batchId,
      closed: outcome.batch.id,
    });
  try {
    // An interrupted write may have succeeded. Repeating it is harmless, since a state changes only once.
    const to = { ...result, at: now() };
    const settle = () => settleClose(db, key, ['sent'], to, closeEvent(deps, key, 'sent', result.state));
    await settle().catch(settle);
    log.info('batch-close', { terminalId, batchId, state: result.state });
  } catch (cause) {
    log.alert('batch-close-not-noted', { accountId: key.accountId, terminalId, batchId, cause: causeOf(cause) });
    return { kind: 'unknown', batchId };
  }
  if ('batch' in outcome && outcome.batch.id === batchId) return { kind: outcome.kind, batchId, batch: outcome.batch };
  if (result.state === 'failed') return { kind: 'failed', batchId, message: result.message };
  // Without a clear response, the batch list may show the outcome.
  const batches = await readBatches(deps, terminal);
  return answerFromClose(await findClose(db, key), batches);
}

function resultOf(outcome: CloseOutcome, batchId: string): { state: BatchClose['state']; message: string } {
  switch (outcome.kind) {
    case 'closed':
    case 'processing':
      return { state: outcome.batch.id === batchId ? outcome.kind : 'unknown', message: '' };
    case 'failed':
      return { state: 'failed', message: outcome.message };
    // Another close was faster, most likely the terminal's own automatic one.
    case 'nothing-open':
    case 'unknown':
      return { state: 'unknown', message: outcome.kind === 'unknown' ? outcome.cause.slice(0, 200) : '' };
  }
}

/** Closes nothing, and returns the outcome of the close that this request refers to. */
async function answerLaterRequest(
  deps: Deps,
  terminal: NamedTerminal,
  confirmedId: string | null,
  submittedAt: number,
  batches: GatewayBatch[],
): Promise<CloseBatchOutcome> {
  for (let polls = 0; ; polls++) {
    const closes = await listCloses(deps.db, terminal.ref, 20);
    const close = findRelatedClose(closes, confirmedId, submittedAt);
    if (!close) return answerWithoutClose(confirmedId, batches);
    if (close.state !== 'sent' || polls >= MAX_POLLS) {
      const closedList = batches.find(({ id }) => id === close.batchId)?.status === 'closed' ? batches : undefined;
      return answerFromClose(close, closedList ?? (await readBatches(deps, terminal)));
    }
    await deps.pause(POLL_MS);
  }
}

function findRelatedClose(
  closes: BatchClose[],
  confirmedId: string | null,
  submittedAt: number,
): BatchClose | undefined {
  const requestedClose = closes.find(({ batchId }) => batchId === confirmedId);
  if (requestedClose && requestedClose.state !== 'failed') return requestedClose;
  const pendingClose = closes.find(({ state }) => state === 'sent' || state === 'unknown');
  if (confirmedId !== null) return pendingClose ?? requestedClose;
  return pendingClose ?? closes.find(({ endedAt }) => endedAt !== null && endedAt >= submittedAt - SAME_REQUEST_MS);
}

/** The outcome if we have made no close, because the terminal closed the batch itself or there is no batch. */
function answerWithoutClose(confirmedId: string | null, batches: GatewayBatch[]): CloseBatchOutcome {
  const batch = batches.find(({ id, status }) => (confirmedId === null ? status === 'pending' : id === confirmedId));
  if (!batch) return { kind: confirmedId === null ? 'nothing-open' : 'no-batch' };
  if (batch.status === 'closed') return { kind: 'closed', batchId: batch.id, batch };
  return batch.status === 'pending' ? { kind: 'processing', batchId: batch.id, batch } : { kind: 'nothing-open' };
}

function answerFromClose(close: BatchClose | undefined, batches: GatewayBatch[] | 'unavailable'): CloseBatchOutcome {
  if (!close) return { kind: 'nothing-open' };
  const { batchId, state, message } = close;
  const batch = batches === 'unavailable' ? null : (batches.find(({ id }) => id === batchId) ?? null);
  switch (state) {
    case 'closed':
    case 'processing':
      return { kind: batch?.status === 'closed' ? 'closed' : state, batchId, batch };
    case 'failed':
      return { kind: 'failed', batchId, message };
    case 'sent':
    case 'unknown':
      return { kind: 'unknown', batchId };
  }
}

/** The same limit as in the alert, since the batch list is read each night. */
const LIMIT_MS = 26 * 3_600_000;

/**
 * The rules for every state of a batch's close: the states that may follow, the event that ends it, its time limit, and
 * the alert after that limit.
 */
export const closeStates = {
  sent: {
    exits: ['closed', 'processing', 'failed', 'unknown'],
    endedBy: 'The answer to its own call, or the batch list once that answer must be lost.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  unknown: {
    exits: ['closed', 'processing', 'failed'],
    endedBy: 'The batch list, which shows the batch as closed, being closed or open, or for an hour not at all.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  processing: {
    exits: ['closed', 'failed'],
    endedBy: 'The batch list, which shows the batch as closed or refused, or after an hour as open or not at all.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  failed: {
    exits: ['sent'],
    endedBy: 'Final, unless another close of the batch is requested.',
    limitMs: null,
    alert: null,
  },
  closed: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<BatchClose['state'], StateRule<BatchClose['state']>>;
