import type { Deps } from '#worker/deps';
import { clinicsOfMessage, type NamedClinic } from '#worker/domain/merchants/clinic-of-account';
import { findByAnyTerminal } from '#worker/domain/payments/query-any-terminal';
import { causeOf } from '#worker/log';
import type { GatewayTransaction, TransactionEvent } from '#worker/vendors/gateway-port';
import { ingestTransactions } from './ingest.ts';

/**
 * Handles the provider's webhook about a transaction. The webhook is only a hint, so the transaction is read again with
 * the merchant's own key. Never throws, since the nightly run finds anything missed.
 */
export async function handleTransactionWebhook(deps: Deps, event: TransactionEvent): Promise<void> {
  try {
    const clinics = await clinicsOfMessage(deps, event);
    for (const clinic of clinics) await ingestFor(clinic, event).catch(logFailure(deps, event));
    if (clinics.length === 0) deps.log.info('transaction-of-unknown-terminal', { terminalId: event.terminalId });
  } catch (cause) {
    logFailure(deps, event)(cause);
  }
}

const logFailure =
  ({ log }: Deps, { providerTxnId }: TransactionEvent) =>
  (cause: unknown): void =>
    log.info('transaction-webhook-failed', { txnId: providerTxnId, cause: causeOf(cause) });

async function ingestFor({ deps, accountId }: NamedClinic, { method, providerTxnId }: TransactionEvent): Promise<void> {
  const readAndIngest = async (id: string): Promise<GatewayTransaction[]> => {
    const seenAt = deps.now();
    const response = await findByAnyTerminal(deps, { accountId }, method, { providerTxnId: id });
    if (response === 'unavailable') {
      deps.log.info('transaction-not-read', { accountId, txnId: id });
      return [];
    }
    const txns = response.filter((txn) => txn.id === id);
    await ingestTransactions(deps, accountId, method, { txns, seenAt });
    return txns;
  };
  // A void moves no money itself; its parent transaction shows the reversal.
  for (const { kind, parentId } of await readAndIngest(providerTxnId))
    if (kind === 'VOID' && parentId) await readAndIngest(parentId);
}
