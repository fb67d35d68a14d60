import type { PaymentMethod } from '#shared/contracts/payment';
import { listMissingAtGateway, type MissingAtGateway } from '#worker/data/reconciliation/gateway-transactions';
import { listUnsettled, oldestOf, type Unsettled } from '#worker/data/reconciliation/transaction-queries';
import { findNamedTerminal, listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { askOneOf } from '#worker/domain/payments/ask-any-terminal';
import { readBatches } from '#worker/domain/terminals/batches';
import { ingestTransactions, type Shown } from './ingest.ts';

/** Entries that are asked for one by one; a longer list is an error of its own, and is shown as it is. */
const ASKED = 20;

/** Ask the gateway for our entries that it did not list; answers those that it does not know either. */
export async function findMissing(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  within: { from: number; to: number; terminalId?: string },
): Promise<MissingAtGateway[]> {
  const missing = await listMissingAtGateway(deps.db, accountId, method, { ...within, limit: 200 });
  const asked = missing.slice(0, ASKED).map(({ providerTxnId }) => providerTxnId);
  // No answer does not mean missing.
  const isMissing = await lookAtEach(deps, accountId, method, asked);
  return missing.filter(({ providerTxnId }) => !asked.includes(providerTxnId) || isMissing.has(providerTxnId));
}

/** Ask the gateway for transactions one by one and follow what it shows; answers those that it says it does not know. */
export async function lookAtEach(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  ids: string[],
): Promise<Set<string>> {
  const unknown = new Set<string>();
  if (ids.length === 0) return unknown;
  const usable = await listUsableTerminals(deps.db, accountId);
  const shown: Shown[] = [];
  for (const providerTxnId of ids) {
    const seenAt = deps.now();
    const asked = await askOneOf(usable, (terminal) => deps.gateway.find(terminal, method, { providerTxnId }));
    if (asked === 'unavailable') continue;
    const own = asked.answer.filter(({ id }) => id === providerTxnId);
    if (own.length === 0) unknown.add(providerTxnId);
    shown.push({ txns: own, seenAt });
  }
  await ingestTransactions(deps, accountId, method, ...shown);
  return unknown;
}

/** The gateway keeps a transaction for 90 days; an older one cannot be looked at any more. */
const KEPT_MS = 92 * 86_400_000;
/** Transactions that are asked for one by one; more of them are listed together. */
const ASKED_UNSETTLED = 20;
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
  if (unsettled.length <= ASKED_UNSETTLED) return usual;
  // Their batches may have been settled, which nobody has looked at yet.
  await readBatchesOf(deps, accountId, unsettled);
  const left = await unsettledBefore(deps, accountId, usual, ALL);
  return left.length <= ASKED_UNSETTLED ? usual : Math.min(usual, oldestOf(left) ?? usual);
}

/** More than a clinic takes in 92 days; only their number and the oldest are used. */
const ALL = 100_000;

/**
 * Look once more at card transactions from before `before` (ms), which the night did not list: in a batch that is not
 * settled a void at the provider's own pages takes a payment back without a message to us. Each is looked at until it
 * was seen after its batch was settled.
 */
export async function lookAtUnsettled(deps: Deps, accountId: number, before: number): Promise<void> {
  const unsettled = await unsettledBefore(deps, accountId, before, ASKED_UNSETTLED);
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
