import { listUnsettled, oldestOf, type Unsettled } from '#worker/data/reconciliation/unsettled';
import { findNamedTerminal } from '#worker/data/terminals/named-terminal';
import type { Deps } from '#worker/deps';
import { readBatches } from '#worker/domain/terminals/batches';
import { lookAtEach } from './missing.ts';

/** The gateway keeps a transaction for 90 days; an older one cannot be looked at any more. */
const KEPT_MS = 92 * 86_400_000;
/** Transactions that are asked for one by one; more of them are listed together. */
const ASKED = 20;
/** One that was seen within this time (ms) was seen this night. */
const NIGHT_MS = 12 * 3_600_000;

const unsettledBefore = ({ db, now }: Deps, accountId: number, before: number, limit: number): Promise<Unsettled[]> =>
  listUnsettled(db, accountId, { from: now() - KEPT_MS, before, seenBefore: now() - NIGHT_MS, limit });

/**
 * From when on (ms) a night lists card transactions: from `usual`, or from the oldest that is not settled where there
 * are too many of these to be asked for one by one.
 */
export async function fromUnsettled(deps: Deps, accountId: number, usual: number): Promise<number> {
  const unsettled = await unsettledBefore(deps, accountId, usual, ALL);
  if (unsettled.length <= ASKED) return usual;
  // Their batches may have been settled, which nobody has looked at yet.
  await readBatchesOf(deps, accountId, unsettled);
  const left = await unsettledBefore(deps, accountId, usual, ALL);
  return left.length <= ASKED ? usual : Math.min(usual, oldestOf(left) ?? usual);
}

/** More than a clinic takes in 92 days; only their number and the oldest are used. */
const ALL = 100_000;

/**
 * Look once more at card transactions from before `before` (ms), which the night did not list: in a batch that is not
 * settled a void at the provider's own pages takes a payment back without a message to us. Each is looked at until it
 * was seen after its batch was settled.
 */
export async function lookAtUnsettled(deps: Deps, accountId: number, before: number): Promise<void> {
  const unsettled = await unsettledBefore(deps, accountId, before, ASKED);
  if (unsettled.length === 0) return;
  await readBatchesOf(deps, accountId, unsettled);
  await lookAtEach(
    deps,
    accountId,
    'card',
    unsettled.map(({ providerTxnId }) => providerTxnId),
  );
}

/** Note what became of the batches of these terminals; one that does not answer stays as it was. */
async function readBatchesOf(deps: Deps, accountId: number, unsettled: Unsettled[]): Promise<void> {
  for (const terminalId of new Set(unsettled.map((one) => one.terminalId))) {
    const terminal = await findNamedTerminal(deps.db, accountId, terminalId);
    if (terminal) await readBatches(deps, terminal);
  }
}
