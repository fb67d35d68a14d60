import { findAttempt } from '#worker/data/payments/attempts';
import { findAnyTerminal, hubsOf } from '#worker/data/reconciliation/cursors';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import type { TransactionEvent } from '#worker/vendors/clearent/port';
import { ingestTransactions } from './ingest.ts';

/**
 * The provider says that something happened to a transaction. Nothing of the message is believed but that it is worth
 * asking: the transaction is read again with the merchant's own key. Never throws; what it misses, the nightly run sees.
 */
export async function handleTransactionWebhook(deps: Deps, event: TransactionEvent): Promise<void> {
  try {
    const attempt = event.attemptId ? await findAttempt(deps.db, event.attemptId) : undefined;
    const hubIds = attempt ? [attempt.hubId] : await hubsOf(deps.db, event);
    for (const hubId of hubIds) await askFor(deps, hubId, event);
    if (hubIds.length === 0) deps.log.info('transaction-of-nobody', { terminalId: event.terminalId });
  } catch (cause) {
    deps.log.alert('transaction-webhook-failed', { txnId: event.providerTxnId, cause: causeOf(cause) });
  }
}

async function askFor(deps: Deps, hubId: number, { method, providerTxnId }: TransactionEvent): Promise<void> {
  const terminal = await findAnyTerminal(deps.db, hubId);
  if (!terminal) return;
  const found = await deps.gateway.find(terminal, method, { providerTxnId });
  if (found === 'unavailable') return deps.log.info('transaction-not-read', { hubId, txnId: providerTxnId });
  await ingestTransactions(deps, hubId, method, {
    txns: found.filter(({ id }) => id === providerTxnId),
    seenAt: deps.now(),
  });
}
