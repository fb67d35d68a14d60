import type { PaymentMethod } from '#shared/contracts/payment';
import { findAnyTerminal } from '#worker/data/reconciliation/cursors';
import { listMissingAtGateway, type MissingAtGateway } from '#worker/data/reconciliation/gateway-transactions';
import type { Deps } from '#worker/deps';
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
  const terminal = missing.length > 0 ? await findAnyTerminal(deps.db, accountId) : undefined;
  if (!terminal) return missing;
  const isThere = new Set<string>();
  const shown: Shown[] = [];
  for (const { providerTxnId } of missing.slice(0, ASKED)) {
    const seenAt = deps.now();
    const found = await deps.gateway.find(terminal, method, { providerTxnId });
    const own = found === 'unavailable' ? [] : found.filter(({ id }) => id === providerTxnId);
    // No answer does not mean missing.
    if (found === 'unavailable' || own.length > 0) isThere.add(providerTxnId);
    shown.push({ txns: own, seenAt });
  }
  await ingestTransactions(deps, accountId, method, ...shown);
  return missing.filter(({ providerTxnId }) => !isThere.has(providerTxnId));
}
