import { listOpenCloses, saveBatches, settleClose } from '#worker/data/batches/batches';
import type { BatchClose } from '#worker/data/schema/payments';
import type { NamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent, bySystem } from '#worker/domain/audit/event';
import type { GatewayBatch, TerminalRef } from '#worker/vendors/gateway-port';

/** The gateway keeps payments for 90 days; older batches are empty. */
const SHOWN_MS = 92 * 86_400_000;

/**
 * A terminal's batches, newest first, as the gateway has them now. The list also settles closes whose response was
 * lost, so that no close has to be repeated to learn its outcome.
 */
export async function readBatches(
  deps: Deps,
  { ref }: Pick<NamedTerminal, 'ref'>,
): Promise<GatewayBatch[] | 'unavailable'> {
  const openCloses = await listOpenCloses(deps.db, ref);
  const batches = await listBatchesNow(deps, ref);
  if (batches === 'unavailable') return batches;
  await saveBatches(deps.db, ref, batches);
  for (const close of openCloses) await settleFromList(deps, close, batches);
  return batches;
}

/** A terminal's recent batches, and older ones that are still open. */
async function listBatchesNow(
  { gateway, now }: Pick<Deps, 'gateway' | 'now'>,
  ref: TerminalRef,
): Promise<GatewayBatch[] | 'unavailable'> {
  const from = now() - SHOWN_MS;
  const recent = await gateway.listBatches(ref, { from });
  // A terminal's next batch opens after its last one ends, so an older one can be open only if there is no recent one.
  if (recent === 'unavailable' || recent.length > 0) return recent;
  return gateway.listBatches(ref, { status: 'open', to: from });
}

/**
 * Lists the batches of all the merchant's terminals, with the key of a working one, since the batches' own terminal may
 * be closed.
 */
export async function listAllBatchesNow(
  { gateway, now }: Pick<Deps, 'gateway' | 'now'>,
  ref: TerminalRef,
): Promise<GatewayBatch[] | 'unavailable'> {
  const [from, level] = [now() - SHOWN_MS, 'merchant'] as const;
  const recent = await gateway.listBatches(ref, { level, from });
  const older = recent === 'unavailable' ? recent : await gateway.listBatches(ref, { level, status: 'open', to: from });
  return recent === 'unavailable' || older === 'unavailable' ? 'unavailable' : [...recent, ...older];
}

/** The event of a batch's close: requested (`from` null), or moved to another state. */
export const closeEvent = (
  deps: AuditDeps,
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

/** The time (UTC ms) after which a sent close can no longer arrive. */
const latestArrivalOf = ({ settings }: Deps, { requestedAt }: BatchClose) =>
  requestedAt + settings.CHARGE_TIMEOUT_MS + settings.SENT_GRACE_MS;

/** The gateway's list may lag behind its own answer for this long (ms); after that, its state of a batch is final. */
export const LIST_LAG_MS = 3_600_000;

/**
 * Settles a close by the batch list. Once its call can no longer arrive, a batch that is still open, or is no longer
 * listed, was not closed by it. Until then, no other close of the terminal starts, because the first one could close
 * the next batch.
 */
async function settleFromList(deps: Deps, close: BatchClose, batches: GatewayBatch[]): Promise<void> {
  const status = batches.find(({ id }) => id === close.batchId)?.status;
  const settle = (state: BatchClose['state'], message = '', at = deps.now()) =>
    settleClose(
      deps.db,
      close,
      [close.state],
      { state, at, message },
      closeEvent(bySystem(deps), close, close.state, state),
    );
  const canNoLongerArrive = deps.now() > latestArrivalOf(deps, close);
  const isListFinal = deps.now() > latestArrivalOf(deps, close) + LIST_LAG_MS;
  if (status === 'closed') return settle('closed');
  if (status === undefined)
    return isListFinal ? settle('failed', 'The card provider no longer lists this batch.') : undefined;
  if (close.state === 'processing') {
    if (status === 'failed') return settle('failed', 'The card provider could not close it.');
    return status === 'open' && isListFinal ? settle('failed', 'It is still open.') : undefined;
  }
  if (status === 'pending') return settle('processing');
  if (canNoLongerArrive) return settle('failed', 'It is still open.', latestArrivalOf(deps, close));
}
