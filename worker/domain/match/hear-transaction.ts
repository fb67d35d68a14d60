import { findAnyTerminal, hubsOf } from '../../data/match-marks.ts';
import { findAttempt } from '../../data/payments/attempts.ts';
import type { Deps } from '../../deps.ts';
import { causeOf } from '../../log.ts';
import type { TransactionEvent } from '../../ports/gateway.ts';
import { takeIn } from './take-in.ts';

/**
 * The provider says that something happened to a transaction. Nothing of the message is believed but that it is worth
 * asking: the transaction is read again with the merchant's own key. Never throws; what it misses, the nightly run sees.
 */
export async function hearTransaction(deps: Deps, event: TransactionEvent): Promise<void> {
  try {
    const attempt = event.attemptId ? await findAttempt(deps.db, event.attemptId) : undefined;
    const hubIds = attempt ? [attempt.hubId] : await hubsOf(deps.db, event);
    for (const hubId of hubIds) await askFor(deps, hubId, event);
    if (hubIds.length === 0) deps.log.info('transaction-of-nobody', { terminalId: event.terminalId });
  } catch (cause) {
    deps.log.alert('transaction-not-heard', { txnId: event.providerTxnId, cause: causeOf(cause) });
  }
}

async function askFor(deps: Deps, hubId: number, { method, providerTxnId }: TransactionEvent): Promise<void> {
  const terminal = await findAnyTerminal(deps.db, hubId);
  if (!terminal) return;
  const found = await deps.gateway.find(terminal, method, { providerTxnId });
  if (found === 'unavailable') return deps.log.info('transaction-not-read', { hubId, txnId: providerTxnId });
  await takeIn(deps, hubId, method, { txns: found.filter(({ id }) => id === providerTxnId), seenAt: deps.now() });
}
