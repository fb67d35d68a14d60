import { keepBatches, listOpenCloses, settleClose } from '#worker/data/batches/batches';
import type { BatchClose } from '#worker/data/schema/payments';
import type { NamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent, bySystem } from '#worker/domain/audit/event';
import type { GatewayBatch, TerminalRef } from '#worker/vendors/gateway-port';

/** The gateway keeps payments for 90 days; older batches have nothing in them any more. */
const SHOWN_MS = 92 * 86_400_000;

/**
 * A terminal's batches, newest first, as the gateway has them now. Closes whose answer was lost are settled by this
 * list, so a close is never repeated to find out.
 */
export async function readBatches(
  deps: Deps,
  { ref }: Pick<NamedTerminal, 'ref'>,
): Promise<GatewayBatch[] | 'unavailable'> {
  const open = await listOpenCloses(deps.db, ref);
  const batches = await listBatchesNow(deps, ref);
  if (batches === 'unavailable') return batches;
  await keepBatches(deps.db, ref, batches);
  for (const close of open) await learn(deps, close, batches);
  return batches;
}

/** A terminal's batches of the last time, and older ones that are still open. */
async function listBatchesNow(
  { gateway, now }: Pick<Deps, 'gateway' | 'now'>,
  ref: TerminalRef,
): Promise<GatewayBatch[] | 'unavailable'> {
  const from = now() - SHOWN_MS;
  const shown = await gateway.listBatches(ref, { from });
  // A terminal's next batch is opened after the end of its last one: an older one is open only where none is shown.
  if (shown === 'unavailable' || shown.length > 0) return shown;
  return gateway.listBatches(ref, { status: 'open', to: from });
}

/** The same of all terminals of the merchant, by the key of one that works: the one that they are of may be closed. */
export async function listAllBatchesNow(
  { gateway, now }: Pick<Deps, 'gateway' | 'now'>,
  ref: TerminalRef,
): Promise<GatewayBatch[] | 'unavailable'> {
  const [from, level] = [now() - SHOWN_MS, 'merchant'] as const;
  const shown = await gateway.listBatches(ref, { level, from });
  const older = shown === 'unavailable' ? shown : await gateway.listBatches(ref, { level, status: 'open', to: from });
  return shown === 'unavailable' || older === 'unavailable' ? 'unavailable' : [...shown, ...older];
}

/** The event of a batch's close: asked for (`from` null), or moved to another state. */
export const closeEvent = (
  deps: Acting,
  { accountId, terminalId, batchId }: Pick<BatchClose, 'accountId' | 'terminalId' | 'batchId'>,
  from: BatchClose['state'] | null,
  to: BatchClose['state'],
) =>
  auditEvent(deps, {
    accountId,
    action: from === null ? 'batch-close.claimed' : 'batch-close.moved',
    subject: ['batch', `${terminalId}/${batchId}`],
    ...(from && { before: { state: from } }),
    after: { state: to },
  });

/** After this (ms), a close that was sent is not on its way any more. */
const arrivesBy = ({ settings }: Deps, { requestedAt }: BatchClose) =>
  requestedAt + settings.CHARGE_TIMEOUT_MS + settings.SENT_GRACE_MS;

/** The gateway's list may be behind its own answer for this long (ms); then what it shows of a close's batch holds. */
export const LIST_LAG_MS = 3_600_000;

/**
 * Settle a close by the batch list. Once its call cannot arrive any more, a batch that is still open, or is listed no more,
 * was not closed by it: until then another close of the terminal could hit the batch after it, and waits.
 */
async function learn(deps: Deps, close: BatchClose, batches: GatewayBatch[]): Promise<void> {
  const status = batches.find(({ id }) => id === close.batchId)?.status;
  const note = (state: BatchClose['state'], message = '', at = deps.now()) =>
    settleClose(
      deps.db,
      close,
      [close.state],
      { state, at, message },
      closeEvent(bySystem(deps), close, close.state, state),
    );
  const isOver = deps.now() > arrivesBy(deps, close);
  const isSettled = deps.now() > arrivesBy(deps, close) + LIST_LAG_MS;
  if (status === 'closed') return note('closed');
  if (status === undefined)
    return isSettled ? note('failed', 'The card provider does not list this batch any more.') : undefined;
  if (close.state === 'processing') {
    if (status === 'failed') return note('failed', 'The card provider could not close it.');
    return status === 'open' && isSettled ? note('failed', 'It is still open.') : undefined;
  }
  if (status === 'pending') return note('processing');
  if (isOver) return note('failed', 'It is still open.', arrivesBy(deps, close));
}
