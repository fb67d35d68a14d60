import type { PaymentMethod } from '#shared/contracts/payment';
import { listMissingAtGateway, type MissingAtGateway } from '#worker/data/reconciliation/gateway-transactions';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { askOneOf } from '#worker/domain/payments/ask-any-terminal';
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
