import type { PaymentMethod } from '#shared/contracts/payment';
import { listMissingAtGateway, type MissingAtGateway } from '#worker/data/reconciliation/gateway-transactions';
import {
  listUnsettledTransactions,
  oldestTimeOf,
  type UnsettledTransaction,
} from '#worker/data/reconciliation/transaction-queries';
import { findNamedTerminal, listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { queryOneOf } from '#worker/domain/payments/query-any-terminal';
import { readBatches } from '#worker/domain/terminals/batches';
import { ingestTransactions, type Snapshot } from './ingest.ts';

/** The maximum number of entries looked up one by one. A longer list indicates another problem and is shown as is. */
const MAX_LOOKUPS = 20;

/** Looks up our entries that the gateway did not list. Returns the entries that it does not know either. */
export async function findMissing(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  range: { from: number; to: number; terminalId?: string },
): Promise<MissingAtGateway[]> {
  const missingEntries = await listMissingAtGateway(deps.db, accountId, method, { ...range, limit: 200 });
  const lookedUpIds = missingEntries.slice(0, MAX_LOOKUPS).map(({ providerTxnId }) => providerTxnId);
  // A lookup without an answer does not mean that the entry is missing.
  const isMissing = await lookUpEach(deps, accountId, method, lookedUpIds);
  return missingEntries.filter(
    ({ providerTxnId }) => !lookedUpIds.includes(providerTxnId) || isMissing.has(providerTxnId),
  );
}

/**
 * Looks up transactions at the gateway one by one and ingests the results. Returns the ids that the gateway does not
 * know.
 */
export async function lookUpEach(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  ids: string[],
): Promise<Set<string>> {
  const unknownIds = new Set<string>();
  if (ids.length === 0) return unknownIds;
  const usableTerminals = await listUsableTerminals(deps.db, accountId);
  const snapshots: Snapshot[] = [];
  for (const providerTxnId of ids) {
    const seenAt = deps.now();
    const result = await queryOneOf(usableTerminals, (terminal) =>
      deps.gateway.find(terminal, method, { providerTxnId }),
    );
    if (result === 'unavailable') continue;
    const txns = result.answer.filter(({ id }) => id === providerTxnId);
    if (txns.length === 0) unknownIds.add(providerTxnId);
    snapshots.push({ txns, seenAt });
  }
  await ingestTransactions(deps, accountId, method, ...snapshots);
  return unknownIds;
}

/** The gateway keeps a transaction for 90 days. Older transactions cannot be looked up. */
const RETENTION_MS = 92 * 86_400_000;
/** The maximum number of transactions looked up one by one; if there are more, they are listed together. */
const MAX_UNSETTLED_LOOKUPS = 20;
/** A transaction that was seen within this time (ms) counts as seen this night. */
const SEEN_TONIGHT_MS = 12 * 3_600_000;

const listUnsettledBefore = (
  { db, now }: Deps,
  accountId: number,
  listStart: number,
  limit: number,
): Promise<UnsettledTransaction[]> =>
  listUnsettledTransactions(db, accountId, {
    from: now() - RETENTION_MS,
    before: listStart,
    seenBefore: now() - SEEN_TONIGHT_MS,
    limit,
  });

/**
 * The start (UTC ms) of a night's list of card transactions: `usualStart`, or the time of the oldest unsettled
 * transaction if there are too many to look up one by one.
 */
export async function cardListStart(deps: Deps, accountId: number, usualStart: number): Promise<number> {
  const unsettledTxns = await listUnsettledBefore(deps, accountId, usualStart, NO_LIMIT);
  if (unsettledTxns.length <= MAX_UNSETTLED_LOOKUPS) return usualStart;
  // Their batches may have settled since they were last read.
  await readBatchesOf(deps, accountId, unsettledTxns);
  const remainingTxns = await listUnsettledBefore(deps, accountId, usualStart, NO_LIMIT);
  return remainingTxns.length <= MAX_UNSETTLED_LOOKUPS
    ? usualStart
    : Math.min(usualStart, oldestTimeOf(remainingTxns) ?? usualStart);
}

/** A limit that no clinic reaches in 92 days. Only the number of rows and the oldest row are used. */
const NO_LIMIT = 100_000;

/**
 * Looks up unsettled card transactions from before the start of the nightly list (`listStart`, UTC ms). While a batch
 * is not settled, a void in the provider's portal reverses a payment without a webhook. Each transaction is looked up
 * until it was seen after its batch settled.
 */
export async function lookUpUnsettled(deps: Deps, accountId: number, listStart: number): Promise<void> {
  const unsettledTxns = await listUnsettledBefore(deps, accountId, listStart, MAX_UNSETTLED_LOOKUPS);
  if (unsettledTxns.length === 0) return;
  await readBatchesOf(deps, accountId, unsettledTxns);
  await lookUpEach(
    deps,
    accountId,
    'card',
    unsettledTxns.map(({ providerTxnId }) => providerTxnId),
  );
}

/** Updates the batches of these transactions' terminals. If a terminal does not answer, its batches do not change. */
async function readBatchesOf(deps: Deps, accountId: number, unsettledTxns: UnsettledTransaction[]): Promise<void> {
  for (const terminalId of new Set(unsettledTxns.map((txn) => txn.terminalId))) {
    const terminal = await findNamedTerminal(deps.db, accountId, terminalId);
    if (terminal) await readBatches(deps, terminal);
  }
}
